"""The oracle on traces that are right, slightly wrong, exact, partial or of low precision."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT, AnyArithmetic, BallArithmetic, DoubleArithmetic
from asura.arithmetic import MultiprecisionArithmetic as Multiprecision
from asura.dataset import Dataset, dataset, kernel_ridge, ridge
from asura.randomness import Picks, Seed, uniforms
from asura.run import run
from asura.sampling import Done
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.claims import BY_SLUG
from asura_verify.cli.main import execute
from asura_verify.oracle.check import check_lines, check_source
from asura_verify.oracle.judgement import SLUGS, Judgement, Ruling

SMALL = ridge([[1, 2], [3, -1], [0, 1], [2, 2]], "1/2", labels=[1, -1, 2, 0])


def trace(
    data: Dataset = SMALL,
    gamma: object = "1/5",
    *,
    arithmetic: AnyArithmetic | None = None,
    stopping: StoppingRule = PAPER,
    seed: int = 1,
    probabilities: bool = True,
) -> list[str]:
    done = run(
        data, gamma, arithmetic=arithmetic or DoubleArithmetic(), chooser=Seed(seed),
        stopping=stopping,
    )  # fmt: skip
    fit = None if None in data.labels else active_regression(data, Done(done))
    return list(trace_lines(done, regression=fit, probabilities=probabilities))


def changed(lines: list[str], number: int, **fields: Any) -> list[str]:
    record = json.loads(lines[number])
    for name, value in fields.items():
        if callable(value):
            record[name] = value(record[name])
        elif value is None:
            record.pop(name, None)
        else:
            record[name] = value
    return [*lines[:number], json.dumps(record), *lines[number + 1 :]]


def without(lines: list[str], *names: str) -> list[str]:
    records = [json.loads(line) for line in lines]
    return [json.dumps({k: v for k, v in r.items() if k not in names}) for r in records]


def violated(lines: list[str]) -> Judgement:
    judgement = check_lines(lines)
    assert judgement.ruling is Ruling.VIOLATES
    assert judgement.first is not None
    return judgement


@pytest.mark.parametrize(
    "arithmetic", [DoubleArithmetic(), BallArithmetic(), Multiprecision(30)], ids=lambda a: a.name
)
@pytest.mark.parametrize("stopping", [PAPER, sure(), sure("1/2")], ids=["paper", "sure", "half"])
def test_the_reference_conforms(arithmetic: AnyArithmetic, stopping: StoppingRule) -> None:
    judgement = check_lines(trace(arithmetic=arithmetic, stopping=stopping))
    assert judgement.ruling is Ruling.CONFORMS
    assert judgement.coverage == ()
    assert judgement.checked["probabilities"] == 6 * judgement.length
    assert judgement.checked["stopping"] == judgement.length + 1


@pytest.mark.parametrize(
    "data",
    [
        kernel_ridge([[2, 1], [1, 1]], "1/3", labels=[1, 2]),
        dataset([[1, 2], [2, 4], [3, 6]], labels=[1, 2, 4]),
        dataset([[0, 0], [1, 0], [0, 1], [1, 0]], labels=[9, 1, 2, 3]),
        dataset([[10**9, 1], [1, 0], [10**9, 2]], labels=[0, 1, 2]),
        dataset([["1/1000000000000", 0], [0, 10**12], [1, 1]], labels=[0, 0, 0]),
    ],
    ids=["kernel", "deficient", "zero-row", "skew", "scaled"],
)
def test_awkward_data(data: Dataset) -> None:
    for arithmetic in (DoubleArithmetic(), BallArithmetic()):
        judgement = check_lines(trace(data, "1/4", arithmetic=arithmetic))
        assert judgement.ruling is Ruling.CONFORMS, judgement


def test_exact_traces_are_judged_exactly() -> None:
    lines = trace(dataset([[1], [2]], labels=[1, 3]), "1/4", arithmetic=EXACT)
    assert check_lines(lines).ruling is Ruling.CONFORMS
    weight = Fraction(json.loads(lines[3])["weight"])
    nearly = weight + Fraction(1, 10**60 + 1)
    judgement = violated(changed(lines, 3, weight=str(nearly)))
    assert judgement.first is not None
    assert judgement.first.field == "weight"
    assert "claims to be exact" in judgement.first.message


@pytest.mark.parametrize("factor", [1e-9, -1e-9, 1e-10])
@pytest.mark.parametrize("field", ["u", "l", "phi", "p", "weight"])
def test_a_value_off_by_little_is_caught(field: str, factor: float) -> None:
    lines = trace()
    judgement = violated(changed(lines, 5, **{field: lambda x: x * (1 + factor)}))
    first = judgement.first
    assert first is not None
    assert (first.line, first.j, first.field) == (6, 4, field)
    assert float(first.lower) < float(first.upper)
    assert first.gap is not None
    assert first.gap > 10
    assert judgement.diagnosis[0].mistake == "isolated-value"


@pytest.mark.parametrize("field", ["mid", "u", "l"])
def test_the_result_is_judged(field: str) -> None:
    lines = trace()
    judgement = violated(changed(lines, len(lines) - 1, **{field: lambda x: x * (1 + 1e-9)}))
    assert judgement.first is not None
    assert judgement.first.field == field


@pytest.mark.parametrize("field", ["weights", "alphas", "beta"])
def test_the_lists_of_the_result_are_judged(field: str) -> None:
    lines = trace()
    judgement = violated(
        changed(lines, len(lines) - 1, **{field: lambda xs: [xs[0] * (1 + 1e-8), *xs[1:]]})
    )
    assert judgement.first is not None
    assert judgement.first.field.startswith(field)


def test_one_probability_of_all_is_judged() -> None:
    def shifted(values: list[float]) -> list[float]:
        return [values[0] + 1e-9, values[1] - 1e-9, *values[2:]]

    judgement = violated(changed(trace(), 4, probabilities=shifted))
    assert judgement.first is not None
    assert judgement.first.field == "probabilities[0]"


@pytest.mark.parametrize("stopping", [PAPER, sure()], ids=["paper", "sure"])
def test_stopping_too_early_and_too_late(stopping: StoppingRule) -> None:
    names = ("u", "l", "phi", "p", "probabilities", "weight", "mid", "weights", "alphas", "beta")
    bare = without(trace(stopping=stopping), *names)
    length = len(bare) - 2
    assert check_lines(bare).ruling is Ruling.CONFORMS
    early = violated([*bare[:-2], json.dumps({"m": length - 1})])
    assert early.first is not None
    assert early.first.message.startswith("too early")
    assert "stop-one-early" in [d.mistake for d in early.diagnosis]
    header = json.loads(bare[0])
    more = json.dumps(header | {"uniforms": [*header["uniforms"], header["uniforms"][-1]]})
    index = json.loads(bare[-2])["index"]
    extra = json.dumps({"j": length, "index": index})
    late = violated([more, *bare[1:-1], extra, json.dumps({"m": length + 1})])
    stopped = [v for v in (late.first,) if v is not None and v.field in {"stopping", "index"}]
    assert stopped
    assert stopped[0].line == length + 2


def test_indices_only_is_judged_for_its_end() -> None:
    names = ("u", "l", "phi", "p", "probabilities", "weight", "mid", "weights", "alphas", "beta")
    judgement = check_lines(without(trace(), "uniforms", *names))
    assert judgement.ruling is Ruling.CONFORMS
    assert set(judgement.coverage) == {*names, "uniforms"}
    assert set(judgement.checked) == {"stopping", "m"}


def test_a_wrong_pick_is_caught_and_a_near_one_is_undecided() -> None:
    lines = without(trace(), "u", "l", "phi", "p", "weight")
    first = json.loads(lines[1])
    header = json.loads(lines[0])
    index, ends = first["index"], []
    total = 0.0
    for p in first["probabilities"]:
        total += p
        ends.append(total)
    uniforms = header["uniforms"]
    near = json.dumps(header | {"uniforms": [ends[index], *uniforms[1:]]})
    judgement = check_lines([near, *lines[1:]])
    assert judgement.ruling is Ruling.CONFORMS
    assert judgement.undecided == {"index": 1}
    wrong = json.dumps(header | {"uniforms": [ends[index] + 1e-6, *uniforms[1:]]})
    assert violated([wrong, *lines[1:]]).first.field == "index"  # type: ignore[union-attr]


def test_a_point_of_probability_zero_is_never_picked() -> None:
    data = dataset([[0, 0], [1, 0], [0, 1]])
    lines = without(trace(data, "1/4"), "uniforms", "p", "weight", "weights", "alphas")
    judgement = violated(changed(lines, 2, index=0))
    assert judgement.first is not None
    assert "probability 0" in judgement.first.message


def test_low_precision_is_named_unless_declared() -> None:
    def rounded(x: Any) -> Any:
        if isinstance(x, list):
            return [rounded(y) for y in x]
        return float(f"{x:.6e}") if isinstance(x, float) else x

    lines = trace(probabilities=False)
    header = lines[0]
    coarse = [
        json.dumps({k: rounded(v) for k, v in json.loads(line).items()}) for line in lines[1:]
    ]
    judgement = violated([header, *coarse])
    assert judgement.diagnosis[0].mistake == "lower-precision"
    declared = json.dumps(json.loads(header) | {"precision": 20})
    assert check_lines([declared, *coarse]).ruling is Ruling.CONFORMS


def test_single_slip_is_seen_locally() -> None:
    """A wrong barrier at one step: later steps follow from what is reported, and are wrong."""
    lines = trace(probabilities=False)
    judgement = violated(changed(lines, 6, u=lambda x: x * 1.01))
    assert judgement.local is not None
    assert judgement.local.judged - judgement.local.followed <= 2


def test_m_is_judged() -> None:
    lines = trace()
    judgement = violated(changed(lines, len(lines) - 1, m=lambda m: m + 1))
    assert judgement.first is not None
    assert judgement.first.field == "m"
    assert judgement.diagnosis[0].mistake == "m-off-by-one"


@pytest.mark.parametrize("form", ["pretty", "json", "junit", "sarif", "markdown"])
def test_the_command_and_its_exit_codes(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, broken = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "broken"
    lines = trace()
    good.write_text("\n".join(lines))
    bad.write_text("\n".join(changed(lines, 3, weight=1.0)))
    broken.write_text("\n".join(lines[:-1]))
    assert execute(["check", str(good), "--format", form]) == 0
    capsys.readouterr()
    assert execute(["check", str(good), str(bad), "--format", form]) == 1
    text = capsys.readouterr().out
    assert "violates" in text or "first violation" in text or "failure" in text
    assert execute(["check", str(bad), str(broken), "--format", form]) == 2
    assert "the file is cut" in capsys.readouterr().out


def test_every_field_rests_on_a_claim_of_the_registry() -> None:
    assert set(SLUGS.values()) <= set(BY_SLUG)


def test_json_has_the_names_of_the_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join(changed(trace(), 3, phi=0.5)))
    execute(["check", str(bad), "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "violates"
    assert report["first"].keys() >= {"line", "j", "field", "reported", "lower", "upper", "slug"}
    assert report["checked"]["phi"] == report["m"]
    assert isinstance(report["coverage"], list)
    assert isinstance(report["diagnosis"], list)


def peak(look: Callable[[], object]) -> int:
    """The most that Python's objects take, in bytes."""
    tracemalloc.start()
    try:
        look()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_line_is_forgotten_once_it_is_judged() -> None:
    """Probabilities are nearly all of a trace, and nothing of them is kept."""
    rows = [[i % 7 - 3, i % 5 + 1] for i in range(80)]
    whole = [line.encode() for line in trace(dataset(rows), "1/40")]
    short = [line.encode() for line in without([x.decode() for x in whole], "probabilities")]
    dropped = sum(map(len, whole)) - sum(map(len, short))

    def lines(kept: list[bytes]) -> Iterator[bytes]:
        return (bytes(bytearray(line)) for line in kept)  # as if read from a file

    def check(kept: list[bytes]) -> None:
        assert check_source(lambda: lines(kept)).ruling is Ruling.CONFORMS

    check(whole)  # fills the caches
    more = peak(lambda: check(whole)) - peak(lambda: check(short))
    assert more < dropped / 5
    assert peak(lambda: list(lines(whole))) > dropped  # what a reader in memory would take


