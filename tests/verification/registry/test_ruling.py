"""Verdicts follow from evidence, and only from it."""

from asura.verdict import HOLDS
from asura_verify.deciding.comparisons import CheckResult
from asura_verify.deciding.strength import Strength
from asura_verify.registry.claim import (
    Claim,
    Computation,
    Counterexample,
    Demonstration,
    Range,
    Relation,
    Statement,
)
from asura_verify.registry.evidence import Evidence, Finding
from asura_verify.registry.ruling import Word, rule, rule_claim

WIDE, NARROW = Range("gamma", 0, 1), Range("gamma", 0, "1/2")


def _evidence(
    finding: Finding,
    strength: Strength = Strength.EXACT,
    *,
    statement: str = "printed",
    source: str = "check",
    name: str = "some-check",
    instances: int = 5,
) -> Evidence:
    return Evidence("some-claim", statement, source, name, strength, finding, instances)


SUPPORT = _evidence(Finding.SUPPORTS)
REFUTE = _evidence(Finding.REFUTES)


def test_no_evidence_is_no_verdict() -> None:
    assert rule(Statement("printed", "text"), []).word is Word.MISSING
    vacuous = _evidence(Finding.SUPPORTS, instances=0)
    assert rule(Statement("printed", "text"), [vacuous]).word is Word.MISSING


def test_support_and_refutation() -> None:
    statement = Statement("printed", "text")
    assert rule(statement, [SUPPORT]).word is Word.HOLDS
    assert rule(statement, [SUPPORT, REFUTE]).word is Word.FALSE
    assert rule(statement, [_evidence(Finding.UNDECIDED), SUPPORT]).word is Word.UNDECIDED


def test_proof_against_counterexample_is_a_contradiction() -> None:
    proof = _evidence(Finding.SUPPORTS, Strength.SOLVER_PROVED, source="proof", name="p")
    statement = Statement("printed", "text", proved_by=("p",))
    assert rule(statement, [proof, REFUTE]).word is Word.CONTRADICTORY


def test_a_counterexample_that_fails_is_not_a_proof() -> None:
    broken = Counterexample("name", "instance", lambda: Demonstration(HOLDS, ()))
    statement = Statement("printed", "text", counterexamples=(broken,))
    assert rule(statement, [SUPPORT]).word is Word.UNDECIDED


def test_strength_is_the_weakest_campaign_or_the_whole_proof() -> None:
    certified = _evidence(Finding.SUPPORTS, Strength.CERTIFIED, name="runs")
    proof = _evidence(Finding.SUPPORTS, Strength.SOLVER_PROVED, source="proof", name="p")
    assert rule(Statement("a", "text"), [SUPPORT, certified]).strength is Strength.CERTIFIED
    half = Statement("a", "text", proved_by=("p", "q"))
    assert rule(half, [SUPPORT, proof]).strength is Strength.EXACT
    assert rule(half, [proof]).word is Word.MISSING
    whole = Statement("a", "text", proved_by=("p",))
    assert rule(whole, [SUPPORT, proof]).strength is Strength.SOLVER_PROVED


def test_a_part_of_a_proof_proves_nothing() -> None:
    part = _evidence(Finding.SUPPORTS, Strength.SOLVER_PROVED, source="part", name="p", instances=0)
    assert rule(Statement("a", "text", helped_by=("p",)), [part]).word is Word.MISSING


def test_a_solver_that_gives_up_leaves_it_open_unless_machine_checked() -> None:
    gave_up = _evidence(Finding.UNDECIDED, Strength.SOLVER_PROVED, source="part", name="p")
    theorem = _evidence(
        Finding.SUPPORTS, Strength.MACHINE_CHECKED, source="theorem", name="t", instances=1
    )
    statement = Statement("a", "text", helped_by=("p",), theorems=("t",))
    assert rule(statement, [SUPPORT, gave_up]).word is Word.UNDECIDED
    assert rule(statement, [SUPPORT, gave_up, theorem]).word is Word.HOLDS
    misbehaving = _evidence(Finding.UNDECIDED, name="runs")
    assert rule(statement, [theorem, misbehaving]).word is Word.UNDECIDED


def test_unproved_statements_stay_open_and_citations_are_called_so() -> None:
    assert rule(Statement("a", "text", unproved=True), [SUPPORT]).word is Word.UNDECIDED
    assert rule(Statement("a", "text", citation="somebody"), []).word is Word.CITED
    assert rule(Statement("a", "text", defines="it"), [SUPPORT]).word is Word.DEFINITION


def _claim(repaired: Statement, steps: tuple[Statement, ...] = ()) -> Claim:
    printed = Statement("printed", "text", conclusion="c", hypotheses=(WIDE,))
    return Claim("some-claim", "title", "where", printed, steps=steps, repaired=(repaired,))


def test_smaller_range_needs_the_same_conclusion_and_support() -> None:
    fix = Statement("fix", "text", conclusion="c", hypotheses=(NARROW,))
    other = Statement("fix", "text", conclusion="else", hypotheses=(NARROW,))
    supported = _evidence(Finding.SUPPORTS, statement="fix")
    assert rule_claim(_claim(fix), [REFUTE, supported]).printed.word is Word.SMALLER_RANGE
    assert rule_claim(_claim(other), [REFUTE, supported]).printed.word is Word.FALSE
    assert rule_claim(_claim(fix), [REFUTE]).printed.word is Word.FALSE


def test_misprint_needs_a_reading_that_holds() -> None:
    fix = Statement("fix", "text", relation=Relation.READING)
    supported = _evidence(Finding.SUPPORTS, statement="fix")
    assert rule_claim(_claim(fix), [REFUTE, supported]).printed.word is Word.MISPRINT
    assert rule_claim(_claim(fix), [REFUTE]).printed.word is Word.FALSE


def test_a_false_step_is_told() -> None:
    step = Statement("step", "text")
    claim = _claim(Statement("fix", "text"), (step,))
    refuted = _evidence(Finding.REFUTES, statement="step")
    assert rule_claim(claim, [SUPPORT, refuted]).printed.word is Word.STEP_FALSE


def test_an_unproved_statement_takes_a_computation_that_settles_it() -> None:
    def perform() -> tuple[CheckResult, str]:
        return CheckResult(HOLDS), ""

    def ruled(*evidence: Evidence, settles: bool = True) -> Word:
        computation = Computation("whole", perform, Strength.CERTIFIED, settles=settles)
        statement = Statement("printed", "text", computations=(computation,), unproved=True)
        return rule(statement, evidence).word

    done = _evidence(Finding.SUPPORTS, source="computation", name="whole", instances=1)
    open_ = _evidence(Finding.UNDECIDED, source="computation", name="whole", instances=1)
    assert ruled(SUPPORT, done) is Word.HOLDS
    assert ruled(SUPPORT, done, settles=False) is Word.UNDECIDED
    assert ruled(SUPPORT) is Word.UNDECIDED
    assert ruled(SUPPORT, open_) is Word.UNDECIDED
    assert ruled(SUPPORT, _evidence(Finding.SUPPORTS, name="whole")) is Word.UNDECIDED
