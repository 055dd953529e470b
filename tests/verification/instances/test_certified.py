"""NIST's certified digits, by exact arithmetic and decided rounding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

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
    wampler = [f"Wampler{k}" for k in range(1, 6)]
    assert names == [*wampler, "NoInt1", "NoInt2", "Longley", "Filip", "Pontius", "Norris"]
    sizes = {each.name: (each.data.size, each.data.dimension) for each in certified_sets()}
    assert (sizes["Filip"], sizes["Pontius"], sizes["Norris"]) == ((82, 11), (40, 3), (36, 2))
    written = [each for each in certified_sets() if each.name not in wampler]
    digits = [significant(text) for each in written for text in each.coefficients]
    assert min(digits) == 15


def test_a_digit_that_is_wrong_is_seen() -> None:
    for given in certified_sets():
        for place, text in enumerate(given.coefficients):
            off = Fraction(text) + unit(text)
            assert not rounds_to(off, text), (given.name, place)
    assert not root_rounds_to(Fraction(2), "1.5")
    assert root_rounds_to(Fraction(2), "1.41421356237310")
    assert not root_rounds_to(Fraction(2), "1.41421356237309")


@pytest.mark.parametrize(
    ("name", "change"),
    [("Longley", "1"), ("Filip", "1e-12"), ("Pontius", "1e-14"), ("Norris", "1e-11")],
)
def test_a_wrong_number_in_the_data_is_seen(name: str, change: str) -> None:
    """The digits decide the data: a far smaller change than a misprint is seen."""
    given = next(each for each in certified_sets() if each.name == name)
    first, *rest = given.data.labels
    labels = [(first or Fraction(0)) + Fraction(change), *rest]
    changed = replace(given, data=replace(given.data, labels=tuple(labels)))
    assert every_digit(changed)


@pytest.mark.parametrize("name", ["Wampler5", "Filip", "Pontius", "Longley"])
def test_doubles_lose_digits_here(name: str) -> None:
    """NumPy's least squares does not round to the certified digits."""
    given = next(each for each in certified_sets() if each.name == name)
    points = np.array(given.data.points, dtype=np.float64)
    labels = np.array([float(y or 0) for y in given.data.labels])
    beta = np.linalg.lstsq(points, labels, rcond=None)[0]
    found = zip(beta, given.coefficients, strict=True)
    assert not all(rounds_to(Fraction(float(b)), text) for b, text in found)


@pytest.mark.parametrize("name", dict(certified_data()))
def test_the_judge_takes_them(name: str) -> None:
    data = dict(certified_data(8))[name]
    done = run(data, "9/20", arithmetic=BallArithmetic(), chooser=Seed(1))
    judgement = check_lines(trace_lines(done), name)
    assert judgement.ruling.value == "conforms"
