"""Make the vectors: right traces from rigorous balls, wrong ones from the museum."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from asura.algorithm1_regression import active_regression
from asura.arithmetic import EXACT, BallArithmetic
from asura.command_line import Done
from asura.dataset import Dataset, dataset, kernel_ridge
from asura.randomness import Seed, uniforms
from asura.run import run
from asura.scalars import Enclosure, rational, write_scalar
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.conform.cases import boundary
from asura_verify.museum.exhibits import EXHIBITS, Exhibit
from asura_verify.museum.survey import attempt, instance, rightly
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.report import SLUGS
from asura_verify.vectors.many_digits import Hashed, implementation
from asura_verify.vectors.model import FLAGS, FORMAT, Group, Vector, encoded, manifest_of

#: Digits of the right traces and the bits that they declare, and the bits of the wrong ones.
DIGITS, BITS = 30, 96
WRONG_BITS = 30
#: The instance of a mistake, where it is not the first one.
_SEEDS = {
    "barriers-without-dimension": 1,
    "stop-one-late": 1,
    "index-from-one": 1,
    "picks-uniform": 1,
    "picks-leverage": 1,
    "picks-rooted": 1,
    "picks-stale": 4,
    "picks-never-last": 1,
}

_BASIC = {"one-dimension", "two-dimensions", "identity", "six-dimensions", "sixteen-dimensions"}
_SLUGS = sorted({SLUGS[field] for field in ("u", "phi", "p", "weight", "stopping", "weights")})


def decimal(value: Fraction, digits: int) -> str:
    """A number rounded to some decimal digits.

    >>> decimal(Fraction(1, 3), 5)
    '0.33333'
    """
    with ctx.workprec(4 * digits + 64):
        return str(arb(rational(value)).str(digits, radius=False))


def _data(header: dict[str, Any]) -> Dataset:
    return dataset(
        header["points"],
        unlabelled=header["unlabelled"],
        squared_scales=header.get("squared_scales"),
        labels=header.get("labels"),
    )


def right_trace(
    data: Dataset, gamma: object, numbers: list[float], rule: StoppingRule
) -> list[str]:
    """A trace from balls, every number a string."""
    done = run(
        data, gamma, arithmetic=BallArithmetic(256), chooser=uniforms(numbers), stopping=rule
    )
    fit = active_regression(data, Done(done))

    def text(value: Enclosure) -> str:
        return decimal(value.midpoint, DIGITS)

    header = json.loads(next(iter(trace_lines(done))))
    header |= {"precision": BITS, "implementation": "asura-reference vectors"}
    header["gamma"] = write_scalar(done.gamma)
    header["points"] = [[write_scalar(x) for x in row] for row in data.points]
    header["uniforms"] = [write_scalar(Fraction(r)) for r in numbers[: done.length]]
    if "squared_scales" in header:
        header["squared_scales"] = [write_scalar(c) for c in data.squared_scales]
    header["labels"] = [write_scalar(y or Fraction(0)) for y in data.labels]
    if "level" in header:
        header["level"] = write_scalar(Fraction(header["level"]))
    steps = [
        {
            "j": step.iteration,
            "index": step.index,
            "u": text(step.upper),
            "l": text(step.lower),
            "phi": text(step.potential),
            "p": text(step.probability),
            "weight": text(step.weight),
        }
        for step in done.steps()
    ]
    result = {
        "m": done.length,
        "u": text(done.upper),
        "l": text(done.lower),
        "mid": text(done.mid),
        "weights": [text(w) for w in done.weights],
        "alphas": [text(a) for a in done.alphas],
        "beta": [text(b) for b in fit.enclosures],
    }
    return [json.dumps(x, separators=(",", ":")) for x in (header, *steps, result)]


def valid_vectors() -> Iterator[Vector]:
    """The boundary cases, and kernel ridge regression."""
    for case in boundary():
        if case.name == "gamma-small":
            continue  # long, and nothing new
        header = case.header
        rule = sure(header["level"]) if header.get("stopping") == "sure" else PAPER
        lines = right_trace(_data(header), header["gamma"], header["uniforms"], rule)
        kind = "stopping-sure" if rule is not PAPER else "boundary"
        flag = "basic" if case.name in _BASIC else kind
        yield Vector(case.name, case.meaning, [flag], _SLUGS, "conforms", None, lines)
    kernel = kernel_ridge(
        [["2", "1", "0"], ["1", "2", "1"], ["0", "1", "2"]], "1/3", labels=[1, 2, 4]
    )
    numbers = boundary()[1].header["uniforms"]
    yield Vector(
        "kernel", "kernel ridge regression", ["boundary"], [*_SLUGS, "kernel-is-ssar"],
        "conforms", None, right_trace(kernel, "1/4", numbers * 3, PAPER),
    )  # fmt: skip


def exact_vectors() -> Iterator[Vector]:
    """Exact rational runs."""
    cases: tuple[tuple[str, list[list[object]], str, int], ...] = (
        ("exact-one-dimension", [[1], [2], ["-1/3"]], "1/3", 1),
        ("exact-two-dimensions", [[1, 0], [0, 1], [1, 1]], "9/20", 2),
    )
    for name, points, gamma, seed in cases:
        data = dataset(points, labels=[1, 2, 4])
        done = run(data, gamma, arithmetic=EXACT, chooser=Seed(seed))
        fit = active_regression(data, Done(done))
        lines = list(trace_lines(done, regression=fit, probabilities=True))
        yield Vector(name, "exact rationals", ["exact"], _SLUGS, "conforms", None, lines)


def wrong_trace(exhibit: Exhibit) -> list[str]:
    """The trace of a mistake: hashes and integer arithmetic, no double of any machine."""
    seed = _SEEDS.get(exhibit.mistake, 0)
    header = instance(exhibit, seed, Hashed(seed))
    lines = attempt(implementation(exhibit), header) or []
    keep = header["uniforms"][: len(lines) - 1]
    first = header | {"precision": WRONG_BITS, "uniforms": keep}
    rest = [json.loads(line) for line in lines[1:]]
    rest = [{k: v for k, v in record.items() if k != "probabilities"} for record in rest]
    return [json.dumps(x, separators=(",", ":")) for x in (first, *rest)]


def wrong_vector(exhibit: Exhibit) -> Vector:
    """A trace in which the mistake is named before all others."""
    text = wrong_trace(exhibit)
    judgement = check_lines(text)
    if judgement.first is None or rightly(exhibit, judgement) != "first":
        raise LookupError(f"{exhibit.mistake}: not named first, give it another seed")
    return Vector(
        f"mistake-{exhibit.mistake}",
        judgement.diagnosis[0].explanation,
        ["mistake"],
        [judgement.first.slug],
        "violates",
        exhibit.mistake,
        text,
    )


def malformed_vectors() -> Iterator[Vector]:
    """What is no trace."""
    good = right_trace(dataset([[1], [2]], labels=[1, 2]), "1/4", [0.5] * 20, PAPER)

    def vector(name: str, comment: str, lines: list[str]) -> Vector:
        return Vector(f"malformed-{name}", comment, ["malformed"], [], "malformed", None, lines)

    def header(old: str, new: str) -> list[str]:
        changed = good[0].replace(old, new)
        if changed == good[0]:
            raise LookupError(old)
        return [changed, *good[1:]]

    yield vector("empty", "nothing", [])
    yield vector("no-result", "the file is cut", good[:-1])
    yield vector("cut-line", "the last line is cut", [*good[:-1], good[-1][:-9]])
    yield vector("no-header", "the header is missing", good[1:])
    yield vector("two-headers", "a second header", [good[0], *good])
    yield vector("after-result", "lines after the result", [*good, good[-1]])
    yield vector("skipped-iteration", "j jumps", [*good[:2], *good[3:]])
    yield vector(
        "repeated-key", "a key twice", header('"unlabelled":2', '"unlabelled":2,"unlabelled":2')
    )
    yield vector(
        "unknown-field", "a field that is none", header('"unlabelled":2', '"unlabelled":2,"x":1')
    )
    yield vector("other-format", "another format", header("asura-trace/1", "asura-trace/9"))
    yield vector("gamma-half", "gamma must be below 1/2", header('"gamma":"1/4"', '"gamma":0.5'))
    yield vector("gamma-nan", "NaN is no number", header('"gamma":"1/4"', '"gamma":"nan"'))
    yield vector(
        "gamma-infinite", "infinity is no number", header('"gamma":"1/4"', '"gamma":1e999')
    )
    yield vector("huge-exponent", "1e999999999", header('"gamma":"1/4"', '"gamma":"1e999999999"'))
    yield vector("rank-zero", "all points are zero", header('[["1"],["2"]]', '[["0"],["0"]]'))
    yield vector("ragged", "rows of different length", header('[["1"],["2"]]', '[["1"],["2","3"]]'))
    yield vector(
        "uniform-one", "a uniform must be below 1", header('"uniforms":["1/2"', '"uniforms":["1"')
    )
    yield vector(
        "index-too-large",
        "no such point",
        [good[0], good[1].replace('"index":1', '"index":2'), *good[2:]],
    )
    yield vector("not-json", "text", [*good[:2], "u = 8", *good[3:]])


def groups(exhibits: tuple[Exhibit, ...] = EXHIBITS) -> Iterator[Group]:
    """All groups, made anew."""
    made = (
        ("valid", "rigorous balls of 256 bits, rounded to 30 digits", valid_vectors()),
        ("exact", "exact rational arithmetic", exact_vectors()),
        ("malformed", "a correct trace, damaged", malformed_vectors()),
        (
            "mistakes",
            "the museum's wrong implementations, in 60 digits",
            (wrong_vector(e) for e in exhibits),
        ),
    )
    for name, provenance, vectors in made:
        found = list(vectors)
        used = sorted({flag for vector in found for flag in vector.flags})
        yield Group(FORMAT, name, provenance, {flag: FLAGS[flag] for flag in used}, found)


def files() -> dict[str, bytes]:
    """The files of the package, made anew."""
    found = list(groups())
    made = {f"{group.group}.json": encoded(group) for group in found}
    counts = {f"{group.group}.json": len(group.vectors) for group in found}
    return {**made, "manifest.json": encoded(manifest_of(made, counts))}
