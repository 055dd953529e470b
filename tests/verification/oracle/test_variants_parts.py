"""The verdict on a variant's trace: from its judge, its precision and the accounts of its picks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import ctx

from asura.errors import NotATrace, Undecided
from asura.trace import FORMAT, HeaderLine, IterationLine, ResultLine
from asura_verify.oracle import variants
from asura_verify.oracle.judgement import Diagnosis, Judgement, Ruling, Violation
from asura_verify.oracle.kept import diagnosis, exact
from asura_verify.oracle.kept import judge as kept_judge
from asura_verify.oracle.variants import _judgement, is_variant, judged_variant

WRONG = Violation(2, 0, "phi", "1", "2", "3", 4.0, 5.0, "alg-potential", "no")


def header_of(**fields: Any) -> HeaderLine:
    known: dict[str, Any] = {"gamma": 0.25, "points": [[1], [1]], "unlabelled": 1}
    return HeaderLine(FORMAT, **(known | fields))


def test_what_a_variant_is() -> None:
    assert not is_variant(header_of())
    assert is_variant(header_of(rates="tight"))
    assert is_variant(header_of(variant="two-sided"))


class Session:
    def __init__(self, new: bool = True) -> None:
        self.new, self.commits = new, 0

    def commit(self) -> bool:
        self.commits += 1
        return self.new


def judge_of(**facts: Any) -> Any:
    known: dict[str, Any] = {
        "scheme": SimpleNamespace(slug="two-sided", words="the scheme", pool=1, ending="clip"),
        "violations": [], "remarks": ("as told",), "checked": {"phi": 4}, "vague": {},
        "precision": 24, "session": None, "doubted": 0.0, "header": header_of(implementation="it"),
        "undecided": {"p": 1}, "violated": 7, "wrong": {"phi": 7}, "worst": 0.5,
        "ratios": {"phi": 0.5}, "open_at": {5, 3}, "undetermined": False, "claims_exact": False,
        "doubtful": [],
        "allowance": SimpleNamespace(conditioning=SimpleNamespace(equilibrated=9.0)),
    }  # fmt: skip
    return SimpleNamespace(**(known | facts))


LINES: list[tuple[int, Any]] = [
    (2, IterationLine(j=0, index=0, u=0.0, phi=1.0)),
    (3, IterationLine(j=1, index=0, phi=1.0)),
    (4, ResultLine(m=2, mid=1.0)),
]


def said(**facts: Any) -> Judgement:
    return _judgement("it.jsonl", judge_of(**facts), LINES, 181)


def test_a_trace_that_conforms() -> None:
    found = said()
    assert (found.name, found.ruling, found.implementation) == ("it.jsonl", Ruling.CONFORMS, "it")
    assert found.remarks == ("judged as the scheme", "as told")
    assert (found.first, found.diagnosis, found.violations) == (None, (), 7)
    assert (found.checked, found.undecided, found.vague) == ({"phi": 4}, {"p": 1}, {})
    assert (found.wrong, found.worst, found.ratios) == ({"phi": 7}, 0.5, {"phi": 0.5})
    assert (found.precision, found.condition, found.bits, found.length) == (24, 9.0, 181, 2)
    assert found.open_at == (3, 5)
    absent = set(found.coverage)
    assert "phi" not in absent
    assert "mid" not in absent
    assert any(name.startswith("u") for name in absent)
    assert {"l", "p", "weight", "probabilities", "weights", "alphas", "uniforms"} <= {
        name.partition(" ")[0] for name in absent
    }
    given = said(header=header_of(uniforms=[0.5]))
    assert "uniforms" not in {name.partition(" ")[0] for name in given.coverage}


def test_a_trace_that_violates(monkeypatch: pytest.MonkeyPatch) -> None:
    named = (Diagnosis("a", "b", 2, True),)
    monkeypatch.setattr(diagnosis, "diagnosed", lambda *_given: named)
    found = said(violations=[WRONG, WRONG], vague={"phi": 4})
    assert found.ruling is Ruling.VIOLATES
    assert found.first is not None
    assert (found.first.slug, found.first.field) == ("two-sided", "phi")
    assert found.diagnosis == named
    assert "24 bits decide too little: most values of phi are open" in found.remarks


@pytest.mark.parametrize("error", [ZeroDivisionError, np.linalg.LinAlgError])
def test_a_violation_stands_without_an_explanation(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def broken(*_given: Any) -> None:
        raise error

    monkeypatch.setattr(diagnosis, "diagnosed", broken)
    found = said(violations=[WRONG])
    assert (found.ruling, found.diagnosis) == (Ruling.VIOLATES, ())


def test_a_trace_of_which_too_little_is_decided() -> None:
    found = said(vague={"phi": 3})
    assert found.ruling is Ruling.UNDECIDED
    assert found.remarks[-1] == "24 bits decide too little: most values of phi are open"
    assert said(vague={"phi": 2}).ruling is Ruling.CONFORMS


def test_which_picks_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_explained", lambda *_given: ())
    counted = Session()
    assert said(session=counted).remarks == ("judged as the scheme", "as told")
    assert counted.commits == 1
    assert [said(session=each).drawn for each in (Session(), Session(new=False), None)] == [2, 2, 0]
    assert said(session=Session(), doubted=2.0**-10).drawn == 0
    again = said(session=Session(new=False)).remarks[-1]
    assert again == "its picks count once: a trace before has the same"
    doubted = Session()
    assert said(session=doubted, doubted=2.0**-10).remarks[-1] == (
        "its picks do not count: probabilities may be off by 9.8e-04"
    )
    assert doubted.commits == 0
    assert len(said(session=Session(), doubted=2.0**-10 - 2.0**-40).remarks) == 2
    wrong = Session()
    assert said(session=wrong, violations=[WRONG]).drawn == 0
    assert wrong.commits == 0


def test_an_implementation_is_called_as_in_the_account_of_its_picks() -> None:
    assert said(header=header_of(implementation="a\nb" + "x" * 300)).implementation == (
        "a?b" + "x" * 197
    )
    assert said(header=header_of()).implementation is None


# -- the precision ---------------------------------------------------------------------------------


class Tried:
    """A judge that is undecided below so many bits."""

    def __init__(self, patch: pytest.MonkeyPatch, enough: int = 0, **facts: Any) -> None:
        self.bits: list[int] = []
        self.heard: list[Any] = []
        self.exact: list[Any] = []
        self.enough, self.facts = enough, facts
        patch.setattr(kept_judge, "VariantJudge", self._judge)
        patch.setattr(exact, "judge_exactly", lambda *given: self.exact.append(given))

    def _judge(self, header: HeaderLine) -> Any:
        self.bits.append(ctx.prec)
        if ctx.prec < self.enough:
            raise Undecided
        self.made = judge_of(header=header, **self.facts)
        self.made.iteration = lambda *given: self.heard.append(given)
        self.made.result = lambda *given: self.heard.append(given)
        return self.made

    def said(self, accounts: Any = None, **fields: Any) -> Judgement:
        return judged_variant("it", header_of(**fields), iter(LINES), accounts=accounts)


def test_more_bits_are_taken_until_they_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch, 1000)
    assert tried.said().bits == 181 * 8
    assert tried.bits == [181, 362, 724, 1448]
    assert tried.heard == LINES
    most = Tried(monkeypatch)
    most.said(precision=5000)
    assert most.bits == [2048 + 128]
    ceiling = Tried(monkeypatch, 8192)
    ceiling.said(precision=128)
    assert ceiling.bits == [256, 512, 1024, 2048, 4096, 8192]
    for precision, bits in ((128, 8192), (129, 4112)):
        never = Tried(monkeypatch, 9000)
        message = f"a value is undecided at {bits} bits: the data are too extreme"
        with pytest.raises(NotATrace, match=message):
            never.said(precision=precision)


@pytest.mark.parametrize(("wrong", "precision"), [(True, 128), (False, 128), (True, 129)])
def test_what_is_wrong_stays_so_when_a_later_value_is_undecided(
    monkeypatch: pytest.MonkeyPatch, wrong: bool, precision: int
) -> None:
    monkeypatch.setattr(variants, "_explained", lambda *_given: ())
    judges: list[Any] = []

    def judge(header: HeaderLine) -> Any:
        made = judge_of(header=header, violations=[WRONG] * wrong, halted=False, heard=[])

        def iteration(number: int, _line: Any) -> None:
            made.heard.append((number, made.halted))
            if not made.halted:
                raise Undecided

        made.iteration = iteration
        made.result = lambda number, _line: made.heard.append((number, "judged"))
        judges.append(made)
        return made

    monkeypatch.setattr(kept_judge, "VariantJudge", judge)

    def found() -> Judgement:
        return judged_variant("it", header_of(precision=precision), iter(LINES))

    if not wrong:
        with pytest.raises(NotATrace, match="too extreme"):
            found()
        return
    bits = 8192 if precision == 128 else 4112
    judgement = found()
    assert judgement.ruling is Ruling.VIOLATES
    assert judgement.remarks[-1] == f"not judged from line 2 on: undecided at {bits} bits there"
    # The lines after it are refused if they do not fit, and are not judged.
    assert [each.heard for each in judges[:-1]] == [[(2, False)]] * (len(judges) - 1)
    assert judges[-1].heard == [(2, False), (3, True)]


def test_values_that_claim_to_be_exact_are_judged_last(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Tried(monkeypatch, claims_exact=True)
    tried.said()
    assert tried.exact == [(tried.made, LINES)]
    monkeypatch.setattr(variants, "_explained", lambda *_given: ())
    for claims, wrong in ((False, []), (True, [WRONG])):
        other = Tried(monkeypatch, claims_exact=claims, violations=wrong)
        other.said()
        assert other.exact == []


def test_an_account_for_the_picks(monkeypatch: pytest.MonkeyPatch) -> None:
    """One place for every point of X_1, and one for the coin; none where the uniforms are given."""
    opened: list[tuple[int, int]] = []

    def accounts(places: int, pool: int) -> Any:
        opened.append((places, pool))
        return Session()

    tried = Tried(monkeypatch)
    tried.said(accounts)
    assert opened == [(1, 1)]
    assert isinstance(tried.made.session, Session)
    coin = SimpleNamespace(slug="two-sided", words="", pool=3, ending="coin")
    Tried(monkeypatch, scheme=coin).said(accounts)
    assert opened[1:] == [(4, 3)]
    given = Tried(monkeypatch)
    given.said(accounts, uniforms=[0.5])
    assert len(opened) == 2
    assert given.made.session is None


def test_a_variant_with_a_value_that_only_lossy_methods_explain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(diagnosis, "diagnosed", lambda *_given: ())
    doubts = ["p at j=3 is off", "u at j=4 is off"]
    found = said(doubtful=doubts)
    assert found.ruling is Ruling.UNDECIDED
    assert found.remarks[-2:] == tuple(
        f"{doubt}: wrong, or of a program that loses more digits" for doubt in doubts
    )
    found = said(doubtful=doubts, violations=[WRONG])
    assert found.ruling is Ruling.VIOLATES
    assert not any(remark.startswith("p at j=3") for remark in found.remarks)
