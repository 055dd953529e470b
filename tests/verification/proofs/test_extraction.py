"""The checker extracted from the proofs: of these sources, and of one mind with `asura check`."""

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.arithmetic import EXACT, DoubleArithmetic
from asura.dataset import Dataset, dataset
from asura.randomness import Seed
from asura.run import run
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.conforming.vectors.model import load
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

FOLDER = Path(__file__).parents[3] / "proofs_notes" / "coq" / "extraction"
EXTRACTED = ("asura_checker.mli", "asura_checker.ml")
SOURCES = (*EXTRACTED, "reader.ml", "steps.ml", "checker.ml")


def test_the_stored_extraction_is_that_of_these_sources() -> None:
    """`make extract` makes it anew; here its sources and the result are held to their hashes."""
    lines = (FOLDER / "extracted.sha256").read_text("utf-8").splitlines()
    named = {name: digest for digest, name in (line.split() for line in lines)}
    assert {"../SpecModel.v", "Extract.coq", *EXTRACTED} <= set(named)
    for name, digest in named.items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built in a folder of its own."""
    finder = shutil.which("ocamlfind")
    if finder is None:
        pytest.skip("no ocamlfind: the extracted checker was not built and not compared")
    query = subprocess.run([finder, "query", "zarith"], capture_output=True, check=False)
    if query.returncode:
        pytest.skip("no zarith: the extracted checker was not built and not compared")
    folder = tmp_path_factory.mktemp("checker")
    for name in SOURCES:
        shutil.copy(FOLDER / name, folder)
    command = [finder, "ocamlopt", "-w", "-a", "-package", "zarith", "-linkpkg", *SOURCES]
    subprocess.run([*command, "-o", "checker"], cwd=folder, check=True)
    return folder / "checker"


def written(lines: list[str], folder: Path) -> Path:
    path = folder / "trace.jsonl"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def asked(checker: Path, *arguments: str | Path) -> tuple[int, str]:
    """The exit code, and what was said; no exception reaches the outside."""
    done = subprocess.run([checker, *arguments], capture_output=True, check=False, text=True)
    assert done.returncode in {0, 1, 2, 3}
    assert "exception" not in done.stdout + done.stderr
    return done.returncode, (done.stdout + done.stderr).replace(f"{arguments[-1]}: ", "")


def accepted(checker: Path, lines: list[str], folder: Path) -> bool:
    code, said = asked(checker, written(lines, folder))
    assert code in {0, 1}, said
    return code == 0


def test_both_accept_the_exact_vectors(checker: Path, tmp_path: Path) -> None:
    exact = [v for group in load() for v in group.vectors if "exact" in v.flags]
    assert len(exact) >= 2
    for vector in exact:
        assert accepted(checker, vector.lines, tmp_path), vector.name
        assert check_lines(vector.lines).ruling is Ruling.CONFORMS


def mistakes(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """One value a tenth too large, or by 1e-30 of itself; or an iteration missing."""
    records: list[dict[str, Any]] = [json.loads(line) for line in lines]
    place = 1 + len(lines) // 3
    for field in ("u", "l", "phi", "p", "weight"):
        for name, relative in (("gross", Fraction(1, 10)), ("fine", Fraction(1, 10**30))):
            value = Fraction(records[place][field]) * (1 + relative)
            changed = records[place] | {field: str(value)}
            yield f"{name} {field}", [*lines[:place], json.dumps(changed), *lines[place + 1 :]]
    yield "gross m", [*lines[:-2], json.dumps({"m": len(lines) - 3})]


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (dataset([[1, 2], [3, 1], [0, 1]]), PAPER),
        (dataset([[3], [-1], ["1/2"], ["1/2"]]), sure("1/2")),
        (dataset([[1, 0], [1, 1], [0, 1]], squared_scales=[1, 2, "1/7"]), PAPER),
    ],
    ids=["plain", "line", "scaled"],
)
def test_both_refuse_mistakes(
    checker: Path, tmp_path: Path, data: Dataset, rule: StoppingRule
) -> None:
    done = run(data, "2/5", arithmetic=EXACT, chooser=Seed(3), stopping=rule)
    lines = list(trace_lines(done, probabilities=True))
    assert accepted(checker, lines, tmp_path)
    assert check_lines(lines).ruling is Ruling.CONFORMS
    for name, changed in mistakes(lines):
        assert not accepted(checker, changed, tmp_path), name
        if name.startswith("gross"):
            assert check_lines(changed).ruling is Ruling.VIOLATES, name


#: What no step says: when to stop, and what is made of the weights.
ENDING = ("stopping", "mid", "weights", "alphas", "beta")
FAULT = re.compile(r"line (\d+), field `(\w+)`: ")


def stepwise(
    checker: Path, allowance: str, lines: list[str], folder: Path
) -> tuple[int, int | None, str]:
    """The exit code, and the first line and field that are refused."""
    code, said = asked(checker, "--steps", allowance, written(lines, folder))
    found = FAULT.match(said)
    return (code, None, "") if found is None else (code, int(found[1]), found[2])


def test_steps_and_the_oracle_name_the_same_line_of_all_vectors(
    checker: Path, tmp_path: Path
) -> None:
    """Of vectors that conform, of the museum of mistakes, of what is malformed."""
    caught = passed = 0
    for vector in (vector for group in load() for vector in group.vectors):
        variant = "variant" in vector.flags or any(
            f'"{word}"' in "".join(vector.lines[:1]) for word in ("variant", "rates")
        )
        if variant or sum(map(len, vector.lines)) > 15_000:  # wider data take the checker longer
            continue
        judged = check_lines(vector.lines)
        code, line, field = stepwise(checker, "1e-5", vector.lines, tmp_path)
        if field == "points" or judged.ruling is Ruling.MALFORMED:
            assert code == (3 if field == "points" else 2), vector.name
        elif judged.first is None or (judged.first.field.startswith(ENDING) and not field):
            assert (code, line) in {(0, None), (3, None)}, vector.name
            passed += code == 0
        else:
            assert (code, line) == (1, judged.first.line), vector.name
            caught += 1
    assert caught >= 50
    assert passed >= 40


def wrong_values(lines: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Values of the first iterations, of one further on and of the result's state, a millionth
    too large, one after the other."""
    for place in (1, 2, len(lines) // 2, len(lines) - 1):
        record: dict[str, Any] = json.loads(lines[place])
        for field in ("u", "l", "phi", "p", "probabilities", "weight"):
            if field not in record:
                continue
            values = record[field]
            wrong: object
            if isinstance(values, list):
                wrong = [*values[:-1], values[-1] * (1 + 1e-6)]
            else:
                wrong = values * (1 + 1e-6)
            changed = json.dumps(record | {field: wrong})
            yield place + 1, field, [*lines[:place], changed, *lines[place + 1 :]]


@pytest.mark.parametrize(
    "data",
    [
        dataset([[1, 2], [3, 1], [0, 1]]),
        dataset([[1, 0, 2], [1, 1, 0], [0, 1, 1], [2, 1, 5]], squared_scales=[1, 2, "1/7", 3]),
    ],
    ids=["plain", "scaled"],
)
def test_steps_refuse_each_wrong_value_where_it_stands(
    checker: Path, tmp_path: Path, data: Dataset
) -> None:
    done = run(data, "1/3", arithmetic=DoubleArithmetic(), chooser=Seed(5))
    lines = list(trace_lines(done, probabilities=True))
    assert stepwise(checker, "1e-12", lines, tmp_path) == (0, None, "")
    for line, field, changed in wrong_values(lines):
        assert stepwise(checker, "1e-12", changed, tmp_path) == (1, line, field)
        judged = check_lines(changed)
        assert judged.first is not None
        assert judged.first.line == line, field
        code, at, _ = stepwise(checker, "1e-3", changed, tmp_path)
        assert (code, at) == (0, None), "an allowance beyond the mistake"


def exact_run() -> list[str]:
    data = dataset([[1, 2], [3, 1], [0, 1]])
    done = run(data, "2/5", arithmetic=EXACT, chooser=Seed(3))
    return list(trace_lines(done, probabilities=True))


def with_values(line: str, **values: object) -> str:
    """A line with other values; those that are None are left out."""
    record = json.loads(line) | values
    return json.dumps({name: value for name, value in record.items() if value is not None})


def test_steps_say_what_a_wrong_line_has_wrong(checker: Path, tmp_path: Path) -> None:
    """A state outside its barriers, an index that the uniform does not pick, m."""
    lines = exact_run()

    def said(place: int, **values: object) -> str:
        changed = [*lines]
        changed[place] = with_values(lines[place], **values)
        code, text = asked(checker, "--steps", "0", written(changed, tmp_path))
        assert code == 1
        return text

    assert "line 4, field `u`: the recorded state is not strictly below it" in said(3, u=0)
    assert "line 4, field `l`: the recorded state is not strictly above it" in said(3, l=5)
    other = (json.loads(lines[2])["index"] + 1) % 3
    assert said(2, index=other).startswith("line 3, field `index`: the uniform picks another point")
    assert said(-1, m=99).startswith(f"line {len(lines)}, field `m`: 99, and the iterations are ")


def test_states_that_are_not_recorded_are_not_accepted(checker: Path, tmp_path: Path) -> None:
    """Without u, l or an earlier weight there is no state; what is recorded is judged."""
    lines = exact_run()
    for field, unjudged in (("u", 1), ("l", 1), ("weight", len(lines) - 4)):
        changed = [*lines]
        changed[2] = with_values(lines[2], **{field: None})
        code, said = asked(checker, "--steps", "0", written(changed, tmp_path))
        assert (code, said) == (3, f"undecided (lines without a state: {unjudged})\n")
        changed[1] = with_values(lines[1], phi="1/3")
        assert stepwise(checker, "0", changed, tmp_path) == (1, 2, "phi")


def test_numbers_are_read_exactly(checker: Path, tmp_path: Path) -> None:
    """Hexadecimal floats of any length, decimals and rationals; numbers of JSON as binary64."""
    lines = exact_run()
    assert json.loads(lines[1])["u"] == "10"
    tiny = "0" * 30 + "1"

    def code(text: str) -> int:
        changed = [lines[0], lines[1].replace('"u":"10"', f'"u":{text}'), *lines[2:]]
        return stepwise(checker, "0", changed, tmp_path)[0]

    for text in ("10", '"0xA"', '"0x1.4p3"', '"+100e-1"', '"20/2"', '" 10. "', f"10.{tiny}"):
        assert code(text) == 0, text
    for text in (f'"10.{tiny}"', f'"0xa.{tiny}"', f'"{10**31 + 1}/{10**30}"', "-10"):
        assert code(text) == 1, text
    for text in ('"1/0"', '"inf"', '"undef"', '"0b1"', '"1_0"', '""', '"-"', '"."', '"1e"', "[1]"):
        assert code(text) == 2, text
    for text in (
        '"1e999999"',
        '"1e99999999999999999999"',
        "1e400",
        "true",
        "{}",
        "NaN",
        "1-1",
        "+10",
        ".1",
        "010",
        "-",
    ):
        assert code(text) == 2, text


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        (0, '"gamma":"2/5"', '"gamma":"3/5"', "`gamma`: 3/5, expected a number between 0 and 1/2"),
        (0, '"gamma":"2/5",', "", "`gamma`: missing, expected its value"),
        (0, "[3,1]", "[3]", "`points`: a row of 1 numbers, expected 2"),
        (0, "[3,1]", "3", "`points`: 3, expected a list"),
        (0, "[[1,2],[3,1],[0,1]]", "[]", "`points`: empty, expected rows of numbers"),
        (0, "[[1,2],[3,1],[0,1]]", "[[0],[0]]", "`points`: only 0, expected a point besides"),
        (0, '"unlabelled":3', '"unlabelled":-1', "`unlabelled`: -1, expected a number of {0, 1,"),
        (0, '"unlabelled":3', '"unlabelled":4', "`unlabelled`: 4, expected at most 3"),
        (0, '"unlabelled":3', '"unlabelled":03', "03, expected a number of JSON"),
        (0, '"unlabelled"', '"\\u001b\x1b"', "`\\\\u001b\\027`: unknown, expected only format"),
        (0, '"unlabelled"', '"squared_scales":[1],"unlabelled"', "1 numbers, expected 3"),
        (0, '"unlabelled"', '"squared_scales":[1,-1,1],"unlabelled"', "-1, expected a number of"),
        (0, '"unlabelled"', '"rates":"tight","unlabelled"', '`rates`: "tight", expected "paper"'),
        (0, '"unlabelled"', '"stopping":"late","unlabelled"', '"late", expected "paper" or "sure"'),
        (0, '"uniforms":[', '"uniforms":[2,', "`uniforms`: 2, expected a number of [0, 1)"),
        (2, '"j":1', '"j":2', "`j`: 2, expected 1"),
        (2, '"index":', '"index":3', "expected less than 3"),
        (2, '"u":', '"v":', "`v`: unknown, expected only j, index, u"),
        (2, '"phi":', '"u":"1","phi":', "`u`: repeated, expected once"),
        (2, "}", "", "not JSON, character"),
        (2, "{", "[" * 3 + "{", "not JSON, character"),
        (-1, '"m":', '"n":', "`n`: unknown, expected only m"),
    ],
)
def test_what_is_no_trace_is_named_in_one_line(
    checker: Path, tmp_path: Path, place: int, old: str, new: str, said: str
) -> None:
    """In both ways to ask: where, what, and what was expected; exit code 2."""
    lines = exact_run()
    assert old in lines[place]
    lines[place] = lines[place].replace(old, new)
    path = written(lines, tmp_path)
    number = place + 1 if place >= 0 else len(lines)
    for arguments in ([path], ["--steps", "0", path]):
        code, text = asked(checker, *arguments)
        assert code == 2
        assert text.startswith(f"cannot be read: line {number}: ")
        assert said in text
        assert text.count("\n") == 1


