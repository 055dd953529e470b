"""How far from a minimiser an answer may be: the theorem, its bound by hand, weak directions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from asura.errors import Undecided
from asura_verify.oracle.truth.minimiser import Answer, inner, norm

OPEN = "so few bits hardly determine beta on this sample"


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(320):
        yield


def answer(
    rows: Sequence[Sequence[Any]],
    labels: Sequence[Any],
    beta: Sequence[Any],
    some: float,
    tiny: float = 0.0,
) -> Answer:
    """Rows and numbers exactly."""
    points = fmpq_mat([[fmpq(*Fraction(x).as_integer_ratio()) for x in row] for row in rows])
    balls = [[arb(x) for x in row] for row in points.tolist()]
    given_beta = [
        x if isinstance(x, arb) else arb(fmpq(*Fraction(x).as_integer_ratio())) for x in beta
    ]
    right = [arb(fmpq(*Fraction(x).as_integer_ratio())) for x in labels]
    rest = [y - inner(row, given_beta) for row, y in zip(balls, right, strict=True)]
    columns = [list(column) for column in zip(*balls, strict=True)]
    norms = [norm(column) for column in columns]
    return Answer(points, columns, right, rest, given_beta, norms, arb(some), arb(tiny))


# -- the theorem -----------------------------------------------------------------------------------


small = st.integers(-3, 3)


@given(st.data())
def test_the_theorem_on_any_problem_nearby(data: st.DataObject) -> None:
    """|P r| <= |f| + |D beta| + |(A_K^+)^T D_K^T q|, of any rank, with any D and f; exactly."""
    n, d = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
    matrix = [[[data.draw(small) for _ in range(d)] for _ in range(n)] for _ in range(2)]
    vectors = [[data.draw(small) for _ in range(n)] for _ in range(2)]
    with mp.workdps(60):
        a, moved = (mp.matrix(rows) for rows in matrix)
        b, f = (mp.matrix(column) for column in vectors)
        moved, f = moved * mp.mpf("0.125"), f * mp.mpf("0.125")
        beta = _least(a + moved, b + f)
        q = b + f - (a + moved) * beta
        rest = b - a * beta
        _, rank = fmpq_mat(matrix[0]).rref()
        if not rank:
            return
        found = answer(matrix[0], vectors[0], [0] * d, 2.0**-40)
        chosen, gram = found.spanning()
        assert len(set(chosen)) == rank
        part = mp.matrix([[a[i, k] for k in chosen] for i in range(n)])
        inverse = (part.T * part) ** -1 * part.T
        held = mp.matrix([[moved[i, k] for k in chosen] for i in range(n)])
        reached = mp.norm(part * (inverse * rest))
        bound = mp.norm(f) + mp.norm(moved * beta) + mp.norm(inverse.T * (held.T * q))
        assert reached <= bound + mp.mpf(10) ** -40
        # And the answer reports the same distance.
        slopes = [inner(found.columns[k], found.labels) / found.norms[k] for k in chosen]
        squared = inner(slopes, (gram * _column(slopes)).entries())
        assert abs(mp.mpf(float(squared)) - mp.norm(part * (inverse * b)) ** 2) < 1e-9


def _column(entries: Sequence[arb]) -> Any:
    from flint import arb_mat

    return arb_mat([[x] for x in entries])


def _least(matrix: Any, right: Any) -> Any:
    """A minimiser, by the pseudo-inverse."""
    left, values, turned = mp.svd_r(matrix)
    count = sum(1 for x in values if x > mp.mpf(10) ** -30)
    weights = [(left[:, k].T * right)[0] / values[k] for k in range(count)]
    return sum((turned[k, :].T * weights[k] for k in range(count)), mp.matrix([0] * matrix.cols))


# -- the bound -------------------------------------------------------------------------------------


def expected(
    rows: Any, labels: Any, beta: Any, some: float, precision: int, doubt: float
) -> tuple[float, int] | None:
    """The text of the theorem in NumPy, for independent columns; and which method is the widest."""
    a, b, x = np.array(rows, float), np.array(labels, float), np.array(beta, float)
    sizes = np.linalg.norm(a, axis=0)
    z = math.sqrt(np.linalg.norm(np.linalg.inv((a / sizes).T @ (a / sizes))))
    plain = math.sqrt(np.linalg.norm(np.linalg.inv(a.T @ a)))
    rest, size = float(np.linalg.norm(b - a @ x)), float(np.linalg.norm(b))
    whole, reach = float(np.linalg.norm(a)), float(sizes @ np.abs(x))
    squeeze = z * math.sqrt(len(sizes))
    moved = some * (size + reach)
    wide = moved + some * whole * float(np.linalg.norm(x))

    def nearby(much: float, factor: float) -> float:
        return much + factor * (rest + much) + doubt * (2 * rest + much)

    best = np.linalg.lstsq(a, b, rcond=None)[0]

    def far(bound: float) -> float:
        """The distance to a minimiser as a share of it."""
        own = max(float(np.linalg.norm(sizes * best)), size)
        return max(z * bound / own, plain * bound / max(float(np.linalg.norm(best)), size / whole))

    third, half = 2.0 ** -(precision // 3), 2.0 ** -(precision // 2)
    methods = (
        (nearby(moved, some * squeeze), math.inf),
        (nearby(wide, some * squeeze), half),
        (squeeze * moved, third),
        (nearby(wide, some * plain * whole), half),
        (some * plain * whole * (whole * float(np.linalg.norm(x)) + size), half),
    )
    most = max((bound, k) for k, (bound, share) in enumerate(methods) if far(bound) <= share)
    return None if far(most[0]) > 2.0**-4 else most


#: Rows, labels, minimiser, roundings, bits and doubt, each with another term that is the largest.
PROBLEMS: dict[str, tuple[Any, Any, Any, float, int, float]] = {
    "column by column": ([[4, 0], [0, 1]], [8, 1], [2, 1], 2.0**-20, 53, 0.0),
    "a large rest": ([[4, 0], [0, 1], [0, 0]], [8, 1, 999], [2, 1], 2.0**-40, 53, 0.0),
    "labels that cancel": ([[1, 0], [0, 1], [0, 0]], [0, 0, 9], [0, 0], 2.0**-40, 53, 0.0),
    "nearly dependent": ([[1, 1], [0, 2.0**-7], [0, 0]], [3, 1, 5], [-125, 128], 2.0**-40, 53, 0.0),
    "squares kept": ([[1, 1], [0, 2.0**-7]], [3, 1], [-125, 128], 2.0**-40, 53, 0.0),
    "squares beyond": ([[1, 1], [0, 2.0**-9]], [3, 1], [-509, 512], 2.0**-32, 53, 0.0),
    "units": ([[2.0**7, 0], [0, 2.0**-7]], [0, 1], [0, 128], 2.0**-40, 53, 0.0),
    "units and a rest": (
        [[2.0**5, 0], [0, 2.0**-5], [0, 0]], [1, 1, 9], [2.0**-5, 32], 2.0**-45, 53, 0.0,
    ),
    "small units": ([[8, 0], [0, 2.0**-3]], [0, 1], [0, 8], 2.0**-40, 53, 0.0),
    "units, beyond half": ([[2.0**9, 0], [0, 2.0**-9]], [0, 1], [0, 512], 2.0**-38, 53, 0.0),
    "units, beyond a third": ([[2.0**9, 0], [0, 2.0**-9]], [0, 1], [0, 512], 2.0**-33, 53, 0.0),
    "few bits": ([[1, 1], [0, 2.0**-3]], [3, 1], [-5, 8], 2.0**-17, 24, 0.0),
    "weights in doubt": ([[4, 0], [0, 1], [0, 0]], [8, 1, 3], [2, 1], 2.0**-40, 53, 2.0**-12),
    "much in doubt": ([[4, 0], [0, 1]], [8, 1], [2, 1], 2.0**-12, 53, 0.25),
    "negative": ([[-4, 0], [0, 1], [0, 0]], [8, -1, -9], [-2, -1], 2.0**-30, 53, 0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_bound_by_hand(name: str, sign: int) -> None:
    """Moved along its second column, an answer is left open exactly beyond the bound."""
    rows, labels, beta, some, precision, doubt = PROBLEMS[name]
    size = float(np.linalg.norm(np.array(rows, float)[:, 1]))

    def open_at(step: float) -> bool:
        moved = [arb(beta[0]), arb(beta[1]) + sign * arb(step)]
        return bool(answer(rows, labels, moved, some).lost(precision, doubt))

    low, high = 0.0, 2.0 ** math.ceil(math.log2(abs(beta[1]) + 9))
    assert not open_at(low)
    assert open_at(high)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if open_at(middle) else (middle, high)
    bound = expected(rows, labels, [beta[0], beta[1] + sign * high], some, precision, doubt)
    assert bound is not None
    assert high * size == pytest.approx(bound[0], rel=1e-9)


def test_every_method_is_the_widest_somewhere() -> None:
    found = (expected(*problem) for problem in PROBLEMS.values())
    assert {which for each in found if each is not None for which in [each[1]]} == set(range(5))


@pytest.mark.parametrize(("some", "words"), [(2.0**-10, ""), (2.0**-8, OPEN)])
def test_where_a_sixteenth_would_pass_nothing_is_said(some: float, words: str) -> None:
    """Columns (1, 0) and (1, 1/16): z is about 16 sqrt 2, and labels that they explain."""
    assert answer([[1, 1], [0, 2.0**-4]], [3, 1], [-13, 16], some).lost(53, 0.0) == words


@pytest.mark.parametrize(("exponent", "words"), [(-13, ""), (-9, OPEN)])
def test_a_coefficient_of_a_light_column_counts_by_itself(exponent: int, words: str) -> None:
    """In units the second column is nothing; as beta is written it is as large as the first."""
    found = answer([[1, 0], [0, 2.0**-6]], [1, 2.0**-6], [1, 1], 2.0**exponent)
    assert found.lost(53, 0.0) == words


@pytest.mark.parametrize(("exponent", "words"), [(-11, ""), (-8, OPEN)])
def test_a_coefficient_counts_by_what_it_explains(exponent: int, words: str) -> None:
    """As beta is written, its third entry hides all others; in units it is as large as they are."""
    rows = [[1.0, 1.0, 0.0], [0.0, 2.0**-4, 0.0], [0.0, 0.0, 2.0**-10]]
    found = answer(rows, [1, 2.0**-4, 1], [0, 1, 1024], 2.0**exponent)
    assert found.lost(53, 0.0) == words


def test_any_minimiser_of_dependent_columns_is_one() -> None:
    rows, labels = [[1, 2, 0], [2, 4, 0], [0, 0, 1]], [1, 2, 5]
    beta: list[Any]
    for beta in ([1, 0, 5], [-3, 2, 5], [0, Fraction(1, 2), 5]):
        assert answer(rows, labels, beta, 2.0**-40).lost(53, 0.0) == ""
    for beta in ([1, 0, 5 + 2.0**-20], [1 + 2.0**-20, 0, 5]):
        assert "as far from a minimiser" in answer(rows, labels, beta, 2.0**-40).lost(53, 0.0)
    columns, gram = answer(rows, labels, [0, 0, 0], 2.0**-40).spanning()
    assert columns == [1, 2]  # the longer ones
    assert [float(x) for x in gram.entries()] == [1, 0, 0, 1]


def test_the_columns_that_span_are_those_that_others_explain_the_least() -> None:
    """Not the leftmost: one of 1e-14 would make beta hard to determine."""
    found = answer([[1e-14, 1.0, 0.5]], [1.0], [0, 1, 0], 2.0**-40)
    assert found.spanning()[0] == [1]
    assert found.lost(53, 0.0) == ""
    # The third is longer than the second, but the first explains nearly all of it.
    rows: list[list[Any]] = [[0.5, 0, 0.25, 0], [0, 2.0**-4, 2.0**-5, 0], [0, 0, 0, 0]]
    assert answer(rows, [1, 1, 1], [0, 0, 0, 0], 2.0**-40).spanning()[0] == [0, 1]
    # What roundings leave of the first two is more than all of the third, which still counts.
    rows = [[0.6, 0, 0, 0], [0.3, 0, 0, 0], [0, 0.6, 0, 0], [0, 0.3, 0, 0], [0, 0, 1e-30, 0]]
    assert answer(rows, [1] * 5, [0] * 4, 2.0**-40).spanning()[0] == [0, 1, 2]


@pytest.mark.parametrize(("junk", "words"), [(2.0**20, ""), (2.0**26, OPEN), (2.0**38, OPEN)])
def test_what_fits_nothing_buys_nothing(junk: float, words: str) -> None:
    """beta = (1 + junk, -junk) fits what (1, 0) fits, and its roundings are those of the junk."""
    assert answer([[1, 1], [1, 1]], [1, 1], [1 + junk, -junk], 2.0**-42).lost(53, 0.0) == words


def test_labels_below_the_smallest_numbers_have_an_absolute_error() -> None:
    """c spacings of (|A| + 1) (1 + z sqrt|K|) = 6, besides the roundings; none of zero labels."""
    assert answer([[2]], [0], [0], 0.0, 2.0**-100).lost(53, 0.0) == ""
    assert answer([[2]], [2.0**-96], [2.0**-97], 0.0, 2.0**-100).lost(53, 0.0) == OPEN
    for off, open_ in ((11.9, False), (12.1, True)):
        found = answer([[2]], [2.0**-90], [2.0**-91 * (1 + off / 2 * 2.0**-10)], 0.0, 2.0**-100)
        assert bool(found.lost(53, 0.0)) is open_


def test_columns_of_zeros_and_points_of_zeros() -> None:
    assert answer([[0, 3]], [6], [7, 2], 2.0**-40).lost(53, 0.0) == ""
    assert answer([[0, 3]], [6], [7, 2.001], 2.0**-40).lost(53, 0.0) != ""
    assert answer([[0, 0]], [6], [7, 2], 2.0**-40).lost(53, 0.0) == ""


def test_zero_labels_determine_a_zero() -> None:
    assert answer([[1]], [0], [0], 2.0**-40).lost(53, 0.0) == ""


def test_what_balls_cannot_tell_asks_for_more() -> None:
    """Columns that only the bits tell apart, and an answer that may lie on either side."""
    close: list[list[Any]] = [[1, 1], [0, Fraction(1, 2**400)]]
    with pytest.raises(Undecided):
        answer(close, [1, 1], [0, 0], 2.0**-40).lost(53, 0.0)
    right = answer([[1]], [1], [1], 2.0**-40)
    found = expected([[1]], [1], [1], 2.0**-40, 53, 0.0)
    assert found is not None
    bound = found[0]
    for radius, told in ((bound / 520, True), (bound / 500, False)):
        wide = replace(right, rest=[arb(-bound, radius)])  # the edge itself, and a ball around it
        if told:
            assert wide.lost(53, 0.0) == ""
        else:
            with pytest.raises(Undecided):
                wide.lost(53, 0.0)
    assert replace(right, rest=[arb(-bound * 0.5, bound * 0.4)]).lost(53, 0.0) == ""
    assert replace(right, rest=[arb(-bound * 2, bound * 0.4)]).lost(53, 0.0) != ""


def test_it_says_how_far() -> None:
    found = answer([[1]], [1], [1.5], 2.0**-40).lost(53, 0.0)
    bound = expected([[1]], [1], [1.5], 2.0**-40, 53, 0.0)
    assert bound is not None
    assert found.startswith(f"beta is {0.5 / bound[0]:.1e} times as far from a minimiser")


def test_norms_are_upper_bounds() -> None:
    assert norm([arb(3, 1), arb(4)]) >= arb(32).sqrt()
    assert norm([arb(0, 1)]) >= 1
    assert norm([]) == 0


# -- weak directions -------------------------------------------------------------------------------


@pytest.mark.parametrize("decades", [4, 6, 8])
def test_stable_methods_pass_and_a_step_in_the_weak_direction_does_not(decades: int) -> None:
    """A gradient hides a step of t by the square of the condition, |P r| by the condition."""
    rng = np.random.default_rng([29, decades])
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    rows = rng.standard_normal((24, 3)) @ np.diag(10 ** np.linspace(0, -decades, 3)) @ turn
    labels = rng.standard_normal(24)
    some = 64 * 2.0**-53
    q, r = np.linalg.qr(rows)
    best = np.linalg.solve(r, q.T @ labels)
    singular = np.linalg.lstsq(rows, labels, rcond=None)[0]
    for beta in (best, singular):
        assert answer(rows.tolist(), labels.tolist(), beta.tolist(), some).lost(53, 0.0) == ""
    weak = np.linalg.svd(rows)[2][-1]
    found = []
    for exponent in range(-15, 0):
        beta = best + 10.0**exponent * np.max(np.abs(best)) * weak
        found.append(answer(rows.tolist(), labels.tolist(), beta.tolist(), some).lost(53, 0.0))
    assert all(bool(b) >= bool(a) for a, b in pairwise(found))
    least = -15 + next(k for k, words in enumerate(found) if words)
    assert least <= {4: -5, 6: -6, 8: -4}[decades]  # at 10^4 squares keep a third of the bits
