"""The claims of the registry on traces: each is seen to fail, and none on a correct trace."""

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from flint import arb

from asura.arithmetic import EXACT, AnyArithmetic, BallArithmetic, DoubleArithmetic
from asura.arithmetic import MultiprecisionArithmetic as Multiprecision
from asura.dataset import Dataset, dataset, ridge
from asura.randomness import Seed
from asura.run import run
from asura.stopping import PAPER, StoppingRule, sure
from asura.trace import trace_lines
from asura_verify.claims import BY_SLUG
from asura_verify.deciding.numbers import at_most
from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import CORRECT
from asura_verify.oracle import check
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import ClaimView, Judgement, Ruling
from asura_verify.oracle.views.claims import SCOPES, ClaimJudge
from asura_verify.oracle.views.conjunction import Conjunction
from asura_verify.report.judgements import Judgements
from asura_verify.report.junit import junit
from asura_verify.report.markdown import markdown
from asura_verify.report.sarif import sarif
from asura_verify.report.sentences import pretty

SMALL = ridge([[1, 2], [3, -1], [0, 1], [2, 2]], "1/2")
Change = Callable[[Any], Any]


def trace(
    data: Dataset = SMALL,
    gamma: object = "1/5",
    *,
    arithmetic: AnyArithmetic | None = None,
    stopping: StoppingRule = PAPER,
) -> list[str]:
    done = run(
        data, gamma, arithmetic=arithmetic or DoubleArithmetic(), chooser=Seed(1), stopping=stopping
    )
    return list(trace_lines(done, probabilities=True))


def changed(lines: list[str], number: int, field: str, change: Change) -> list[str]:
    record = json.loads(lines[number])
    record[field] = change(record[field])
    place = number % len(lines)
    return [*lines[:place], json.dumps(record), *lines[place + 1 :]]


def without(lines: list[str], *names: str) -> list[str]:
    records = [json.loads(line) for line in lines]
    return [json.dumps({k: v for k, v in r.items() if k not in names}) for r in records]


def times(factor: float) -> Change:
    return lambda x: [y * factor for y in x] if isinstance(x, list) else x * factor


def moved(values: list[float]) -> list[float]:
    """Probability goes from X_1 to the ridge rows."""
    return [values[0] - 0.01, *values[1:-1], values[-1] + 0.01]


def verdicts(judgement: Judgement) -> dict[str, str]:
    return {slug: view.verdict for slug, view in judgement.claims.items()}


#: For every claim: line and field of a trace, and a change after which it cannot hold.
PLANTED: dict[str, tuple[int, str, Change]] = {
    "alg-potential": (5, "phi", times(1.001)),
    "probabilities-sum": (5, "probabilities", lambda x: [x[0] + 1e-9, *x[1:]]),
    "invariant": (5, "weight", times(100)),
    "rank-one-upper": (5, "weight", times(100)),
    "rank-one-lower": (5, "weight", times(100)),
    "potential-lower": (5, "phi", times(0.5)),
    "m-bound": (-1, "m", times(1000)),
    "stop-text": (5, "phi", times(1000)),
    "sampling-mass": (5, "probabilities", moved),
    "gap-final": (-1, "u", times(4)),
    "lm-positive": (-1, "l", times(1.0001)),
    "condition-number": (-1, "u", times(1.0001)),
    "spectral": (-1, "weights", times(3)),
    "sum-alpha": (-1, "alphas", times(1 + 1e-9)),
    "alpha-k": (-1, "alphas", times(1.5)),
    "well-balanced": (-1, "alphas", times(1.5)),
    "sure-stop": (-1, "u", times(0.9)),
    "identity-1": (5, "u", times(1.0001)),
    "identity-2": (-1, "mid", times(1.0001)),
    "identity-3": (-1, "u", times(4)),
    "identity-6": (5, "probabilities", lambda x: [x[0] / 10, *x[1:]]),
    "identity-8": (5, "phi", times(2)),
}


def test_every_claim_is_one_of_the_registry_and_is_planted() -> None:
    assert set(SCOPES) <= set(BY_SLUG)
    assert set(SCOPES) == set(PLANTED)


@pytest.mark.parametrize("slug", SCOPES)
def test_a_claim_fails_on_a_wrong_trace(slug: str) -> None:
    lines = trace(stopping=sure() if slug == "sure-stop" else PAPER)
    assert verdicts(check_lines(lines))[slug] == "holds"
    number, field, change = PLANTED[slug]
    judgement = check_lines(changed(lines, number, field, change))
    assert judgement.ruling is Ruling.VIOLATES
    view = judgement.claims[slug]
    assert view.verdict == "fails", judgement.claims
    assert view.line is not None
    assert view.line >= number % len(lines) + 1
    assert view.detail
    assert slug in judgement.failed


@pytest.mark.parametrize(
    "arithmetic",
    [DoubleArithmetic(), BallArithmetic(), Multiprecision(30)],
    ids=lambda a: a.name,
)
@pytest.mark.parametrize("stopping", [PAPER, sure(), sure("1/2")], ids=["paper", "sure", "half"])
def test_all_claims_hold_on_the_reference(
    arithmetic: AnyArithmetic, stopping: StoppingRule
) -> None:
    judgement = check_lines(trace(arithmetic=arithmetic, stopping=stopping))
    found = verdicts(judgement)
    other = {s for s, scope in SCOPES.items() if scope.rule not in (None, stopping.name)}
    assert {slug for slug, verdict in found.items() if verdict == "not applicable"} == other
    assert {slug for slug, verdict in found.items() if verdict == "holds"} == set(SCOPES) - other
    assert judgement.local is not None
    assert judgement.local.followed == judgement.local.judged == judgement.length


