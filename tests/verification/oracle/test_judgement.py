"""What is said about a trace: four verdicts, what was decided, and the words of the contract."""

from __future__ import annotations

from typing import Any

import pytest

from asura_verify import claims
from asura_verify.oracle.judgement import (
    IN_ITERATIONS,
    IN_RESULT,
    OPTIONAL,
    SLUGS,
    ClaimView,
    Diagnosis,
    Judgement,
    Ruling,
    Violation,
    hardly_decided,
)

WRONG = Violation(9, 3, "phi", "1", "2", "3", None, 0.0, "alg-potential", "no")


def said(ruling: Ruling = Ruling.CONFORMS, **facts: Any) -> Judgement:
    return Judgement("it.jsonl", ruling, **facts)


def test_the_words_of_the_contract() -> None:
    assert [ruling.value for ruling in Ruling] == [
        "conforms", "violates", "malformed", "undecided",
    ]  # fmt: skip
    in_lines = {"u", "l", "phi", "p", "probabilities", "weight"}
    in_result = {"mid", "weights", "alphas", "beta"}
    assert set(IN_ITERATIONS) == in_lines
    assert set(IN_RESULT) == {"u", "l"}
    assert set(OPTIONAL) == in_lines | in_result | {"uniforms"}
    assert set(SLUGS) == in_lines | in_result | {"stopping", "m", "index", "whitening"}


def test_every_field_rests_on_a_claim() -> None:
    known = {claim.slug for claim in claims.CLAIMS}
    assert set(SLUGS.values()) <= known
    assert SLUGS["stopping"] == SLUGS["m"] == "m-bound"
    assert SLUGS["u"] == SLUGS["l"] == "invariant"
    assert SLUGS["phi"] == SLUGS["whitening"] == "alg-potential"


@pytest.mark.parametrize(
    ("checked", "vague", "names"),
    [
        ({"p": 4}, {"p": 2}, ()),
        ({"p": 4}, {"p": 3}, ("p",)),
        ({"p": 1}, {"p": 1}, ("p",)),
        ({"p": 1, "u": 9}, {"u": 5, "p": 0}, ("u",)),
        ({}, {"beta": 1}, ("beta",)),
        ({}, {"beta": 0}, ()),
    ],
)
def test_fields_of_which_hardly_anything_is_decided(
    checked: dict[str, int], vague: dict[str, int], names: tuple[str, ...]
) -> None:
    assert hardly_decided(checked, vague) == names


def test_which_share_was_decided() -> None:
    assert said().decided == 1.0
    assert said(checked={"u": 6, "p": 2}, vague={"p": 2}).decided == 0.75
    assert said(checked={"u": 2}, vague={"u": 1}).decided == 0.5


def test_a_judgement_in_one_line() -> None:
    found = Diagnosis("mid-gap", "", 9, True)
    assert repr(said(length=7)) == "Judgement(it.jsonl conforms, m=7)"
    assert repr(said(Ruling.UNDECIDED, length=7)) == "Judgement(it.jsonl is undecided, m=7)"
    assert repr(said(Ruling.MALFORMED, fault="cut")) == "Judgement(it.jsonl is malformed: cut)"
    assert repr(said(Ruling.VIOLATES, first=WRONG)) == "Judgement(it.jsonl violates at line 9, phi)"
    assert repr(said(Ruling.VIOLATES, first=WRONG, diagnosis=(found, found))) == (
        "Judgement(it.jsonl violates at line 9, phi: mid-gap)"
    )


def test_what_a_judgement_says_if_nothing_is_said() -> None:
    plain = said()
    assert plain.verdict is Ruling.CONFORMS
    assert (plain.violations, plain.worst, plain.bits, plain.length) == (0, 0.0, 0, 0)
    assert (plain.precision, plain.condition, plain.accepted) == (53, 1.0, False)
    view = ClaimView("holds")
    assert (view.places, view.undecided) == (0, 0)


def test_the_claims_that_fail() -> None:
    views = {name: ClaimView(name) for name in ("holds", "fails", "undecided", "not applicable")}
    assert said(claims=views).failed == {"fails": views["fails"]}


def test_the_command_that_reproduces_it() -> None:
    assert said().command == "asura check it.jsonl"
    assert Judgement("a b", Ruling.CONFORMS).command == "asura check 'a b'"
    assert said(again="asura conform").command == "asura conform"


def test_no_value_is_open_twice() -> None:
    found = Judgement("it", Ruling.UNDECIDED, checked={"p": 3, "u": 3}, vague={"p": 9, "x": 2})
    assert found.decided == 0.5
