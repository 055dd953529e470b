"""Mistakes are planted, and the right claim notices."""

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.dataset import dataset
from asura.formulas import largest_theta
from asura.kept import bounds
from asura.main_failure import MAIN_FAILURE, failure_on_a_range
from asura.stopping import sure
from asura_verify import claims
from asura_verify.auditing import baseline, tasks
from asura_verify.auditing.executors import executor
from asura_verify.auditing.perform import audit
from asura_verify.auditing.tasks import judge
from asura_verify.claims import beyond
from asura_verify.claims.beyond import sharper
from asura_verify.deciding.strength import Strength
from asura_verify.instances.run import RunInstance
from asura_verify.instances.tree import TreeInstance
from asura_verify.proofs.standing import Development
from asura_verify.registry.claim import Check, Origin
from asura_verify.registry.ruling import Word

_SPECIFICATION = importlib.util.spec_from_file_location(
    "planted_mistakes", Path(__file__).with_name("mutants.py")
)
assert _SPECIFICATION is not None
assert _SPECIFICATION.loader is not None
mutants = importlib.util.module_from_spec(_SPECIFICATION)
sys.modules["planted_mistakes"] = mutants
_SPECIFICATION.loader.exec_module(mutants)

CHECKS = {
    check.name: check
    for claim in claims.CLAIMS
    for statement in claim.statements
    if statement not in claim.steps
    for check in statement.checks
}

#: At d = 1 a run is a path, however wrong the sampler is: quick to follow.
LINE = dataset([[1], [1], [2]], unlabelled=2, labels=[1, -1, 3])
GAMMA = Fraction(1, 5)
#: Where P(Gamma) is not 1 for trivial reasons.
SMALL = {"event", "event-sharp", "upper"}


def _instances(check: Check) -> list[Any]:
    family = check.family.name
    if check.name in SMALL:
        return [TreeInstance(LINE, Fraction(1, 200))]
    by_hand: dict[str, list[Any]] = {
        "trees": [TreeInstance(LINE, GAMMA)],
        "sure-trees": [TreeInstance(LINE, GAMMA, sure(1), horizon=400)],
        "runs": [RunInstance(LINE, GAMMA, seed) for seed in range(2)],
        "sure-runs": [RunInstance(LINE, GAMMA, 0, sure(1))],
    }
    if family in by_hand:
        return by_hand[family]
    # The trees of a broken sampler are large.
    count = 8 if family.endswith("sided-trees") or family == "paper-rule-trees" else 20
    return [check.family.instance(0, index) for index in range(count)]


def test_every_check_has_a_planted_mistake() -> None:
    assert set(mutants.NOTICED) == set(CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_check_fails_on_a_mistake(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check = CHECKS[name]
    if name not in SMALL:
        honest = [judge(check, instance) for instance in _instances(check)]
        assert all(judgement.verdict.holds for judgement in honest)
        assert any(judgement.applies for judgement in honest)
    mutants.MUTANTS[mutants.NOTICED[name]].plant(monkeypatch)
    judgements = [judge(check, instance) for instance in _instances(check)]
    assert any(judgement.verdict.fails and judgement.comparison for judgement in judgements)


def test_a_computation_fails_on_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    constants = claims.find("main").statement("constants").computations
    experiment = claims.find("bias").printed.computations[0]
    in_one_dimension = next(each for each in constants if each.name == "one-dimension")
    assert in_one_dimension.perform()[0].verdict.holds
    assert experiment.perform()[0].verdict.holds
    with monkeypatch.context() as patch:
        mutants.MUTANTS["very late stop"].plant(patch)
        assert in_one_dimension.perform()[0].verdict.fails
    with monkeypatch.context() as patch:
        mutants.MUTANTS["wrong loss"].plant(patch)
        assert experiment.perform()[0].verdict.fails


def test_a_counterexample_notices_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    counterexample = claims.find("lower-bound").printed.counterexamples[0]
    assert counterexample.verify().refutes.holds
    mutants.MUTANTS["wrong loss"].plant(monkeypatch)
    assert counterexample.verify().refutes.fails


def test_what_a_theorem_proves_is_only_tried_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "development", lambda: Development(problem="no build"))
    proved = [claim for claim in beyond.CLAIMS if claim.printed.theorems]
    with executor(1) as pool:
        result = audit(proved, pool, factor=0.01)
    for ruling in result.rulings:
        assert ruling.printed.word is Word.HOLDS, ruling.claim.slug
        assert ruling.printed.strength is not None
        assert ruling.printed.strength < Strength.SOLVER_PROVED
    lost = {change.slug for change in baseline.changes(result.rulings, baseline.read())}
    assert lost == {claim.slug for claim in proved}


def test_every_claim_has_been_seen_to_fail() -> None:
    # Where nothing but numbers is computed, the numbers themselves are tested elsewhere.
    by_other_means = {"main", "bias", "lower-bound", "main-15", "main-13", *COMPUTED}
    for claim in claims.CLAIMS:
        checked = any(
            check.name in mutants.NOTICED
            for statement in claim.statements
            for check in statement.checks
        )
        assert checked or claim.slug in by_other_means, claim.slug


#: Tables: with a stricter entry the computation must fail.
COMPUTED = {"constants", "near-optimal"}


def test_a_table_fails_when_a_bound_is_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the noise of the one-sided variant is a hundredth larger."""
    original = bounds.one_sided_noise
    monkeypatch.setattr(bounds, "one_sided_noise", lambda *a: original(*a) * 101 / 100)
    for slug in COMPUTED:
        assert claims.find(slug).printed.computations[0].perform()[0].verdict.fails


def test_the_main_theorems_fail_with_a_smaller_constant() -> None:
    assert failure_on_a_range(13) <= MAIN_FAILURE < failure_on_a_range(12)
    assert failure_on_a_range(15, kept=True) <= MAIN_FAILURE < failure_on_a_range(14, kept=True)


def _changed(slugs: tuple[str, ...]) -> set[str]:
    # The families of the field are small, and their instances cheap.
    factor = 0.05 if all(claims.find(slug).origin is Origin.FIELD for slug in slugs) else 0.01
    with executor(1) as pool:
        result = audit(claims.selected(list(slugs)), pool, factor=factor)
    return {change.slug for change in baseline.changes(result.rulings, baseline.read())}


@pytest.mark.parametrize("mutant", mutants.SAMPLERS, ids=lambda mutant: mutant.name)
def test_one_wrong_constant_fails_the_audit(mutant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant.plant(monkeypatch)
    assert _changed(mutant.noticed_by) == set(mutant.noticed_by)


def test_correct_sampler_passes() -> None:
    slugs = tuple(dict.fromkeys(slug for each in mutants.SAMPLERS for slug in each.noticed_by))
    assert _changed(slugs) == set()


def test_trees_of_the_plane_see_a_larger_theta(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trees at d = 2 hold with the theta of the claims, and fail with eight times as much."""
    computations = [
        computation
        for claim in sharper.CLAIMS
        for statement in claim.statements
        for computation in statement.computations
        if computation.name.endswith("-plane")
    ]
    assert [c.name for c in computations] == ["theta-labels-plane", "tail-theta-plane"]
    assert all(c.perform()[0].verdict.holds for c in computations)
    monkeypatch.setattr(sharper, "largest_theta", lambda gamma: 8 * largest_theta(gamma))
    assert all(c.perform()[0].verdict.fails for c in computations)
