"""Relations by hand and on whole traces: the right ones pass, and a few roundings more do not."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from asura.trace import IterationLine, ResultLine
from asura_verify.implementations.cases import case
from asura_verify.implementations.correct import CORRECT
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Judgement, Ruling
from asura_verify.oracle.views.relations import Exact, Relations

UNIT = fmpq(1, 2**53)


class Hearing:
    """Remembers what was compared: the field, the error in units of the bound, and the bound."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, fmpq, fmpq]] = []
        self.opened: list[tuple[str, int]] = []

    def compare(
        self,
        line: int,
        j: int | None,
        field: str,
        given: fmpq,
        expected: fmpq,
        bound: fmpq,
        relation: str,
        *,
        place: int | None = None,
    ) -> bool:
        assert relation
        assert line > 0
        self.heard.append((field if place is None else f"{field}[{place}]", expected, bound))
        return bool(abs(given - expected) <= bound)

    def leave_open(self, field: str, many: int = 1) -> None:
        self.opened.append((field, many))


def relations(gamma: Fraction = Fraction(1, 4), level: Fraction | None = None) -> Relations:
    """d = 1, two points: u_0 = 8, Phi_0 = 1/4, rates 1/2 and 1/6."""
    return Relations(gamma, 1, 2, 53, level)


def line(j: int = 0, **fields: Any) -> IterationLine:
    return IterationLine(j=j, index=0, **fields)


def test_the_start_and_the_first_step() -> None:
    tied, court = relations(), Hearing()
    first = Exact.of(line(u=8.0, l=-8.0, phi=0.25))
    assert tied.barriers(court, 2, 0, first) == {"u": True, "l": True}
    assert court.heard == [("u", fmpq(8), 8 * tied.off(4)), ("l", fmpq(-8), 8 * tied.off(4))]
    tied.remember(first)
    court.heard.clear()
    second = Exact.of(line(1, u=10.0, l=-22 / 3, phi=0.3))
    assert tied.barriers(court, 3, 1, second) == {"u": True, "l": True}
    (_, upper, above), (_, lower, below) = court.heard
    assert (upper, lower) == (fmpq(10), fmpq(-22, 3))
    assert above == 2 * tied.off(5) + 10 * tied.off(8)
    assert below == fmpq(2, 3) * tied.off(5) + 10 * tied.off(8)


@pytest.mark.parametrize("ulps", [1, 8, 60, -60])
def test_a_barrier_that_is_off(ulps: int) -> None:
    """u_1 = 10: 10 ulps of the increment 2 and 80 of the sum, 2^-53 each."""
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
    off = Exact(fmpq(10) + 2 * ulps * UNIT, None)
    assert tied.barriers(court, 3, 1, off) == {"u": abs(ulps) < 45}


def test_a_slip_is_one() -> None:
    """After a wrong u both who goes on from it and who does not is right; others are not."""
    for after, right in ((12, True), (13, True), (14, False)):
        tied, court = relations(), Hearing()
        tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
        slip = Exact.of(line(1, u=11.0, phi=0.25))
        assert tied.barriers(court, 3, 1, slip) == {"u": False}
        assert tied.corrected == {"u": fmpq(10)}
        tied.remember(slip)
        assert tied.barriers(court, 4, 2, Exact(fmpq(after), None)) == {"u": right}
        assert tied.corrected == ({} if right else {"u": fmpq(13)})


def test_what_is_absent_or_wrong_ties_nothing() -> None:
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0)))
    assert tied.barriers(court, 3, 1, Exact.of(line(1, u=9.0, l=-7.0))) == {}
    assert tied.clock(Exact.of(line(1, u=9.0, l=-7.0))) is None
    tied = relations()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25, p=0.5, weight=2.0)), {"phi"})
    assert tied.barriers(court, 3, 1, Exact.of(line(1, u=9.0, l=-7.0))) == {}
    assert tied.weights == [fmpq(2)]
    tied.remember(Exact.of(line(1, phi=0.25, p=0.5, weight=3.0)), {"weight"})
    assert len(tied.weights or ()) == 0
    assert court.heard == []


def test_the_clock() -> None:
    for level, bound, value in (
        (None, fmpq(32), fmpq(65, 4)),
        (Fraction(1, 2), fmpq(24), fmpq(16)),
    ):
        tied = relations(level=level)
        tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25)))
        found = tied.clock(Exact.of(line(1, u=9.0, l=-7.0)))
        assert found is not None
        assert (found.bound, found.value) == (bound, value)
        elapsed = fmpq(1, 4) if level is None else fmpq(0)
        assert found.error == elapsed * tied.off(5) + 16 * tied.off(4) + bound * tied.off(6)


def test_weight_phi_p() -> None:
    """gamma/(phi p) = 2 with 6 roundings."""
    for off, right in ((fmpq(0), True), (11 * UNIT, True), (13 * UNIT, False)):
        tied, court = relations(), Hearing()
        record = line(phi=0.25, p=0.5)
        now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + off)
        assert tied.chances(court, 2, record, now, 0.0) == {"weight": right}
        (_, expected, bound) = court.heard[0]
        assert expected == 2
        assert 2 * tied.off(6) < bound < 2 * tied.off(7)


