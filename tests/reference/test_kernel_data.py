"""Kernel data in balls: the same data, the same runs and the same answers as by exact rows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from asura import algorithm1_regression, certificate, errors, kernel_matrix, kernel_spectrum
from asura.algorithm1_regression import active_regression, loss, optimum
from asura.arithmetic import EXACT, BallArithmetic, DoubleArithmetic, isometric, spectral
from asura.arithmetic.double import relative_error
from asura.arithmetic.proved_double import ProvedDoubleArithmetic
from asura.certificate import sandwiched
from asura.dataset import Dataset, KernelData, kernel_ridge
from asura.definiteness import factor_ldl
from asura.dimensions import enclosed_reduced_rank, reduced_rank
from asura.kept.runs import kept_run
from asura.kept.variants import one_sided
from asura.kernel_matrix import Isometry, KernelMatrix
from asura.randomness import Seed
from asura.rbf import BITS, rbf_kernel
from asura.run import run, usual_arithmetic
from asura.sampling import Done, WeightedSample
from asura.scalars import Enclosure, rational
from asura.stopping import PAPER
from asura.verdict import FAILS, undecided
from asura_verify.instances.strategies import datasets

Kernel = tuple[tuple[Fraction, ...], ...]


def numbers(*values: int | Fraction) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


def gram_of(points: tuple[tuple[Fraction, ...], ...]) -> Kernel:
    return tuple(
        tuple(sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in points)
        for x in points
    )


#: Kernels of repeated, zero, dependent and badly scaled points.
kernels = datasets(maximal_dimension=4, maximal_size=5).map(lambda data: gram_of(data.points))
lambdas = st.sampled_from(
    [Fraction(0), Fraction(1, 10**9), Fraction(1, 3), Fraction(1), Fraction(10**9)]
)


def both(
    kernel: Kernel, lam: Fraction, labels: list[int] | None = None
) -> tuple[KernelData, Dataset]:
    """The data in balls, and by exact rows."""
    exact = kernel_ridge(kernel, lam, labels=labels)
    assert type(exact) is Dataset
    known = tuple(None if labels is None else Fraction(y) for y in labels or range(len(kernel)))
    return KernelData(kernel, lam, known), exact


def as_matrix(kernel: Kernel) -> fmpq_mat:
    return fmpq_mat([[rational(x) for x in row] for row in kernel])


def check_isometry(kernel: Kernel, lam: Fraction) -> None:
    """U U^T holds every x^T (X^T X)^+ z, which is all that a run sees of the points."""
    data, exact = both(kernel, lam)
    rows = data.isometry(100).rows
    coordinates = exact.coordinates
    forms = (coordinates.rows * coordinates.gram().inv() * coordinates.rows.transpose()).tolist()
    scales = coordinates.squared_scales
    with ctx.workprec(256):
        for i, row in enumerate((rows * rows.transpose()).tolist()):
            for k, ball in enumerate(row):
                truth = arb(scales[i] * scales[k]).sqrt() * arb(forms[i][k])
                assert ball.overlaps(truth), (i, k)
                assert ball.rad() < arb(2) ** -60


@settings(max_examples=60)
@given(kernels, lambdas)
def test_the_rows_in_balls_are_those_of_exact_rows(kernel: Kernel, lam: Fraction) -> None:
    check_isometry(kernel, lam)


ENTRIES = st.integers(-3, 3).map(Fraction)


@given(st.lists(ENTRIES, min_size=15, max_size=15), st.integers(1, 5))
def test_rank_and_sign_are_decided_as_by_elimination(entries: list[Fraction], size: int) -> None:
    """Any symmetric matrix: most are not semidefinite."""
    cells = iter(entries)
    upper = {(i, k): next(cells) for i in range(size) for k in range(i, size)}
    matrix = fmpq_mat(
        [[rational(upper[min(i, k), max(i, k)]) for k in range(size)] for i in range(size)]
    )
    factors = factor_ldl(matrix)
    expected = None if factors is None else [i for i, p in enumerate(factors[1]) if p != 0]
    assert KernelMatrix(matrix).basis == expected


@given(kernels)
def test_rank_is_decided_as_by_elimination(kernel: Kernel) -> None:
    factors = factor_ldl(as_matrix(kernel))
    assert factors is not None
    assert KernelMatrix(as_matrix(kernel)).basis == [i for i, p in enumerate(factors[1]) if p != 0]


def test_a_prime_that_divides_everything_is_found_out() -> None:
    prime = kernel_matrix.PRIME
    assert KernelMatrix(fmpq_mat([[prime, 0], [0, 1]])).basis == [0, 1]
    assert KernelMatrix(fmpq_mat([[-prime, 0], [0, 1]])).basis is None
    # The denominator of a kernel, not only its numerators.
    assert KernelMatrix(fmpq_mat([[fmpq(1, prime), 0], [0, 1]])).basis == [0, 1]


def test_a_pivot_that_is_zero_and_no_exact_ball_is_decided_exactly() -> None:
    third = fmpq(1, 3)
    matrix = fmpq_mat([[third, third, 0], [third, third, 1], [0, 1, 1]])
    assert KernelMatrix(matrix).basis is None
    close = fmpq_mat([[third, third], [third, third + fmpq(1, 10**400)]])
    assert KernelMatrix(close).basis == [0, 1]


@settings(max_examples=40)
@given(kernels, lambdas)
def test_the_same_data(kernel: Kernel, lam: Fraction) -> None:
    data, exact = both(kernel, lam)
    assert (data.size, data.width, data.unlabelled) == (exact.size, exact.width, exact.unlabelled)
    assert (data.points, data.squared_scales) == (exact.points, exact.squared_scales)
    assert (data.dimension, data.labels) == (exact.dimension, exact.labels)
    assert reduced_rank(data) == reduced_rank(exact)
    rank = enclosed_reduced_rank(data)
    assert rank.lower <= reduced_rank(exact) <= rank.upper
    assert rank.upper - rank.lower < Fraction(1, 2**40)
    assert data.coordinates.gram() == exact.coordinates.gram()


def test_large_kernels_are_kept_in_balls_and_say_what_is_wrong_with_them() -> None:
    size = 25
    unit = [[int(i == k) for k in range(size)] for i in range(size)]
    assert type(kernel_ridge(unit, 1)) is KernelData
    assert type(kernel_ridge([row[:24] for row in unit[:24]], 1)) is Dataset
    nothing = kernel_ridge([[0] * size] * size, 1)
    with pytest.raises(errors.RankZero):
        _ = nothing.dimension
    with pytest.raises(errors.NotPositiveSemidefinite):
        kernel_ridge([[-x for x in row] for row in unit], 1)
    with pytest.raises(errors.NotPositiveSemidefinite):
        kernel_ridge([[1 + int(i != k) for k in range(size)] for i in range(size)], 1)
    assert kernel_ridge([[1] * size] * size, 1).dimension == 1
    assert kernel_ridge(unit, 1, labels=range(size)).labels == (
        *map(Fraction, range(size)),
        *[Fraction(0)] * size,
    )


def overlap(first: Enclosure, second: Enclosure) -> bool:
    return first.lower <= second.upper and second.lower <= first.upper


def check_run(kernel: Kernel, lam: Fraction, gamma: Fraction, seed: int) -> None:
    data, exact = both(kernel, lam)
    ours = run(data, gamma, chooser=Seed(seed))
    theirs = run(exact, gamma, chooser=Seed(seed))
    assert ours.picks == theirs.picks
    for mine, other in zip(ours.steps(), theirs.steps(), strict=True):
        for name in ("upper", "lower", "potential", "probability", "weight"):
            assert overlap(getattr(mine, name), getattr(other, name)), (mine.iteration, name)
    assert str(ours.certificate.by_spectrum) == str(theirs.certificate.by_spectrum)


GAMMAS = st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(9, 20)])


@settings(max_examples=30)
@given(kernels, lambdas, GAMMAS, st.integers(0, 99))
def test_the_same_run(kernel: Kernel, lam: Fraction, gamma: Fraction, seed: int) -> None:
    check_run(kernel, lam, gamma, seed)


def test_kernels_start_with_proved_doubles() -> None:
    data, exact = both(KERNEL, Fraction(1))
    gamma = Fraction(1, 40)
    assert usual_arithmetic(data, gamma, PAPER) == ProvedDoubleArithmetic()
    assert usual_arithmetic(exact, gamma, PAPER).precision == 192


def test_masses_without_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isometric, "FEATURES", 0)
    check_run(KERNEL, Fraction(1, 2), Fraction(1, 4), 3)


#: 1/(1 + (s - t)^2) at six places, one of them twice, and a zero.
PLACES = (0, 1, 1, 3, 4, 7)
KERNEL: Kernel = (
    *((*(Fraction(1, 1 + (s - t) ** 2) for t in PLACES), Fraction(0)) for s in PLACES),
    (Fraction(0),) * 7,
)


def check_doubles(kernel: Kernel, lam: Fraction, gamma: Fraction, seed: int) -> None:
    """Values of a run in doubles are within their stated error of those in balls."""
    data, _ = both(kernel, lam)
    ball, done = (
        run(data, gamma, chooser=Seed(seed), arithmetic=a) for a in (None, DoubleArithmetic())
    )
    assert done.picks == ball.picks
    worst = 1.0
    for mine, truth in zip(done.steps(), ball.steps(), strict=True):
        gap = float(truth.upper) - float(truth.lower)
        worst = max(worst, float(truth.potential) * gap / (4 * data.dimension))
        slack = Fraction(relative_error(mine.iteration, data.dimension, worst))
        for name in ("upper", "potential", "probability", "weight"):
            value, wanted = getattr(mine, name).midpoint, getattr(truth, name)
            assert (
                abs(value - wanted.midpoint)
                <= slack * abs(wanted.midpoint) + wanted.upper - wanted.lower
            ), name
    assert str(done.certificate.by_spectrum) == str(ball.certificate.by_spectrum)


@settings(max_examples=30)
@given(kernels, lambdas, GAMMAS, st.integers(0, 99), st.integers(1, 9))
def test_doubles_by_the_eigenbasis(
    kernel: Kernel, lam: Fraction, gamma: Fraction, seed: int, points: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectral, "POINTS", points)
        check_doubles(kernel, lam, gamma, seed)


@settings(max_examples=30)
@given(kernels, lambdas.filter(bool), st.integers(0, 99), st.data())
def test_the_same_answer(kernel: Kernel, lam: Fraction, seed: int, more: st.DataObject) -> None:
    size = len(kernel)
    labels = more.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    data, exact = both(kernel, lam, labels)
    done = run(data, "9/20", chooser=Seed(seed))
    fit = active_regression(data, Done(done))
    same = WeightedSample(EXACT, done.picks, tuple(rational(w.midpoint) for w in done.weights))
    other = active_regression(exact, Given(same))
    assert (fit.paid, fit.draws, fit.determined) == (other.paid, other.draws, other.determined)
    assert fit.loss is not None
    assert fit.loss.exact
    assert fit.loss == loss(exact, fit.beta)
    for mine, truth in zip(fit.enclosures, other.beta, strict=True):
        # The weights of the exact answer are midpoints: within a hair of the true ones.
        assert abs(mine.midpoint - truth) <= (1 + abs(truth)) / 2**30
    best = optimum(exact)
    assert fit.optimum is not None
    assert overlap(fit.optimum, best[1])
    assert overlap(optimum(data)[1], best[1])
    for mine, star in zip(optimum(data)[0], best[0], strict=True):
        assert overlap(mine, star)


class Given:
    """A sample that was drawn already."""

    def __init__(self, sample: WeightedSample[Any, Any]) -> None:
        self._sample = sample

    def sample(self, data: Dataset, chooser: object) -> WeightedSample[Any, Any]:
        return self._sample


def test_samples_that_do_not_span_are_interpolated_in_balls_and_doubles() -> None:
    labels = [3, 1, 1, -2, 0, 5, 0]
    data, exact = both(KERNEL, Fraction(2), labels)
    chosen = (0, 3, 9, 12)
    half = Fraction(1, 2)
    truth = active_regression(
        exact, Given(WeightedSample(EXACT, chosen, (EXACT.scalar(half),) * 4))
    )
    assert not truth.determined
    fit = active_regression(data, Given(WeightedSample(DoubleArithmetic(), chosen, (0.5,) * 4)))
    assert not fit.determined
    assert all(abs(a - b) < Fraction(1, 10**12) for a, b in zip(fit.beta, truth.beta, strict=True))
    nothing = active_regression(data, Given(WeightedSample(DoubleArithmetic(), (6, 9), (0.5,) * 2)))
    assert set(nothing.beta) == {0}
    # The points 1 and 2 are equal, their labels are not.
    data, exact = both(KERNEL, Fraction(2), [3, 1, 4, -2, 0, 5, 0])
    thirds = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))
    twice = (1, 3, 2)
    truth = active_regression(
        exact, Given(WeightedSample(EXACT, twice, tuple(map(EXACT.scalar, thirds))))
    )
    balls = BallArithmetic()
    for arithmetic, slack in ((DoubleArithmetic(), 10**12), (balls, 10**30)):
        weights = tuple(arithmetic.scalar(w) for w in thirds)
        fit = active_regression(data, Given(WeightedSample(arithmetic, twice, weights)))
        assert not fit.determined
        for mine, other in zip(fit.beta, truth.beta, strict=True):
            assert abs(mine - other) <= (1 + abs(other)) / slack


def test_dependent_points_that_do_not_span_are_not_decided_in_balls() -> None:
    """x_0 + x_1 = x_3, and x_2, which was not drawn, lies between them."""
    points = (numbers(1, 0, 0), numbers(0, 1, 0), numbers(0, 0, 1), numbers(1, 1, 0))
    data, _ = both(gram_of(points), Fraction(1), [1, 2, 3, 4])
    with pytest.raises(errors.PrecisionCeilingReached):
        active_regression(data, Given(WeightedSample(DoubleArithmetic(), (0, 1, 3), (0.5,) * 3)))


def test_a_light_point_beside_a_heavy_one_has_a_narrow_answer() -> None:
    """K of 2^-80, 2^-40 and 2: with the first bits the ball of beta is 10^36 wide."""
    light = Fraction(1, 2**40)
    kernel = (numbers(light**2, light, 0), numbers(light, 2, 0), numbers(0, 0, 1))
    data, exact = both(kernel, Fraction(0), [0, 1, 0])
    balls = BallArithmetic(256)
    one = Fraction(1)
    with balls.working():
        sample = WeightedSample(balls, (0, 1), (balls.scalar(one),) * 2)
    fit = active_regression(data, Given(sample))
    wanted = active_regression(
        exact, Given(WeightedSample(EXACT, (0, 1), (EXACT.scalar(one),) * 2))
    )
    assert not fit.determined
    for mine, other in zip(fit.enclosures, wanted.beta, strict=True):
        assert mine.lower <= other <= mine.upper
        assert mine.upper - mine.lower <= (1 + abs(other)) / 2**50


@settings(max_examples=60)
@given(kernels, lambdas, st.data())
def test_any_sample_has_the_exact_answer(
    kernel: Kernel, lam: Fraction, more: st.DataObject
) -> None:
    """Points that span, or not, with any weights; a rank that balls do not find is refused."""
    size = len(kernel)
    labels = more.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    data, exact = both(kernel, lam, labels)
    picks = tuple(more.draw(st.lists(st.integers(0, 2 * size - 1), min_size=1, max_size=size + 2)))
    weights = [
        more.draw(st.sampled_from([Fraction(1, 8), Fraction(1), Fraction(5)])) for _ in picks
    ]
    truth = Given(WeightedSample(EXACT, picks, tuple(map(EXACT.scalar, weights))))
    balls = BallArithmetic(256)
    with balls.working():
        sample = WeightedSample(balls, picks, tuple(map(balls.scalar, weights)))
    try:
        wanted = active_regression(exact, truth)
    except errors.RankZero:  # every point of the sample is zero
        assert set(active_regression(data, Given(sample)).beta) == {0}
        return
    try:
        fit = active_regression(data, Given(sample))
    except errors.PrecisionCeilingReached:
        assert data.dimension < size
        return
    assert fit.determined == wanted.determined
    for mine, other in zip(fit.enclosures, wanted.beta, strict=True):
        assert mine.lower <= other <= mine.upper
        assert mine.upper - mine.lower <= (1 + abs(other)) / 2**50


@settings(max_examples=40)
@given(kernels, lambdas, st.data())
def test_spectra_are_decided_as_exactly(kernel: Kernel, lam: Fraction, more: st.DataObject) -> None:
    data, exact = both(kernel, lam)
    weight = st.sampled_from(
        [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(9, 8), Fraction(3)]
    )
    weights = {i: more.draw(weight) for i in range(exact.size)}
    low, high = Fraction(3, 4), Fraction(5, 4)
    truth = sandwiched(exact, weights)
    found = kernel_spectrum.kernel_sandwiched(data, weights, low, high)
    assert found.undecided or str(found) == str(truth)
    assert str(sandwiched(data, weights)) == str(truth)
    assert kernel_spectrum.kernel_sandwiched(
        data, {i: Fraction(1) for i in weights}, low, high
    ).holds
    assert kernel_spectrum.kernel_sandwiched(data, {}, low, high).fails


def test_an_end_that_is_met_is_decided_exactly() -> None:
    data, _ = both(KERNEL, Fraction(1, 3))
    low, high = Fraction(3, 4), Fraction(5, 4)
    for end in (low, high):
        weights = dict.fromkeys(range(data.size), end)
        assert kernel_spectrum.kernel_sandwiched(data, weights, low, high).undecided
        assert sandwiched(data, weights).holds
    beyond = dict.fromkeys(range(data.size), high + Fraction(1, 10**30))
    assert kernel_spectrum.kernel_sandwiched(data, beyond, low, high).undecided
    assert sandwiched(data, beyond).fails


def test_the_kernel_of_gauss() -> None:
    rows = rbf_kernel([[0, 0], [3, 4], [0, 0], [1, 0]], "5/2")
    assert all(rows[i][k] == rows[k][i] for i in range(4) for k in range(4))
    assert rows[0] == rows[2]
    assert [row[i] for i, row in enumerate(rows)] == [1] * 4
    with ctx.workprec(600):
        for value, exponent in ((rows[0][1], fmpq(-2)), (rows[0][3], fmpq(-2, 25))):
            error = abs(arb(rational(value)) - arb(exponent).exp())
            assert error * arb(2) ** BITS <= 1
    for wrong in (0, -1):
        with pytest.raises(errors.LengthOutOfRange):
            rbf_kernel([[1]], wrong)
    assert kernel_ridge(rbf_kernel([[i] for i in range(30)], 2), 1).dimension == 30


def _without_the_root(patch: pytest.MonkeyPatch) -> None:
    """X_2 = lambda L^T instead of sqrt(lambda) L^T."""
    original = Isometry.__init__

    def init(self: Isometry, kernel: KernelMatrix, lam: fmpq, bits: int) -> None:
        original(self, kernel, lam, bits)
        rows, size = self.rows.tolist(), kernel.size
        with ctx.workprec(bits):
            root = arb(lam).sqrt()
            self.rows = arb_mat([*rows[:size], *([x * root for x in row] for row in rows[size:])])

    patch.setattr(Isometry, "__init__", init)


def _in_another_order(patch: pytest.MonkeyPatch) -> None:
    """The rows of X_2 without the zero rows between them."""
    original = Isometry.__init__

    def init(self: Isometry, kernel: KernelMatrix, lam: fmpq, bits: int) -> None:
        original(self, kernel, lam, bits)
        rows, size = self.rows.tolist(), kernel.size
        basis = kernel.basis or []
        rest = [row for i, row in enumerate(rows[size:]) if i not in basis]
        self.rows = arb_mat([*rows[:size], *(rows[size + i] for i in basis), *rest])

    patch.setattr(Isometry, "__init__", init)


def _trusting_the_prime(patch: pytest.MonkeyPatch) -> None:
    """Rows that do not follow from the others are left out."""
    patch.setattr(KernelMatrix, "_guess", [0, 1])
    patch.setattr(KernelMatrix, "_follow", lambda *_: True)


@pytest.mark.parametrize("plant", [_without_the_root, _in_another_order, _trusting_the_prime])
def test_planted_mistakes_are_seen(plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError):
            check_isometry(KERNEL, Fraction(1, 2))
    check_isometry(KERNEL, Fraction(1, 2))


def test_a_forgotten_point_is_seen_in_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """An eigenbasis computed anew without the last point that was taken."""
    original = spectral.Eigenbasis.of

    def forgetful(matrix: Any, rows: Any) -> spectral.Eigenbasis:
        basis = original(matrix, rows)
        basis.values[-1] *= 1 - 1e-9
        return basis

    monkeypatch.setattr(spectral, "POINTS", 5)
    check_doubles(KERNEL, Fraction(1), Fraction(1, 4), 1)
    monkeypatch.setattr(spectral.Eigenbasis, "of", staticmethod(forgetful))
    with pytest.raises(AssertionError):
        check_doubles(KERNEL, Fraction(1), Fraction(1, 4), 1)


def test_forms_by_the_eigenbasis_are_matrices_where_they_must_be() -> None:
    """Sums that Algorithm 2 does not make, as the kept variants do."""
    frame = spectral.SpectralFrame(np.array([[0.5, 0.0], [0.0, 0.5], [0.5, 0.5]]), np.eye(2))
    first, second = frame.outer_product(0), frame.outer_product(1)
    drawn = frame.zero() + first * 2.0
    shifted = frame.gram * 3.0 - drawn
    sums: list[tuple[spectral.DoubleForm, tuple[float, float]]] = [
        (drawn + second, (0.5, 0.25)),
        (first + second, (0.25, 0.25)),
        (drawn - first, (0.25, 0.0)),
        (first - second, (0.25, -0.25)),
        (shifted, (2.5, 3.0)),
        (drawn + frame.gram, (1.5, 1.0)),
        (frame.gram + drawn, (1.5, 1.0)),
        (shifted + drawn, (3.0, 3.0)),
        (shifted + first, (2.75, 3.0)),
        (drawn * 2.0 + first, (1.25, 0.0)),
        (shifted.inverse() + spectral.DoubleForm(np.eye(2)), (1 + 0.4, 1 + 1 / 3)),
    ]
    for form, diagonal in sums:
        assert form.entries.tolist() == np.diag(diagonal).tolist()
    trace, masses = frame.evaluate(sums[-1][0])
    assert (trace, masses) == (1.4 + 4 / 3, [0.35, 1 / 3, 0.35 + 1 / 3])
    for singular in (frame.gram * 0.0, frame.gram * 0.5 - drawn):
        with pytest.raises(errors.BarrierCrossed):
            frame.evaluate(singular.inverse())
        with pytest.raises(errors.BarrierCrossed):
            _ = singular.inverse().entries


def test_kept_runs_on_kernel_data() -> None:
    data, exact = both(KERNEL, Fraction(1))
    variant = one_sided(data, 4, "1/2")
    assert variant == one_sided(exact, 4, "1/2")
    runs = [
        kept_run(each, variant, chooser=Seed(2), arithmetic=arithmetic)
        for each, arithmetic in ((exact, None), (data, None), (data, DoubleArithmetic()))
    ]
    assert len({done.picks for done in runs}) == 1


def test_a_certificate_that_balls_leave_open_is_decided_exactly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What balls decide is taken as it is; the exact rows decide the rest."""
    data = KernelData(((Fraction(1),),), Fraction(1), (None,))
    weights = {0: Fraction(1), 1: Fraction(1)}
    assert sandwiched(data, weights).holds
    for answer, holds in ((FAILS, False), (undecided(), True)):
        monkeypatch.setattr(certificate, "kernel_sandwiched", lambda *_, answer=answer: answer)
        assert sandwiched(data, weights).holds is holds


def test_only_rounding_arithmetics_solve_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    data = KernelData(((Fraction(1),),), Fraction(1), (None,))
    called: list[object] = []
    monkeypatch.setattr(algorithm1_regression, "kernel_least_squares", lambda *_: called.append(1))
    for precision, times in ((53, 1), (None, 1)):
        sample: Any = SimpleNamespace(arithmetic=SimpleNamespace(precision=precision), picks=())
        if precision is None:
            with pytest.raises(AttributeError):  # it goes on, and this sample knows no more
                algorithm1_regression.weighted_least_squares(data, sample, {})
        else:
            algorithm1_regression.weighted_least_squares(data, sample, {})
        assert len(called) == times