def test_an_exact_trace() -> None:
    judgement = check_lines(trace(dataset([[1], [2]]), "1/4", arithmetic=EXACT))
    assert judgement.ruling is Ruling.CONFORMS
    assert "fails" not in verdicts(judgement).values()
    assert verdicts(judgement)["sum-alpha"] == "holds"


@pytest.mark.parametrize("name", CORRECT)
def test_correct_implementations_are_never_accused(name: str) -> None:
    for seed in range(4):
        header = case(seed, dimension=2, decades=2.0 * (seed % 2), sure=seed == 3)
        judgement = check_lines(CORRECT[name](header, header["uniforms"]))
        assert judgement.ruling is Ruling.CONFORMS
        assert not judgement.failed
        assert judgement.local is not None
        assert judgement.local.followed == judgement.local.judged == judgement.length


def test_what_is_absent_is_not_applicable() -> None:
    bare = without(
        trace(), "u", "l", "phi", "p", "probabilities", "weight", "mid", "weights", "alphas"
    )
    judgement = check_lines(bare)
    assert judgement.local is None
    assert {s for s, v in verdicts(judgement).items() if v != "not applicable"} == {"m-bound"}
    assert judgement.claims["sum-alpha"].detail == "needs alphas"
    partial = verdicts(check_lines(without(trace(), "weight", "weights")))
    assert partial["invariant"] == partial["spectral"] == "not applicable"
    assert partial["potential-lower"] == partial["alpha-k"] == "holds"


def test_few_bits_leave_claims_undecided_and_never_fail_them() -> None:
    lines = trace()
    coarse = [json.dumps(json.loads(lines[0]) | {"precision": 8}), *lines[1:]]
    judgement = check_lines(coarse)
    assert judgement.ruling is Ruling.UNDECIDED
    assert not judgement.failed
    assert verdicts(judgement)["invariant"] == "undecided"
    view = judgement.claims["potential-lower"]
    assert view.undecided == view.places == judgement.length


def test_the_spectrum_from_the_weights_of_the_iterations() -> None:
    lines = without(trace(), "weights")
    assert verdicts(check_lines(lines))["spectral"] == "holds"
    judgement = check_lines(changed(lines, 5, "weight", times(100)))
    assert verdicts(judgement)["spectral"] == "fails"


def test_a_stop_near_its_bound_lets_no_claim_about_the_end_fail() -> None:
    conjunction = Conjunction()
    conjunction.enter(at_most(arb(2), arb(1)), 9, None, "m", arb(2), arb(1))
    assert conjunction.view().verdict == "fails"
    view = conjunction.view(doubt="near")
    assert (view.verdict, view.detail) == ("undecided", "near; m: 2.0000000 against 1.0000000")


def test_a_claim_that_fails_alone_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """No trace gets there, since a failure implies a wrong value; the ruling would follow."""
    failing = {"sum-alpha": ClaimView("fails", 1, 0, 31, None, "sum of alpha")}
    monkeypatch.setattr(ClaimJudge, "views", lambda _: failing)
    judgement = check.check_lines(trace())
    assert judgement.ruling is Ruling.VIOLATES
    assert judgement.first is not None
    assert (judgement.first.slug, judgement.first.line) == ("sum-alpha", 31)
    assert "1 fails: sum-alpha at line 31" in pretty([judgement])


def test_every_format_shows_the_claims_and_the_local_view() -> None:
    good = check_lines(trace(), "good")
    bad = check_lines(changed(trace(), -1, "alphas", times(1 + 1e-9)), "bad")
    both = Judgements([good, bad])
    text = pretty([good])
    assert f"{good.length} of {good.length} steps follow from the reported state; claims" in text
    assert "claims: 21 hold" in text
    assert "\n" not in text
    text = pretty([bad])
    line = next(x for x in text.splitlines() if "claims:" in x)
    assert line.strip() == "claims:   19 hold, 2 fail: sum-alpha at line 31 and 1 more"
    assert len(line) < 80
    root = Xml.fromstring(junit(both))  # noqa: S314
    names = {x.get("name") for x in root.iter("testcase")}
    assert {f"claim {slug}" for slug in SCOPES} <= names
    suites = {x.get("name"): x for x in root.iter("testsuite")}
    assert (suites["good"].get("failures"), suites["good"].get("skipped")) == ("0", "1")
    assert suites["bad"].get("failures") == str(len(list(suites["bad"].iter("failure")))) == "3"
    (result,) = json.loads(sarif(both))["runs"][0]["results"]  # one mistake
    assert "sum-alpha: sum of alpha" in result["message"]["text"]
    lines = markdown(both).splitlines()
    assert lines[0] == "**1 of 2 traces conform, 1 violates**"
    rows = [line for line in lines if line.startswith("| ")]
    assert "21 hold" in rows[2]
    assert "sum-alpha at line 31" in rows[3]