def test_who_normalises_does_so_always() -> None:
    """Off by 2^-40 where 2^-30 is the defect: in most steps granted, in few not."""
    for wrong, steps, accused in ((1, 3, 1), (2, 4, 2), (3, 4, 0), (4, 4, 0)):
        tied, court = relations(), Hearing()
        for j in range(steps):
            off = fmpq(1, 2**40) if j < wrong else fmpq(0)
            now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + off)
            tied.chances(court, 2 + j, line(j), now, 2.0**-30)
        court.heard.clear()
        remarks = tied.settle(court)
        assert len(court.heard) == accused
        assert bool(remarks) is (accused == 0)
        assert court.opened == []


def test_a_defect_that_hides_a_gross_mistake_leaves_open() -> None:
    for defect, opened in ((2.0**-5, []), (2.0**-4, [("weight", 3)])):
        tied, court = relations(), Hearing()
        for j in range(3):
            now = Exact(None, None, fmpq(1, 4), fmpq(1, 2), 2 + fmpq(1, 2**10))
            tied.chances(court, 2 + j, line(j), now, defect)
        tied.settle(court)
        assert court.opened == opened


def test_sums_and_lists() -> None:
    tied, court = relations(), Hearing()
    record = line(p=0.5, probabilities=[0.5, 0.5 + 2.0**-50])
    assert tied.chances(court, 2, record, Exact.of(record), 0.0) == {"p": True}
    (field, expected, bound), (other, listed, _) = court.heard
    assert (field, expected, other, listed) == ("probabilities", fmpq(1), "p", fmpq(1, 2))
    assert tied.off(6) < bound < tied.off(8)


def test_the_result() -> None:
    """u = 10, l = -22/3 after one step: mid = 4/3, weight 2, gamma/phi = 1."""
    tied, court = relations(), Hearing()
    tied.remember(Exact.of(line(u=8.0, l=-8.0, phi=0.25, p=0.5, weight=2.0)))
    result = ResultLine(m=1, u=10.0, l="-22/3", mid="4/3", weights=["3/2"], alphas=["3/4"])
    assert tied.result(court, 3, result, Exact.of(result)) == {
        "mid": set(),
        "weights": {0},
        "alphas": {0},
    }
    found = {field: (expected, bound) for field, expected, bound in court.heard}
    assert found["mid"] == (fmpq(4, 3), 10 * tied.off(2) + fmpq(4, 3) * tied.off(3))
    assert found["weights[0]"][0] == fmpq(3, 2)
    assert tied.off(8) < found["weights[0]"][1] / fmpq(3, 2) < tied.off(9)
    assert found["alphas[0]"][0] == found["alphas"][0] == fmpq(3, 4)
    assert found["alphas"][1] < 400 * UNIT


# -- whole traces --------------------------------------------------------------------------------

HEADER = case(3)
RECORDS = [json.loads(text) for text in CORRECT["singular-vectors"](HEADER, HEADER["uniforms"])]


def judged(change: Callable[[list[Any]], None]) -> Judgement:
    records = json.loads(json.dumps(RECORDS))
    change(records)
    return check_lines([json.dumps(record) for record in records])


def scaled(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        for record in records[1:-1]:
            record[field] *= factor

    return change


def of_result(field: str, factor: float) -> Callable[[list[Any]], None]:
    def change(records: list[Any]) -> None:
        value = records[-1][field]
        records[-1][field] = (
            [x * factor for x in value] if isinstance(value, list) else value * factor
        )

    return change


@pytest.mark.parametrize("factor", [1e-13, 1e-11, 1e-9, 1e-7])
@pytest.mark.parametrize("field", ["u", "l", "phi", "p", "weight"])
def test_a_field_that_is_off_everywhere_is_caught(field: str, factor: float) -> None:
    judgement = judged(scaled(field, 1 + factor))
    assert judgement.ruling is Ruling.VIOLATES


@pytest.mark.parametrize("field", ["mid", "weights", "alphas"])
def test_a_result_that_is_off_is_caught(field: str) -> None:
    assert judged(of_result(field, 1 + 1e-13)).ruling is Ruling.VIOLATES


def test_roundings_of_other_orders_pass() -> None:
    """Products and quotients in other orders, and barriers as one sum: 1000 steps each."""
    rng = np.random.default_rng(17)
    gamma, d = 0.2, 3
    for _ in range(20):
        tied, court = Relations(Fraction(gamma), d, 9, 53, None), Hearing()
        upper, lower = 2 * d / gamma, -(2 / gamma) * d
        rates = gamma / (1 - 2 * gamma), gamma / (1 + 2 * gamma)
        total = 0.0
        anew = bool(rng.integers(2))
        for j in range(50):
            phi, p = rng.uniform(0.2, 0.4), rng.uniform(0.01, 0.5)
            mass = p * phi
            weight = [gamma / phi / p, gamma / (phi * p), gamma / mass][rng.integers(3)]
            record = line(j, u=upper, l=lower, phi=phi, p=mass / phi, weight=weight)
            now = Exact.of(record)
            assert all(tied.barriers(court, j + 2, j, now).values())
            assert all(tied.chances(court, j + 2, record, now, 0.0).values())
            tied.remember(now)
            total += 1 / phi
            if anew:
                upper, lower = 2 * d / gamma + rates[0] * total, -2 * d / gamma + rates[1] * total
            else:
                upper = upper + gamma / ((1 - 2 * gamma) * phi)
                lower = lower + rates[1] / phi
