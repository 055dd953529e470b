"""A level belongs to the rule `sure`: with the paper's, nobody uses it, and the judge says so."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from asura_verify.implementations import kept_textbook, textbook
from asura_verify.implementations.cases import case
from asura_verify.implementations.examples import harness
from asura_verify.implementations.exhibit import Exhibit, Implementation
from asura_verify.implementations.kept_cases import KINDS, kept_case
from asura_verify.implementations.kept_methods import KEPT_METHODS
from asura_verify.implementations.methods import METHODS
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling

PAPER = case(1, sure=False) | {"gamma": 0.3}
KEPT = kept_case(0, kind=KINDS[0]) | {"gamma": 0.3}
Lines = list[dict[str, Any]]


def _answers(run: Implementation, header: dict[str, Any]) -> Lines:
    lines = attempt(run, header)
    assert lines is not None
    return [json.loads(line) for line in lines[1:]]


@pytest.mark.parametrize("name", ["textbook", *METHODS])
def test_no_method_uses_the_level_of_the_papers_rule(name: str) -> None:
    run = {"textbook": textbook.run, **METHODS}[name]
    assert _answers(run, PAPER | {"level": 3}) == _answers(run, PAPER)
    sure = PAPER | {"stopping": "sure"}
    assert _answers(run, sure | {"level": 1}) == _answers(run, sure)
    assert len(_answers(run, sure | {"level": 0.5})) < len(_answers(run, sure))


@pytest.mark.parametrize("name", ["textbook", *KEPT_METHODS])
def test_no_method_of_the_variants_does(name: str) -> None:
    run = {"textbook": kept_textbook.run, **KEPT_METHODS}[name]
    assert _answers(run, KEPT | {"level": 3}) == _answers(run, KEPT)
    sure = KEPT | {"stopping": "sure"}
    assert _answers(run, sure | {"level": 1}) == _answers(run, sure)
    assert len(_answers(run, sure | {"level": 0.5})) < len(_answers(run, sure))


def test_the_examples_do_not(tmp_path: Path) -> None:
    with_level = PAPER | {"level": 3}
    assert harness.lines(with_level) == harness.lines(PAPER)
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source = Path(harness.__file__).parent / "asura.c"
    program = tmp_path / "asura"
    subprocess.run([compiler, "-O2", "-o", program, source, "-lm"], check=True)
    requests = [{"cmd": "run", "seq": 1, "header": header} for header in (with_level, PAPER)]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    answers = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    first, second = answers.stdout.splitlines()
    assert json.loads(first) == json.loads(second)
    assert json.loads(first)["result"]["m"] > 0


@pytest.mark.parametrize("header", [PAPER, KEPT], ids=["asura", "two-sided"])
def test_the_judge_does_not_and_says_so(header: dict[str, Any]) -> None:
    run = kept_textbook.run if "variant" in header else textbook.run
    plain = check_lines(run(header, header["uniforms"]))
    told = check_lines(run(header | {"level": 3}, header["uniforms"]))
    assert plain.ruling is told.ruling is Ruling.CONFORMS
    assert told.checked == plain.checked
    (remark,) = set(told.remarks) - set(plain.remarks)
    assert remark.startswith("level 3 has no effect")


def test_who_uses_it_violates() -> None:
    """The planted mistake: the bound of the sure rule with the clock of the paper's."""
    chosen = 'float(header.get("level", 1)) if header.get("stopping") == "sure" else 1.0'
    wrong = Exhibit("level-with-paper", ((chosen, 'float(header.get("level", 1))'),))
    header = PAPER | {"level": 1.25, "uniforms": PAPER["uniforms"] * 4}
    judged = check_lines(wrong.run(header, header["uniforms"]))
    assert judged.ruling is Ruling.VIOLATES
    assert judged.first is not None
    assert (judged.first.field, judged.first.message[:8]) == ("stopping", "too late")
