"""One step of K1 and K2, by the predicates of the audit: planted mistakes are caught.

The honest text is judged from any state in `tests/verification/claims/test_properties.py`.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from asura.dataset import dataset
from asura.errors import BarrierCrossed
from asura.kept.variants import Variant, one_sided, two_sided
from asura.stopping import sure
from asura_verify.claims.beyond import kept_steps as steps
from asura_verify.instances.kept import KeptStepInstance
from tests.reference.kept import mistakes

#: D = diag(4/5, 4/5, 1/5): two heavy directions and a light one.
SKEW = dataset([[2, 0, 0], [0, 2, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 2]], unlabelled=3)
PREDICATES = (steps.draws_are_unbiased, steps.barriers_are_kept, steps.bracket_falls)


def near_lower(variant: Variant, text: Any = None, share: Fraction = Fraction(1, 3)) -> Any:
    """A late state whose Q is small in every direction."""
    # Q is the shape itself (K2), or W (W + S)^-1 W for the gap W between the barriers (K1).
    size = variant.distance * (Fraction(1, 200) if variant.upper is None else 2000)
    shape = tuple(tuple(size * 5 * int(i == k) for k in range(3)) for i in range(3))
    return KeptStepInstance(SKEW, variant, variant.goal, shape, share, text)


def fails(instance: Any) -> set[str]:
    found = set()
    for predicate in PREDICATES:
        try:
            if predicate(instance).verdict.fails:
                found.add(predicate.__name__)
        except BarrierCrossed:
            found.add("barriers_are_kept")
    return found


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        (mistakes.TargetIsEverything, "bracket_falls"),
        (mistakes.PotentialOverAll, "draws_are_unbiased"),
        (mistakes.NormalisedWithK, "draws_are_unbiased"),
        (mistakes.SamplesX2, "draws_are_unbiased"),
        (mistakes.ForgottenClip, "draws_are_unbiased"),
        (mistakes.InverseProbability, "draws_are_unbiased"),
    ],
)
def test_planted_texts_are_caught(text: Any, caught: str) -> None:
    for variant in (two_sided(SKEW, "2/5", stopping=sure()), one_sided(SKEW, 6, "1/3")):
        assert fails(near_lower(variant)) == set()
        found = fails(near_lower(variant, text))
        assert caught in found or "draws_are_unbiased" in found


def test_planted_rates_are_caught() -> None:
    """A step of 2 nu/(1 - nu), or a lower barrier faster than D, raises the potential."""
    one = Fraction(1)
    right = one_sided(SKEW, 6, "1/3")
    for wrong in (replace(right, step=one), replace(right, lower=Fraction(3, 2))):
        assert fails(near_lower(wrong, share=one)) & {"bracket_falls", "barriers_are_kept"}
    papers = two_sided(SKEW, "2/5", stopping=sure())
    wrong = replace(papers, lower=one / (1 - 2 * Fraction(2, 5)))
    assert fails(near_lower(wrong, share=one)) & {"bracket_falls", "barriers_are_kept"}
