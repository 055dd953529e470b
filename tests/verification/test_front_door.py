"""`import asura_verify as verify`: four names, short reprs, nothing imported before its use."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import asura
import asura_verify as verify
from asura_verify.implementations.examples.harness import asura as answer
from asura_verify.implementations.examples.harness import lines
from asura_verify.oracle.judgement import Ruling
from asura_verify.registry.claim import UnknownClaim


def trace() -> list[str]:
    return list(asura.trace_lines(asura.sample(asura.data([[1], [2]]), gamma="1/4")))


def test_no_room_has_the_name_of_a_function() -> None:
    rooms = {module.name for module in pkgutil.iter_modules(verify.__path__)}
    assert rooms & set(verify.__all__) == {"claims"}  # the room that is itself the collection


def test_every_room_can_be_imported_first() -> None:
    code = (
        "import asura_verify.claims.length, asura_verify.auditing.perform\n"
        "import asura_verify.conforming.session, asura_verify as verify\n"
        "print(verify.claims['wald'].slug, verify.audit.__name__, verify.conform.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["wald", "audit", "conform"]


def test_check_takes_a_file_or_lines(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(trace()), encoding="utf-8")
    assert verify.check(path).verdict is verify.check(str(path)).verdict is Ruling.CONFORMS
    assert repr(verify.check(path)) == f"Judgement({path} conforms, m=9)"


def test_a_wrong_line_is_named_in_few_words() -> None:
    wrong = trace()
    wrong[3] = json.dumps(json.loads(wrong[3]) | {"weight": "7"})
    judgement = verify.check(wrong)
    assert judgement.verdict is Ruling.VIOLATES
    assert repr(judgement) == "Judgement(trace violates at line 4, weight: isolated-value)"


def test_check_needs_no_extra() -> None:
    heavy = ("z3", "sympy", "matplotlib")
    code = (
        "import sys, asura_verify as verify\n"
        "verify.check([])\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_claims_are_a_collection() -> None:
    assert verify.claims["wald"].slug == "wald"
    assert "wald" in verify.claims
    assert "nothing" not in verify.claims
    assert list(verify.claims) == [claim.slug for claim in verify.claims.CLAIMS]
    assert len(repr(verify.claims)) < 100
    with pytest.raises(UnknownClaim) as caught:
        verify.claims["nothing"]
    assert caught.value.value == "nothing"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        verify.nothing  # noqa: B018


def test_an_audit_answers_by_slug() -> None:
    done = verify.audit(["rr-ridge"], factor=0.01)
    assert done["rr-ridge"].printed.word.value == "holds"
    assert repr(done) == "Audit(1 'holds')"
    assert repr(done["rr-ridge"]) == "ClaimRuling(rr-ridge: 'holds')"
    with pytest.raises(UnknownClaim):
        done["wald"]


def test_a_program_that_is_wrong_is_told_so() -> None:
    def heavy(header: dict[str, Any]) -> list[dict[str, Any]]:
        made = answer(header)
        for step in made["iterations"]:
            step["weight"] *= 2
        return [*made["iterations"], made["result"]]

    assert verify.conform(lines, only=["random"], random=2).passed
    done = verify.conform(heavy, only=["random"], random=2)
    assert not done.passed
    assert done["random-0-1"].judgement.verdict is Ruling.VIOLATES
    assert repr(done).startswith("Conformance(0 of 2 cases conform, 2 violate; ")
    assert len(repr(done)) < 300
