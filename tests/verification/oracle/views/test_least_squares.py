"""Algorithm 1's answer by its gradient: at the end of its allowance, and where it is not unique."""

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpq_mat

from asura.dataset import dataset
from asura.errors import Undecided
from asura.trace import FORMAT, HeaderLine
from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.truth.minimiser import Answer, norm
from asura_verify.oracle.views import least_squares
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.least_squares import _excused, judge_regression


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def sampled(
    points: list[list[Any]], labels: list[Any], picks: list[int] | None = None, **fields: Any
) -> Judge:
    judge = Judge(
        HeaderLine(
            format=FORMAT,
            gamma=0.25,
            points=points,
            unlabelled=len(points),
            labels=labels,
            **fields,
        )
    )
    judge.picks = list(range(len(points))) if picks is None else picks
    return judge


def answered(judge: Judge, *beta: float, weights: Any = None, doubt: float = 0.0) -> Judge:
    given = [arb(2)] * len(judge.picks) if weights is None else [arb(w) for w in weights]
    judge_regression(judge, 9, list(beta), given, doubt)
    return judge


def test_at_the_end_of_the_allowance() -> None:
    """One point 1 with label 8 and weight 2: gradient 2 (8 - beta), 25 roundings a term."""
    unit = Fraction(1, 2**53)
    # |a| = sqrt 2, |b| = 8 sqrt 2, |r| = 0 to first order: 2 * 8 * (25 * 4 + 514) units.
    allowed = float(8 * (25 * 4 + 514) * unit)
    assert answered(sampled([[1]], [8]), 8.0 + allowed * 0.99).violated == 0
    wrong = answered(sampled([[1]], [8]), 8.0 + allowed * 1.01)
    (found,) = wrong.violations
    assert (found.line, found.field, wrong.checked) == (9, "beta", {"beta": 1})
    assert found.gap == pytest.approx(1.01, rel=1e-3)
    assert found.allowance == pytest.approx(614 * 2.0**-53)
    assert answered(sampled([[1]], [8]), 8.0).worst == 0


def test_zero_labels_have_a_zero_answer() -> None:
    assert answered(sampled([[1]], [0]), 0.0).violated == 0
    assert answered(sampled([[1]], [0]), 0.5).violated == 1


def test_zero_is_the_answer_of_zero_labels_also_where_nothing_has_an_inverse() -> None:
    """Beyond 53 bits nothing is too small, and the gradient and its bound are both zero."""
    for bits in (53, 60):
        assert answered(sampled([[1, 1]], [0], precision=bits), 0.0, 0.0).violated == 0


def test_the_smallest_numbers_by_hand() -> None:
    """One point 2: 25 spacings of (|A| + 1)^2 = 9 are 225, and a gradient is 4 times the error."""
    spacing, label = Fraction(1, 2**149), Fraction(1, 2**140)
    for off, violated in ((56, 0), (57, 1)):
        judge = sampled([[2]], [str(label)], precision=24)
        judge_regression(judge, 9, [str(label / 2 + off * spacing)], [arb(1)], 0.0)
        assert judge.violated == violated


def test_a_point_of_scale_zero_spans_nothing() -> None:
    """The second coefficient is free, and the first 12/(2 * 3)."""
    for first, violated in ((2.0, 0), (2.001, 1)):
        judge = sampled([[3, 0], [0, 5]], [12, 0], squared_scales=[4, 0])
        answered(judge, first, 7.0)
        assert (judge.vague, judge.violated) == ({}, violated)


def test_what_is_not_known_of_the_weights_is_granted() -> None:
    """Labels 0 and 1 at the same point: the answer is the second weight's share."""
    for off, doubt, accused in ((0.01, 0.0, 1), (0.01, 0.05, 0), (0.2, 0.05, 1)):
        judge = sampled([[1], [1]], [0, 1])
        assert answered(judge, 0.5 + off, weights=[1, 1], doubt=doubt).violated == accused


