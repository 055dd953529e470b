"""NIST's certified digits, by exact arithmetic and decided rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest
from flint import fmpq_mat

from asura.algorithm1_regression import optimum
from asura.arithmetic import BallArithmetic
from asura.randomness import Seed
from asura.run import run
from asura.scalars import fraction, rational
from asura.trace import trace_lines
from asura_verify.instances.certified import (
    CertifiedSet,
    certified_data,
    certified_sets,
    root_rounds_to,
    rounds_to,
    significant,
    unit,
)
from asura_verify.oracle.check import check_lines


def every_digit(given: CertifiedSet) -> list[str]:
    """The certified numbers that exact arithmetic does not round to."""
    data = given.data
    beta, best = optimum(data)
    wrong = [
        text
        for value, text in zip(beta, given.coefficients, strict=True)
        if not (value.exact and rounds_to(value.midpoint, text))
    ]
    spread = best.midpoint / (data.size - data.dimension)
    rows = fmpq_mat([[rational(x) for x in row] for row in data.points])
    inverse = (rows.transpose() * rows).inv()
    if not root_rounds_to(spread, given.deviation):
        wrong.append(given.deviation)
    wrong += [
        text
        for k, text in enumerate(given.errors)
        if not root_rounds_to(spread * fraction(inverse[k, k]), text)
    ]
    return wrong


@pytest.mark.parametrize("given", certified_sets(), ids=lambda each: each.name)
def test_every_certified_digit(given: CertifiedSet) -> None:
    assert every_digit(given) == []


def test_all_sets_are_there() -> None:
    names = [each.name for each in certified_sets()]
    expected = [*(f"Wampler{k}" for k in range(1, 6)), "NoInt1", "NoInt2", "Longley"]
    assert names[:8] == expected
    assert ("Norris" in names) is (find_spec("scipy") is not None)
    longley = next(each for each in certified_sets() if each.name == "Longley")
    assert min(map(significant, longley.coefficients)) == 15


def test_a_digit_that_is_wrong_is_seen() -> None:
    for given in certified_sets():
        for place, text in enumerate(given.coefficients):
            off = Fraction(text) + unit(text)
            assert not rounds_to(off, text), (given.name, place)
    assert not root_rounds_to(Fraction(2), "1.5")
    assert root_rounds_to(Fraction(2), "1.41421356237310")
    assert not root_rounds_to(Fraction(2), "1.41421356237309")


def test_a_wrong_number_in_the_data_is_seen() -> None:
    longley = next(each for each in certified_sets() if each.name == "Longley")
    first, *rest = longley.data.labels
    labels = [(first or Fraction(0)) + 1, *rest]
    changed = replace(longley, data=replace(longley.data, labels=tuple(labels)))
    assert every_digit(changed)


def test_doubles_lose_digits_here() -> None:
    """NumPy's least squares on Wampler5 is off in the ninth digit at most, and off."""
    given = next(each for each in certified_sets() if each.name == "Wampler5")
    points = np.array(given.data.points, dtype=np.float64)
    labels = np.array([float(y or 0) for y in given.data.labels])
    beta = np.linalg.lstsq(points, labels, rcond=None)[0]
    assert not all(rounds_to(Fraction(float(b)), "1.00000000000000") for b in beta)


@pytest.mark.parametrize("name", dict(certified_data()))
def test_the_judge_takes_them(name: str) -> None:
    data = dict(certified_data(8))[name]
    done = run(data, "9/20", arithmetic=BallArithmetic(), chooser=Seed(1))
    judgement = check_lines(trace_lines(done), name)
    assert judgement.ruling.value == "conforms"