def test_arguments_and_files_that_cannot_be_used(checker: Path, tmp_path: Path) -> None:
    lines = exact_run()
    path = written(lines, tmp_path)
    for allowance in ("1", "-1", "x", "", "1/0"):
        code, said = asked(checker, "--steps", allowance, path)
        assert code == 2
        assert said == f"EPS: {allowance}, expected a number of [0, 1): 0, 1e-9, 1/1000\n"
    for arguments in ([], ["--steps"], ["--steps", "0"]):
        done = subprocess.run([checker, *arguments], capture_output=True, check=False, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith("usage: checker TRACE...")
    for missing in (tmp_path / "none.jsonl", tmp_path):
        assert asked(checker, missing)[0] == 2
    for few in ([], lines[:1], lines[:-1]):
        code, said = asked(checker, written(few, tmp_path / "."))
        assert code == 2
        assert "expected a" in said
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"[" * 10_000_000)
    assert asked(checker, cut)[0] == 2


def test_the_worst_of_several_traces_counts(checker: Path, tmp_path: Path) -> None:
    """Unreadable before refused, refused before undecided."""
    lines = exact_run()
    texts = {
        "right": lines,
        "undecided": [*lines[:2], with_values(lines[2], u=None), *lines[3:]],
        "refused": [*lines[:2], with_values(lines[2], phi=1), *lines[3:]],
        "cut": lines[:-1],
    }
    paths = []
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        paths.append(written(text, tmp_path / name))
    for count, expected in ((1, 0), (2, 3), (3, 1), (4, 2)):
        assert asked(checker, "--steps", "0", *paths[:count])[0] == expected