def test_any_minimiser_passes_where_the_sample_does_not_determine_one() -> None:
    for beta, accused in (((1.5, 1.5), 0), ((3.0, 0.0), 0), ((1.5, 1.6), 1), ((0.0, 0.0), 1)):
        judge = answered(sampled([[1, 1], [2, 2], [1, 0]], [3, 6, 9], [0, 1, 0]), *beta)
        assert judge.violated == accused


def test_missing_labels_leave_the_answer_open() -> None:
    judge = answered(sampled([[1], [1]], [None, 1], [0]), 5.0)
    assert judge.undetermined
    assert "beta" not in judge.checked
    assert not answered(sampled([[1], [1]], [8, None], [0]), 8.0).undetermined


def test_scales_multiply_points_and_not_labels() -> None:
    """sqrt(4) * 3 beta = 12."""
    assert answered(sampled([[3]], [12], squared_scales=[4]), 2.0).violated == 0
    assert answered(sampled([[3]], [12], squared_scales=[4]), 4.0).violated == 1


def test_a_gradient_that_balls_cannot_tell_asks_for_precision() -> None:
    with pytest.raises(Undecided):
        answered(sampled([[1], [1]], [0, 1]), 0.5, weights=[arb(1, 0.25), arb(1)])


class Bound:
    """A judge that only writes down: three picks of two points, 2 + 2 of one and 4 of the other."""

    def __init__(self, picks: list[int]) -> None:
        self.data = dataset([[3, 0], [0, 4]], labels=[3, Fraction(1, 2)])
        self.picks, self.precision = picks, 20
        self.checked: dict[str, int] = {}
        self.opened: list[str] = []
        self.remarks: tuple[str, ...] = ()
        self.noted: list[tuple[float, float]] = []
        self.accused: list[Any] = []

    def note(self, field: str, error: arb, bound: arb) -> None:
        assert field == "beta"
        self.noted.append((float(error), float(bound)))

    def accuse(self, *facts: Any) -> None:
        self.accused.append(facts)

    def leave_open(self, field: str) -> None:
        self.opened.append(field)


@pytest.mark.parametrize(("doubt", "factor"), [(0.0, 1), (0.5, 1), (0.0, -1)])
def test_the_allowance_by_hand(doubt: float, factor: int) -> None:
    """Rows (6, 0) and (0, 8) with labels 6 and 1, beta = (1/2, 1/4) and rest (3, -1).

    |a| = 6, 8 and |A| = 10; m = 3, two columns: 3 + 16 + 16 = 35 and 2 * 3 + 512 = 518 roundings.
    """
    judge: Any = Bound([0, 1, 0])
    beta = [0.5 * factor, 0.25 * factor]
    judge_regression(judge, 9, [*beta], [arb(2), arb(4), arb(2)], doubt)
    unit = 2.0**-20
    rest = [6 - 6 * beta[0], 1 - 8 * beta[1]]
    left, size, length = math.hypot(*rest), math.hypot(6, 1), math.hypot(*beta)
    some, dropped = 35 * unit, 518 * unit
    common = some * 10 * left + dropped * 10 * size + some * 100 * length
    bounds = [
        norm * (some * (left + (3 + 2) + size + 10 * length) + doubt * left) + common
        for norm in (6, 8)
    ]
    slopes = [6 * rest[0], 8 * rest[1]]
    wrong = [
        (abs(s) / b, s, b, n) for s, b, n in zip(slopes, bounds, (6, 8), strict=True) if abs(s) > b
    ]
    right = [(abs(s), b) for s, b in zip(slopes, bounds, strict=True) if abs(s) <= b]
    assert len(wrong) == (1 if doubt and factor == 1 else 2)
    assert judge.noted == [pytest.approx(pair) for pair in right]
    ratio, slope, bound, norm = max(wrong)
    (facts,) = judge.accused
    assert facts[:4] == (9, None, "beta", beta)
    assert float(facts[4].removeprefix("a gradient from ")) == pytest.approx(-bound, rel=1e-4)
    assert float(facts[5]) == pytest.approx(bound, rel=1e-4)
    assert len(facts[5].lstrip("0.")) <= 7  # six digits and a point
    assert facts[6:8] == pytest.approx((ratio, bound / (norm * size)))
    assert facts[8].endswith(f"a gradient of {slope:.0f}.0000" if slope < 9 else f"{slope:.4f}")
    assert judge.checked == {"beta": 1}


