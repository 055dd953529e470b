"""Every claim as a property, through the predicate that the audit uses."""

import re
from fractions import Fraction

import pytest
from hypothesis import Phase, find, given, settings, strategies

from asura_verify.auditing.tasks import judge
from asura_verify.claims import CLAIMS
from asura_verify.instances.step import StepInstance
from asura_verify.instances.strategies import BY_FAMILY, datasets, definite_matrices, gammas, steps
from asura_verify.registry.claim import Check, Claim, Statement
from asura_verify.report.mathematics import as_text
from tests.verification.report.test_mathematics import FORMULA, outside

#: Statements that are false come with a counterexample, or are refuted by their own check.
UNITS = [
    pytest.param(statement, check, id=f"{claim.slug}-{statement.key}-{check.name}")
    for claim in CLAIMS
    for statement in claim.statements
    if not statement.counterexamples and statement not in claim.steps
    for check in statement.checks
]


@pytest.mark.parametrize(("statement", "check"), UNITS)
@given(data=strategies.data())
def test_claim(statement: Statement, check: Check, data: strategies.DataObject) -> None:
    instance = data.draw(BY_FAMILY[check.family.name])
    if statement.admits(instance.parameters):
        judgement = judge(check, instance)
        assert judgement.verdict.holds, judgement.comparison


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.slug)
def test_counterexamples_refute(claim: Claim) -> None:
    for statement in claim.statements:
        for counterexample in statement.counterexamples:
            demonstration = counterexample.verify()
            assert demonstration.refutes.holds, counterexample.name
            assert demonstration.lines
            for line in demonstration.lines:
                assert not FORMULA.search(outside(line)), f"write it in TeX: {line}"
                assert not re.search(r"[\\{}$]", as_text(line)), line


@given(steps())
def test_drawn_states_lie_between_their_barriers(instance: StepInstance) -> None:
    assert instance.algorithm.within_barriers(instance.state).holds


@given(gammas())
def test_gammas_lie_in_range(gamma: Fraction) -> None:
    assert 0 < gamma < Fraction(1, 2)


def test_strategies_reach_the_corners() -> None:
    quick = settings(phases=[Phase.generate], max_examples=2000, database=None, derandomize=True)
    for corner in (
        lambda data: data.unlabelled == 0,
        lambda data: data.unlabelled == data.size,
        lambda data: data.dimension < data.width,
        lambda data: any(not any(row) for row in data.points),
        lambda data: len(set(data.points)) < data.size,
        lambda data: max(abs(x) for row in data.points for x in row) > 1000,
    ):
        find(datasets(), corner, settings=quick)


def test_failures_shrink_to_readable_numbers() -> None:
    quick = settings(phases=list(Phase), max_examples=500, database=None, derandomize=True)
    found = find(gammas(), lambda gamma: gamma > Fraction(1, 5), settings=quick)
    assert found == Fraction(1, 4)
    found_matrix = find(definite_matrices(2), lambda rows: rows[0][1] != 0, settings=quick)
    assert max(abs(x) for row in found_matrix for x in row) <= 4