def test_what_is_absent_in_places_is_told() -> None:
    lines = [json.loads(line) for line in trace()]
    length = len(lines) - 2

    def coverage(change: Callable[[dict[str, Any]], dict[str, Any]]) -> set[str]:
        judgement = check_lines([json.dumps(change(dict(line))) for line in lines])
        assert judgement.ruling is Ruling.CONFORMS
        return set(judgement.coverage)

    def without(*names: str, where: Callable[[dict[str, Any]], bool]) -> set[str]:
        return coverage(
            lambda line: {k: x for k, x in line.items() if k not in names or not where(line)}
        )

    everywhere = coverage(lambda line: line)
    assert without("u", "l", where=bool) == everywhere | {"u", "l"}
    assert without("u", "l", where=lambda line: "m" in line) == everywhere | {
        "u (of the result)", "l (of the result)",
    }  # fmt: skip
    assert without("u", where=lambda line: "j" in line) == everywhere | {
        f"u (of {length} of {length} iterations)"
    }
    assert without("weight", where=lambda line: line.get("j", 0) > 0) == everywhere | {
        f"weight (of {length - 1} of {length} iterations)"
    }
    assert without("weight", where=lambda line: "j" in line) == everywhere | {"weight"}


def test_names_are_on_one_line_and_not_long() -> None:
    lines = trace()
    header = json.loads(lines[0]) | {"implementation": "a\nb\x1b" + "c" * 300}
    name = check_lines([json.dumps(header), *lines[1:]]).implementation
    assert name == "a?b?" + "c" * 196
    del header["implementation"]
    assert check_lines([json.dumps(header), *lines[1:]]).implementation is None