def test_as_many_roundings_as_rows_or_columns() -> None:
    """One pick of two columns: 1 + 16 + 16 and 2 * 2 + 512; a column of zeros is met exactly."""
    judge: Any = Bound([0])
    judge_regression(judge, 9, [1.0, 0.0], [arb(4)], 0.0)
    unit, size = 2.0**-20, 6.0
    common = 516 * unit * 6 * size + 33 * unit * 36
    assert judge.noted == [
        pytest.approx((0.0, 6 * 33 * unit * (6 + size + 6) + common)),
        pytest.approx((0.0, common)),
    ]
    assert judge.accused == []


def test_no_labels_but_zero_have_no_scale() -> None:
    judge: Any = Bound([0])
    for label, scaled in ((0, False), (Fraction(1, 100), True)):
        judge.data = dataset([[3, 0], [0, 4]], labels=[label, 0])
        judge_regression(judge, 9, [1.0, 0.0], [arb(4)], 0.0)
        allowance = judge.accused.pop()[7]
        assert allowance > 0.0 if scaled else allowance == 0.0
    assert judge.checked == {"beta": 2}


def test_labels_weights_and_bounds_without_which_nothing_is_judged() -> None:
    judge = answered(sampled([[1], [1]], [None, 1]), 5.0)
    assert (judge.undetermined, judge.checked) == (True, {})
    for weights in ([0, 1], [1, 0], [-1, 1]):
        judge = answered(sampled([[1], [1]], [0, 1]), 5.0, weights=weights)
        assert (judge.undetermined, judge.checked) == (False, {})
    unbounded: Any = Bound([0])
    judge_regression(unbounded, 9, [0.5, 0.0], [arb(4)], math.inf)
    assert (unbounded.noted, unbounded.accused) == ([], [])


def test_the_worst_gradient_is_named() -> None:
    """Both are wrong, by 6 * 6 and by 8 of about the same bound, in either order."""
    for points, labels in (([[3, 0], [0, 4]], [3, Fraction(1, 2)]), ([[0, 4], [3, 0]], [1, 3])):
        judge: Any = Bound([0, 1])
        judge.data = dataset(points, labels=labels)
        judge_regression(judge, 9, [0.0, 0.0], [arb(4), arb(4)], 0.0)
        assert judge.accused[0][8].endswith("36.0000")


#: 36 t = (33 (108 + 108 t) + 33 * 36 t + 516 * 36 + 33 * 36 (1 + t)) 2^-20: its very bound.
EDGE = 1 + Fraction(23328, 36 * 2**20 - 5940)


@pytest.mark.parametrize(("bits", "decided"), [(60, True), (17, True), (16, False)])
def test_a_gradient_on_the_very_edge_passes(bits: int, decided: bool) -> None:
    """No precision tells it from its bound; but balls of a 256th of it may not be the edge.

    A weight in 4 +- 2^-17 gives a radius of 36 * 2^-19, and 0.0222/256 = 45 * 2^-19.
    """
    judge: Any = Bound([0])
    weight = arb(4, arb(2) ** -bits)
    if decided:
        judge_regression(judge, 9, [str(EDGE), 0.0], [weight], 0.0)
        assert len(judge.noted) == 1
    else:
        with pytest.raises(Undecided):
            judge_regression(judge, 9, [str(EDGE), 0.0], [weight], 0.0)
    assert judge.accused == []


