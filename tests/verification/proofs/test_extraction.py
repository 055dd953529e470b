"""The checker extracted from the proofs: of these sources, and of one mind with `asura check`."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.arithmetic import EXACT
from asura.dataset import Dataset, dataset
from asura.randomness import Seed
from asura.run import run
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.conforming.vectors.model import load
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

FOLDER = Path(__file__).parents[3] / "proofs_notes" / "coq" / "extraction"
SOURCES = ("asura_checker.mli", "asura_checker.ml", "checker.ml")


def test_the_stored_extraction_is_that_of_these_sources() -> None:
    """`make extract` makes it anew; here its sources and the result are held to their hashes."""
    lines = (FOLDER / "extracted.sha256").read_text("utf-8").splitlines()
    named = {name: digest for digest, name in (line.split() for line in lines)}
    assert {"../SpecModel.v", "Extract.coq", *SOURCES[:2]} <= set(named)
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


def accepted(checker: Path, lines: list[str], folder: Path) -> bool:
    path = folder / "trace.jsonl"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    done = subprocess.run([checker, path], capture_output=True, check=False)
    assert done.returncode in {0, 1}, done.stdout
    return done.returncode == 0


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