def test_exact_traces_decide_exactly() -> None:
    """A uniform 10^-30 below the first boundary: doubles may pick either point, rationals not."""
    data = dataset([[1], [1], [1]])
    below = Fraction(1, 3) - Fraction(1, 10**30)
    done = run(data, "1/3", arithmetic=EXACT, chooser=uniforms([below] * 9))
    right = list(trace_lines(done))
    judgement = check_lines(right)
    assert (judgement.ruling, judgement.undecided) == (Ruling.CONFORMS, {})
    wrong = list(trace_lines(run(data, "1/3", arithmetic=EXACT, chooser=Picks([1] * 9))))
    header = json.dumps(json.loads(wrong[0]) | {"uniforms": json.loads(right[0])["uniforms"]})
    judgement = check_lines([header, *wrong[1:]])
    assert judgement.first is not None
    assert judgement.first.field == "index"
    # With one rounded value the same picks are within the allowance.
    rounded = changed([header, *wrong[1:]], 1, u=6.0)
    judgement = check_lines(rounded)
    assert judgement.ruling is Ruling.CONFORMS
    assert judgement.undecided["index"] == judgement.length


def test_an_exact_stop_is_decided_to_many_bits() -> None:
    """r_1 = 1/5 at d = 1, gamma = 1/3: a level 10^-30 above it goes on, one below ends."""
    data = dataset([[1]])
    for offset, length in ((Fraction(1, 10**30), 2), (-Fraction(1, 10**30), 1)):
        rule = sure(Fraction(1, 5) + offset)
        done = run(data, "1/3", arithmetic=EXACT, chooser=Seed(1), stopping=rule)
        assert done.length == length
        lines = list(trace_lines(done))
        assert check_lines(lines).undecided == {}
        header = json.loads(lines[0]) | {"level": str(Fraction(1, 5) - offset)}
        judgement = check_lines([json.dumps(header), *lines[1:]])
        assert judgement.first is not None
        assert judgement.first.field == "stopping"
