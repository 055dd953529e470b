"""The fourth verdict in every format, and picks that overrule a verdict."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from asura_verify.cli.check import with_picks
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.report.formats import Format, written
from asura_verify.report.judgements import Judgements

VAGUE = Judgement(
    "some.jsonl", Ruling.UNDECIDED, "mine", checked={"u": 6, "phi": 4}, vague={"phi": 3}, length=4,
    coverage=("uniforms",), remarks=("24 bits decide too little: most values of phi are open",),
)  # fmt: skip


@pytest.mark.parametrize("form", list(Format))
def test_every_format_tells_what_is_undecided(form: Format) -> None:
    text = written(Judgements([VAGUE]), form)
    assert "undecided" in text or "decides too little" in text
    assert "conforms" not in text.replace("0 of 1 traces conform", "")
    if form is Format.JSON:
        facts = json.loads(text)
        assert (facts["verdict"], facts["decided"], facts["vague"]) == (
            "undecided",
            0.7,
            {"phi": 3},
        )
    elif form is Format.PRETTY:
        assert "70 % of the values decided" in text


def test_biased_picks_overrule() -> None:
    biased: Any = SimpleNamespace(implementation="mine", biased=True, sentence="mine: biased")
    fair: Any = SimpleNamespace(implementation="mine", biased=False, sentence="mine: fair")
    good = Judgement("a", Ruling.CONFORMS, "mine", coverage=("uniforms",))
    given = Judgement("b", Ruling.CONFORMS, "mine")  # its uniforms decided its picks
    other = Judgement("c", Ruling.CONFORMS, "other", coverage=("uniforms",))
    broken = Judgement("d", Ruling.MALFORMED, "mine", coverage=("uniforms",))
    before = [good, VAGUE, given, other, broken]
    after = [judgement.ruling for judgement in with_picks(before, [biased])]
    assert after == ["violates", "violates", "conforms", "conforms", "malformed"]
    assert with_picks(before, [fair]) == before
    assert "biased" in with_picks([good], [biased])[0].remarks[-1]