@pytest.mark.parametrize("units", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("decades", [0.0, 3.0, 6.0])
def test_honest_solvers_pass_and_wrong_answers_do_not(units: float, decades: float) -> None:
    """Orthogonal, normal equations and singular values; then 5 % off, and 1e-7 off."""
    rng = np.random.default_rng([17, int(units), int(decades)])
    rotation = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    rows = rng.standard_normal((30, 3)) @ np.diag(10 ** np.linspace(0, -decades, 3)) @ rotation
    rows = rows * 10 ** np.linspace(units, -units, 3)
    labels, weights = rng.standard_normal(30), rng.uniform(0.5, 2, 30)
    left, right = np.sqrt(weights)[:, None] * rows, np.sqrt(weights) * labels
    q, r = np.linalg.qr(left)
    sizes = np.linalg.norm(left, axis=0)
    scaled = left / sizes
    solutions = [
        np.linalg.solve(r, q.T @ right),
        np.linalg.lstsq(left, right, rcond=None)[0],
        np.linalg.solve(scaled.T @ scaled, scaled.T @ right) / sizes,
        np.linalg.inv(scaled.T @ scaled) @ (scaled.T @ right) / sizes,
    ]
    for beta in solutions:
        judge = sampled(rows.tolist(), labels.tolist())
        assert answered(judge, *beta, weights=weights).violated == 0, judge.worst
    # An explicit inverse keeps less than a third of the bits at condition 1e6, and is left open.
    assert judge.vague == ({"beta": 1} if decades == 6.0 else {})
    best = solutions[0]
    lost = 10 ** (2 * units + decades - 16)  # what singular values lose
    factors = [np.array([x, x, y]) for x, y in ((1.05, 1.05), (1 + 1e-7, 1 + 1e-7), (1, 1.05))]
    for wrong in (best * factor for factor in factors if np.max(factor) - 1 > 1000 * lost):
        judge = sampled(rows.tolist(), labels.tolist())
        answered(judge, *wrong, weights=weights)
        small = np.max(np.abs(wrong / best - 1)) < 1e-6
        left_open = small and decades == 6.0
        assert (judge.violated, judge.vague) == ((0, {"beta": 1}) if left_open else (1, {}))


def test_an_inverse_excuses_what_it_may_lose_and_no_more() -> None:
    """G = [[4, 4], [4, 4 + t]], t = 2^-20: with scaled columns four entries of 4/t."""
    t = 2.0**-20
    points, labels = [[1, 1], [0, t**0.5 / 2]], [8, 0]
    # 2 picks, 2 columns: 34 roundings; beta = (8 + x, 0) has a gradient of 2 x |a_1|.
    edge = 34 * 2.0**-53 * 4 * 4 / t * 16 / 2
    for share, found in ((0.99, 0), (1.01, 1)):
        judge = answered(sampled(points, labels), 8.0 + share * edge, 0.0, weights=[4, 4])
        assert judge.violated == found
        assert judge.vague == ({} if found else {"beta": 1})  # it is far from the minimiser
        assert len(judge.remarks) == 1 - found


def answer(columns: list[list[float]], labels: list[Any]) -> Answer:
    balls = [[arb(x) for x in column] for column in columns]
    points = fmpq_mat([[fmpq(int(x)) for x in row] for row in zip(*columns, strict=True)])
    right = [x if isinstance(x, arb) else arb(x) for x in labels]
    zeros = [arb(0)] * len(columns)
    norms = [norm(column) for column in balls]
    return Answer(points, balls, right, right, zeros, norms, arb(2) ** -18, arb(0))


@pytest.mark.parametrize(("excess", "excused"), [(1.0, True), (1 + 2.0**-50, False)])
@pytest.mark.parametrize("columns", [[[2.0]], [[1.0], [2.0]]], ids=["one", "dependent"])
def test_the_ends_of_what_an_inverse_excuses(
    columns: list[list[float]], excess: float, excused: bool
) -> None:
    """Of one column and one label 3 the sum is 3; columns that depend on it add nothing."""
    some = arb(2) ** -18
    none = arb(1), arb(2) ** -60  # nothing is explained by singular values that are dropped
    assert _excused(answer(columns, [-3]), 3 * some * excess, *none) is excused
    assert _excused(answer(columns, [arb(3, 1)]), 4 * some, *none)


@pytest.mark.parametrize("tiny", [2.0**-10, 2.0**-11.5, 2.0**-12])
def test_what_dropped_singular_values_of_a_gram_matrix_excuse(tiny: float) -> None:
    """Columns (1, 0) and (0, t) with labels (0, 3), s = 2^-22: sqrt(s) |A| |b|, if t < 2^-11."""
    known = answer([[1.0, 0.0], [0.0, tiny]], [0, 3])
    edge = 2.0**-11 * math.hypot(1, tiny) * 3
    for share, excused in ((0.99, tiny < 2.0**-11), (1.01, False)):
        assert _excused(known, arb(4), arb(share * edge), arb(2) ** -22) is excused


def test_the_very_edges_of_what_dropped_singular_values_excuse() -> None:
    """One column of norm 1 with the label 3: |A| |A^+| sqrt(s) is 1 for s = 1, which drops none."""
    known = answer([[1.0]], [3])
    assert not _excused(known, arb(100), arb(1), arb(1))
    assert _excused(known, arb(100), arb(6), arb(4))
    assert not _excused(known, arb(100), arb(6) + arb(2) ** -40, arb(4))


def test_what_is_to_be_excused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest gradient in units of its column, and by how much one is beyond its bound."""
    asked: list[Any] = []

    def excused(*given: Any) -> bool:
        asked.append(given)
        return False

    monkeypatch.setattr(least_squares, "_excused", excused)
    judge: Any = Bound([0, 1, 0])
    judge_regression(judge, 9, [0.5, 0.25], [arb(2), arb(4), arb(2)], 0.0)
    ((_, excess, beyond, dropped),) = asked
    bounds = [bound for _, bound in judge.noted] + [float(judge.accused[0][5])]
    assert float(excess) == pytest.approx(3)  # 18 by a column of norm 6, and 8 by one of norm 8
    assert float(dropped) == 518 * 2.0**-20
    assert float(beyond) == pytest.approx(18 - min(bounds), rel=1e-3)


@pytest.mark.parametrize("units", [4.0, 5.0])
def test_singular_values_of_a_gram_matrix_that_are_dropped_are_not_accused(units: float) -> None:
    """In columns of other units than these a pseudo-inverse of A^T A has no right digit."""
    header = case(7, dimension=3, scaled=False)
    shifts = 10 ** np.linspace(units, -units, 3)
    header["points"] = (np.array(header["points"]) * shifts).tolist()
    records = [json.loads(line) for line in textbook.run(header, header["uniforms"])]
    roots, picks = np.sqrt(records[-1]["weights"]), [one["index"] for one in records[1:-1]]
    left = roots[:, None] * np.array(header["points"])[picks]
    right = roots * np.array(header["labels"])[picks]
    for beta in (
        np.linalg.pinv(left.T @ left) @ (left.T @ right),
        np.linalg.lstsq(left.T @ left, left.T @ right, rcond=None)[0],
    ):
        records[-1]["beta"] = beta.tolist()
        judgement = check_lines([json.dumps(one) for one in records])
        assert judgement.ruling is Ruling.UNDECIDED, judgement.first


def test_a_pseudo_inverse_of_a_sample_that_does_not_span_is_not_accused() -> None:
    """A^T A is singular, and its pseudo-inverse loses digits as an inverse does."""
    header = case(14, dimension=4, decades=3.0, scaled=False) | {"gamma": 0.45}
    records = [json.loads(line) for line in textbook.run(header, header["uniforms"])]
    roots, picks = np.sqrt(records[-1]["weights"]), [one["index"] for one in records[1:-1]]
    left = roots[:, None] * np.array(header["points"])[picks]
    right = roots * np.array(header["labels"])[picks]
    assert np.linalg.matrix_rank(left) == 3
    records[-1]["beta"] = (np.linalg.pinv(left.T @ left) @ (left.T @ right)).tolist()
    assert check_lines([json.dumps(one) for one in records]).ruling is not Ruling.VIOLATES


@pytest.mark.parametrize("size", [1e-310, 1e-318, 1e-323])
def test_labels_below_the_smallest_normal_number_are_not_accused(size: float) -> None:
    header = case(0, dimension=2, scaled=False)
    labels = [size * round(y) for y in header["labels"]]
    lines = textbook.run(header | {"labels": labels}, header["uniforms"])
    assert check_lines(lines).ruling is not Ruling.VIOLATES


def test_weights_that_are_not_positive_have_no_answer() -> None:
    judge = answered(sampled([[1], [1]], [0, 1]), 0.5, weights=[-1, 1])
    assert (judge.checked, judge.violated) == ({}, 0)
