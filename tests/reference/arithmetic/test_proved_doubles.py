"""Doubles with proved bounds: every bound holds the truth, and one that lacks a term is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from asura import errors, rounding
from asura.algorithm2_asura import Asura
from asura.arithmetic import BallArithmetic, proved_double, proved_spectral
from asura.arithmetic.proved_double import ProvedDoubleArithmetic, ProvedMasses, Totals
from asura.arithmetic.proved_spectral import Rows, resolvent, tilted_basis, upright_basis
from asura.arithmetic.tracked import Tracked
from asura.dataset import KernelData, kernel_ridge
from asura.kept.runs import KeptRun, kept_run
from asura.kept.variants import Variant, one_sided, two_sided
from asura.randomness import Seed, Uniforms
from asura.rbf import rbf_kernel
from asura.rounding import Doubles, careful_product
from asura.run import Run, run
from asura.scalars import Enclosure, rational
from asura.stopping import sure
from tests.reference.test_kernel_data import KERNEL, Kernel, both, gram_of, kernels

#: Beyond those of other tests: kernels of numbers from 10^-240 to 10^120.
SCALES = st.sampled_from([Fraction(10) ** k for k in (-120, -9, 0, 0, 0, 9, 60)])
LAMBDAS = st.sampled_from(
    [Fraction(k) for k in ("0", "1e-100", "1e-9", "1/3", "1", "1000000000", "1e100")]
)
GAMMAS = st.sampled_from(
    [Fraction(k) for k in ("1/10", "1/5", "1/3", "9/20", "499/1000", "49999/100000")]
)


@st.composite
def wide_kernels(draw: st.DrawFn) -> Kernel:
    """Points of very different lengths, some of them zero, equal or dependent."""
    size, width = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    entry = st.integers(-3, 3).map(Fraction)
    rows = []
    for _ in range(size):
        scale = draw(SCALES)
        rows.append(tuple(scale * draw(entry) for _ in range(width)))
    return gram_of(tuple(rows))


ALL_KERNELS = st.one_of(kernels, wide_kernels())


# Products of matrices.

DOUBLES = st.floats(-4, 4, width=32).map(float) | st.sampled_from([2.0**-40, -1e-12, 1e-300, 0.1])


def check_product(left: Doubles, right: Doubles) -> None:
    product, bound = careful_product(left, right)
    exact = [
        [
            sum((Fraction(a) * Fraction(b) for a, b in zip(row, column, strict=True)), Fraction(0))
            for column in right.T.tolist()
        ]
        for row in left.tolist()
    ]
    for mine, truth, error in zip(product.tolist(), exact, bound.tolist(), strict=True):
        square = sum(
            ((Fraction(a) - b) ** 2 for a, b in zip(mine, truth, strict=True)), Fraction(0)
        )
        assert square <= Fraction(error) ** 2


@given(st.data(), st.integers(1, 4), st.integers(1, 6), st.integers(1, 4))
def test_products_are_within_their_bounds(data: st.DataObject, m: int, k: int, n: int) -> None:
    entries = data.draw(st.lists(DOUBLES, min_size=(m + n) * k, max_size=(m + n) * k))
    left, right = np.array(entries[: m * k]).reshape(m, k), np.array(entries[m * k :]).reshape(k, n)
    check_product(left, right)
    check_product(np.hstack([left, -left]), np.vstack([right, right * (1 + 2.0**-45)]))


def thirds(rows: int, columns: int) -> Doubles:
    return 1 / (3.0 + np.arange(rows * columns).reshape(rows, columns))


def check_thirds() -> None:
    left, right = thirds(3, 40), thirds(40, 3)
    check_product(left, right)
    check_product(np.hstack([left, -left]), np.vstack([right, right]))


def _no_rounding(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounding, "UNIT", 0.0)


def _no_sums(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounding, "gamma", lambda _: 0.0)
    patch.setattr(rounding, "UNIT", 0.0)


def _too_many_leading_bits(patch: pytest.MonkeyPatch) -> None:
    original = rounding._leading
    patch.setattr(rounding, "_leading", lambda matrix, bits: original(matrix, bits + 12))


@pytest.mark.parametrize("plant", [_no_rounding, _no_sums, _too_many_leading_bits])
def test_planted_mistakes_in_products_are_seen(plant: Callable[[Any], None]) -> None:
    check_thirds()
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError):
            check_thirds()


# Numbers with errors.

MIDS = st.floats(-1e6, 1e6).filter(lambda x: abs(x) > 1e-3)
SMALL = st.floats(-(2.0**-12), 2.0**-12)


@st.composite
def tracked_pairs(draw: st.DrawFn) -> tuple[Tracked, Tracked]:
    found = []
    for _ in range(2):
        mid = draw(MIDS)
        parts = np.array(draw(st.lists(SMALL, max_size=3)), dtype=np.float64) * mid
        found.append(Tracked(mid, parts, abs(draw(SMALL) * mid)))
    return found[0], found[1]


def at(value: Tracked, symbols: list[Fraction], rest: Fraction) -> Fraction:
    """The number for one choice of its errors."""
    linear = sum(
        (Fraction(p) * e for p, e in zip(value.parts.tolist(), symbols, strict=False)), Fraction(0)
    )
    return Fraction(value.mid) + linear + rest * Fraction(value.rest)


def check_operations(first: Tracked, second: Tracked) -> None:
    operations: list[Callable[[Any, Any], Any]] = [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x * y,
        lambda x, y: x / y,
    ]
    for operation in operations:
        result = operation(first, second)
        for signs in ((1, 1, 1, 1), (1, -1, 1, -1), (-1, 1, 1, 1), (-1, -1, -1, 1), (0, 1, 0, -1)):
            symbols = [Fraction(sign) for sign in signs[:3]]
            rest = Fraction(signs[3])
            for other in (rest, -rest):
                truth = operation(at(first, symbols, rest), at(second, symbols, other))
                # What the symbols do not explain is in the rest.
                assert abs(truth - at(result, symbols, Fraction(0))) <= Fraction(result.rest)
                assert truth in result.enclosure


@given(tracked_pairs())
def test_operations_know_their_errors(pair: tuple[Tracked, Tracked]) -> None:
    check_operations(*pair)


def _bare(first: Tracked, second: Tracked, name: str) -> Tracked:
    """The operation without its rest."""
    done: Tracked = getattr(Tracked, f"_original{name}")(first, second)
    return Tracked(done.mid, done.parts, first.rest + second.rest)


def _without_rest(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Tracked, f"_original{name}", getattr(Tracked, name), raising=False)
        patch.setattr(Tracked, name, lambda x, y: _bare(x, y, name))

    return plant


@pytest.mark.parametrize("name", ["__add__", "__sub__", "__mul__", "__truediv__"])
def test_operations_without_their_rounding_are_seen(name: str) -> None:
    pair = Tracked(0.7, np.array([0.01])), Tracked(34.4, np.array([0.3, 0.01]))
    check_operations(*pair)
    with pytest.MonkeyPatch.context() as patch:
        _without_rest(name)(patch)
        with pytest.raises(AssertionError):
            check_operations(*pair)


def test_numbers_that_may_be_zero_divide_nothing() -> None:
    with pytest.raises(errors.Undecided):
        _ = Tracked(1.0) / Tracked(1.0, np.array([0.5]), 0.5)


def test_a_rest_that_becomes_a_symbol_is_kept() -> None:
    value = Tracked(2.0, np.array([0.25]), 0.5).with_symbol(3)
    assert value.parts.tolist() == [0.25, 0.0, 0.0, 0.5]
    assert value.rest == 0.0


# Inverses.

POINTS_TAKEN = [0, 3, 4, 0, 5]
BITS = 300


def true_inverse(data: KernelData, coefficients: list[Fraction]) -> tuple[arb_mat, arb_mat]:
    """Q with Q_xy = U_x^T F^-1 U_y for F = sum k_x U_x U_x^T, and the rows U."""
    rows = data.isometry(BITS).rows
    scaled = arb_mat(
        [
            [arb(rational(k)) * x for x in row]
            for k, row in zip(coefficients, rows.tolist(), strict=True)
        ]
    )
    form = scaled.transpose() * rows
    return rows * form.solve(rows.transpose(), algorithm="lu"), rows


def _exceeds(value: arb, bound: float) -> bool:
    return bool(abs(value) > bound)


def check_inverse(data: KernelData, *, pool: int | None, factor: float, close: float) -> None:
    """Masses, products and squares of a form near the edge of definiteness, against balls."""
    frame = ProvedDoubleArithmetic().frame(data)
    rows: Rows = frame._rows
    base = np.where(np.arange(data.size) % 3 == 0, 1 / 3, 0.7)
    weights = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    total = [Fraction(float(w)) for w in base]
    for index, weight in zip(POINTS_TAKEN, weights.tolist(), strict=True):
        total[index] += Fraction(weight)
    entries = rows.entries
    # Definite with the points taken where they are subtracted, and before where they are added.
    heavy = np.array([float(w) for w in total]) if factor < 0 else base
    spectrum = np.linalg.eigvalsh(entries.T @ (heavy[:, None] * entries))
    edge = spectrum[-1] if factor < 0 else -spectrum[0]
    along = float(edge + close)
    with ctx.workprec(BITS + 64):
        if pool is None:
            basis = upright_basis(rows, base)
            coefficients = [Fraction(along) + int(factor) * w for w in total]
        else:
            fixed = Tracked(float(edge + close + 2), rest=2.0**-60)
            along = 0.5
            basis = tilted_basis(rows, pool, fixed, 0.25, factor, base)
            coefficients = [
                Fraction(fixed.mid) + Fraction(along) * int(x < pool) + int(factor) * w
                for x, w in enumerate(total)
            ]
        found = resolvent(basis, along, factor, POINTS_TAKEN, weights)
        truth, _ = true_inverse(data, coefficients)
        span = range(data.size)
        heights = found.sizes.tolist()
        for y in span:
            products = found.products(y).tolist()
            for x in span:
                bound = found.epsilon * (heights[x] * heights[y]) ** 0.5
                assert not _exceeds(truth[x, y] - arb(products[x]), bound)
            assert not _exceeds(
                truth[y, y] - arb(float(found.masses[y])), found.epsilon * heights[y]
            )
            among = range(data.size if pool is None else pool)
            square = sum((truth[x, y] * truth[x, y] for x in among), arb(0))
            bound = found.square_error * heights[y]
            assert not _exceeds(square - arb(float(found.squares[y])), bound)


def check_both_signs(data: KernelData, pool: int | None) -> None:
    for factor in (-1.0, 1.0):
        check_inverse(data, pool=pool, factor=factor, close=1.0)


CASES = [(None, -1.0), (None, 1.0), (7, -1.0), (7, 1.0)]


@pytest.mark.parametrize(("pool", "factor"), CASES)
@pytest.mark.parametrize("close", [10.0, 1.0, 1e-2, 1e-4])
@pytest.mark.parametrize("lam", ["1/1000000", "1", "1000"])
def test_inverses_are_within_their_bounds(
    pool: int | None, factor: float, close: float, lam: str
) -> None:
    data, _ = both(KERNEL, Fraction(lam))
    check_inverse(data, pool=pool, factor=factor, close=close)


def _crooked(name: str, place: int, size: float) -> Callable[[pytest.MonkeyPatch], None]:
    """LAPACK with a wrong last digit, or a whole wrong half."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        original = getattr(np.linalg, name)

        def wrong(matrix: Doubles) -> Any:
            found = original(matrix)
            if name != "eigh":
                return found + size * np.ones_like(found)
            parts = [np.array(part) for part in found]
            parts[place] = parts[place] + size * np.arange(parts[place].size).reshape(
                parts[place].shape
            )
            return parts

        patch.setattr(np.linalg, name, wrong)

    return plant


def _stretched(patch: pytest.MonkeyPatch) -> None:
    """Eigenvectors that are too long, and eigenvalues that fit them."""
    original = np.linalg.eigh

    def wrong(matrix: Doubles) -> Any:
        values, vectors = original(matrix)
        return values * (1 + 2e-9), vectors * (1 + 1e-9)

    patch.setattr(np.linalg, "eigh", wrong)


CROOKED = [
    _crooked("eigh", 0, 1e-9),
    _crooked("eigh", 1, 1e-9),
    _crooked("inv", 0, 1e-9),
    _crooked("cholesky", 0, 1e-9),
    _stretched,
]


@pytest.mark.parametrize("crook", CROOKED)
@pytest.mark.parametrize(("pool", "factor"), CASES)
def test_the_bounds_do_not_trust_lapack(
    pool: int | None, factor: float, crook: Callable[[Any], None]
) -> None:
    """An eigenvalue, an eigenvector or an inverse that is off by 10^-9: the bounds are wider."""
    data, _ = both(KERNEL, Fraction(1))
    with pytest.MonkeyPatch.context() as patch:
        crook(patch)
        check_inverse(data, pool=pool, factor=factor, close=1.0)


def _shrunk(**changes: float) -> Callable[[pytest.MonkeyPatch], None]:
    """A basis or a resolvent whose bounds are multiplied."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        for name in ("upright_basis", "tilted_basis", "resolvent"):
            original = getattr(proved_spectral, name)

            def shrunk(*given: Any, _original: Any = original) -> Any:
                found = _original(*given)
                own = {k: v for k, v in changes.items() if hasattr(found, k)}
                return replace(found, **{k: getattr(found, k) * v for k, v in own.items()})

            patch.setattr(f"{__name__}.{name}", shrunk)
            patch.setattr(proved_double, name, shrunk, raising=False)

    return plant


def _forgetful(patch: pytest.MonkeyPatch) -> None:
    """T S T^T is believed to be I."""
    original = rounding.norm_up
    patch.setattr(proved_spectral, "norm_up", lambda x: 0.0 if x.shape == (5, 5) else original(x))


@pytest.mark.parametrize(
    ("crook", "plant", "pool"),
    [
        (None, _shrunk(epsilon=1e-4), None),
        (None, _shrunk(square_error=1e-5), None),
        (CROOKED[0], _shrunk(form_error=0.0), None),
        (CROOKED[1], _shrunk(form_error=0.0, slope_error=0.0), None),
        (CROOKED[4], _shrunk(slope_error=0.0), None),
        (CROOKED[0], _shrunk(slope_error=0.0), 7),
        (CROOKED[1], _shrunk(form_error=0.0), 7),
        (CROOKED[2], _forgetful, None),
    ],
)
def test_bounds_that_lack_a_term_are_seen(
    crook: Callable[[Any], None] | None, plant: Callable[[Any], None], pool: int | None
) -> None:
    data, _ = both(KERNEL, Fraction(1))
    with pytest.MonkeyPatch.context() as patch:
        if crook is not None:
            crook(patch)
        plant(patch)
        with pytest.raises(AssertionError):
            check_both_signs(data, pool)


# Whole runs.


def inside(mine: Enclosure, other: Enclosure) -> bool:
    """Whether the narrow one is inside: then the wide one holds the truth."""
    return mine.lower <= other.lower and other.upper <= mine.upper


def check_run(data: KernelData, gamma: Fraction, chooser: Any, *, certified: bool = True) -> int:
    """The picks and the uniforms of balls, and every value; the bits that decided it."""
    mine: Run[Any, Any] = run(data, gamma, chooser=chooser)
    truth: Run[Any, Any] = run(data, gamma, chooser=chooser, arithmetic=BallArithmetic(256))
    assert mine.picks == truth.picks
    bits = mine.arithmetic.precision
    assert bits is not None
    if bits == 53:
        for own, other in zip(mine.steps(), truth.steps(), strict=True):
            assert own.uniform == other.uniform
            for name in ("upper", "lower", "potential", "probability", "weight"):
                assert inside(getattr(own, name), getattr(other, name)), (own.iteration, name)
        for record, narrow in zip(mine.iterations, truth.iterations, strict=True):
            masses, others = record.distribution.masses, narrow.distribution.masses
            for index in range(data.size):
                assert masses[index].contains(others[index]), (record.iteration, index)
        for mine_entry, entry in zip(
            mine.final.accumulated.entries(), truth.final.accumulated.entries(), strict=True
        ):
            assert mine_entry.overlaps(entry)
        if certified:
            assert str(mine.certificate.by_spectrum) == str(truth.certificate.by_spectrum)
            assert str(mine.certificate.by_barriers) == str(truth.certificate.by_barriers)
    return bits


@settings(max_examples=60)
@given(ALL_KERNELS, LAMBDAS, GAMMAS, st.integers(0, 99), st.sampled_from([1, 3, 24]))
def test_runs_hold_those_of_balls(
    kernel: Kernel, lam: Fraction, gamma: Fraction, seed: int, points: int
) -> None:
    data, _ = both(kernel, lam)
    try:
        _ = data.dimension
    except errors.RankZero:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proved_double, "POINTS", points)
        check_run(data, gamma, Seed(seed))


def test_most_runs_are_decided_in_doubles() -> None:
    for gamma in ("1/8", "2/5", "49999/100000"):
        for lam in ("0", "1/1000000000", "1", "1000000000"):
            data, _ = both(KERNEL, Fraction(lam))
            assert check_run(data, Fraction(gamma), Seed(3)) == 53


@pytest.fixture(scope="module")
def gauss() -> KernelData:
    """Thirty points of the kernel of Gauss, one of them twice."""
    points = [[i % 6, (i * i) % 7, i % 5] for i in range(29)] + [[0, 0, 0]]
    data = kernel_ridge(rbf_kernel(points, 2), "1/2")
    assert isinstance(data, KernelData)
    assert data.dimension < data.width
    return data


def test_a_larger_kernel(gauss: KernelData) -> None:
    assert check_run(gauss, Fraction(2, 5), Seed(1)) == 53


def test_a_tie_is_left_to_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A uniform within 2^-48 of the border between two points: 32 roundings."""
    data, _ = both(KERNEL, Fraction(1))
    first = run(data, "2/5", chooser=Seed(1), arithmetic=BallArithmetic(256)).iterations[0]
    total = first.distribution.potential
    with ctx.workprec(256):
        share = (first.distribution.masses[0] + first.distribution.masses[1]) / total
        border = BallArithmetic(256).enclosure(share).midpoint
    others = (Fraction(1, 3),) * 200
    for nudge in (Fraction(-1, 2**48), Fraction(1, 2**48)):
        uniforms = Uniforms((border + nudge, *others))
        assert check_run(data, Fraction(2, 5), uniforms) == 128
    monkeypatch.setattr(ProvedMasses, "doubt", 0.0)  # planted: what doubles say is believed
    monkeypatch.setattr(Tracked, "radius", 0.0)
    bits = run(data, "2/5", chooser=Uniforms((border + nudge, *others))).arithmetic.precision
    assert bits == 53


def test_a_state_can_be_gone_on_from_twice(gauss: KernelData) -> None:
    """Two ways on from one state, and back: nothing of the other way is left behind."""
    arithmetic = ProvedDoubleArithmetic()
    text: Asura[Any, Any] = Asura(gauss, Fraction(2, 5), arithmetic)
    state = text.initial()
    for index in (1, 40, 7, 3):
        state = text.step(state, index)
    before = text.distribution(state).potential.enclosure
    one, two = text.step(state, 5), text.step(state, 9)
    found = [text.distribution(each).potential.enclosure for each in (one, two, state)]
    assert found[2].midpoint == before.midpoint
    balls = BallArithmetic(256)
    with balls.working():
        other: Asura[Any, Any] = Asura(gauss, Fraction(2, 5), balls)
        start = other.initial()
        for index in (1, 40, 7, 3):
            start = other.step(start, index)
        for mine, index in zip(found, (5, 9), strict=False):
            potential = other.distribution(other.step(start, index)).potential
            assert inside(mine, balls.enclosure(potential))


def test_what_a_run_does_not_ask_for_is_left_to_balls(gauss: KernelData) -> None:
    arithmetic = ProvedDoubleArithmetic()
    frame = arithmetic.frame(gauss)
    taken = frame.zero() + frame.outer_product(0) * Tracked(1.0)
    for attempt in (
        lambda: taken * Tracked(2.0),
        lambda: taken + taken,
        lambda: frame.solve(taken, []),
        lambda: frame.lift([]),
        lambda: arithmetic.frame(both(KERNEL, Fraction(1))[1]),
    ):
        with pytest.raises(errors.Undecided):
            attempt()
    assert arithmetic.positive_definite(frame.gram * Tracked(2.0) - taken).holds
    assert arithmetic.positive_definite(frame.gram * Tracked(0.1) - taken).undecided
    rows = gauss.isometry(128).rows
    for index, column in ((0, 0), (3, 2), (40, 5)):
        found = frame.coordinate(index, column).enclosure
        assert inside(found, BallArithmetic().enclosure(rows[index, column]))
    root = arithmetic.root(Fraction(2)).enclosure
    assert root.lower**2 < 2 < root.upper**2
    assert Fraction(1, 3) in arithmetic.scalar(Fraction(1, 3)).enclosure
    assert arithmetic.scalar(Fraction(1, 4)).enclosure.exact
    tiny = Fraction(1, 10**400)  # beyond the doubles: not zero, and not infinite
    assert tiny in arithmetic.scalar(tiny).enclosure
    assert arithmetic.root(tiny).enclosure.upper ** 2 >= tiny
    with pytest.raises(errors.Undecided):
        arithmetic.scalar(1 / tiny)
    nothing = Rows(np.full((2, 1), np.nan), 0.0)
    with pytest.raises(errors.Undecided):
        resolvent(upright_basis(nothing, np.ones(2)), 1.0, 1.0, [], np.zeros(0))


# The kept variants.


def check_kept(data: KernelData, variant: Variant, seed: int) -> int:
    mine: KeptRun[Any, Any] = kept_run(data, variant, chooser=Seed(seed))
    truth = kept_run(data, variant, chooser=Seed(seed), arithmetic=BallArithmetic(256))
    assert mine.picks == truth.picks
    bits = mine.arithmetic.precision
    assert bits is not None
    if bits == 53:
        views: list[Callable[[Any], Any]] = [
            lambda record: record.progress,
            lambda record: record.weight,
            lambda record: record.distribution.potential,
            lambda record: record.distribution.masses[0],
        ]
        for own, other in zip(mine.iterations, truth.iterations, strict=True):
            assert own.uniform == other.uniform
            for view in views:
                assert view(own).contains(view(other)), own.iteration
        assert inside(mine.progress, truth.progress)
        for weight, narrow in zip(mine.weights, truth.weights, strict=True):
            assert inside(weight, narrow)
    return bits


@st.composite
def kept_cases(draw: st.DrawFn) -> tuple[KernelData, Variant]:
    data, _ = both(draw(ALL_KERNELS), draw(LAMBDAS))
    if draw(st.booleans()):
        draws = draw(st.sampled_from(["1/2", "2", "5", "33/2"]))
        nu = draw(st.sampled_from(["1/100", "1/2", "99/100"]))
        ending = draw(st.sampled_from(["clip", "coin"]))
        return data, one_sided(data, draws, nu, ending=ending)
    gamma = draw(GAMMAS.filter(lambda value: value > Fraction(1, 10)))
    if draw(st.booleans()):
        return data, two_sided(data, gamma)
    level = draw(st.sampled_from([Fraction(1), Fraction(1, 2)]))
    ending = draw(st.sampled_from(["clip", "coin", "overshoot"]))
    return data, two_sided(data, gamma, stopping=sure(level), ending=ending)


@settings(max_examples=60)
@given(kept_cases(), st.integers(0, 99))
def test_kept_runs_hold_those_of_balls(case: tuple[KernelData, Variant], seed: int) -> None:
    try:
        _ = case[0].dimension
    except errors.RankZero:
        return
    check_kept(*case, seed)


def test_kept_runs_on_a_larger_kernel(gauss: KernelData) -> None:
    assert check_kept(gauss, one_sided(gauss, 12, "1/2"), 1) == 53
    assert check_kept(gauss, two_sided(gauss, "2/5"), 1) == 53


def test_many_points_have_a_rank_of_few_digits(
    gauss: KernelData, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = one_sided(gauss, 12, "1/2")
    monkeypatch.setattr("asura.kept.variants.EXACT_RANK", 29)
    close = one_sided(gauss, 12, "1/2")
    assert (exact.exact_rank, close.exact_rank) == (True, False)
    assert abs(exact.reduced_rank - close.reduced_rank) <= Fraction(1, 2**50)
    assert exact.reduced_rank != close.reduced_rank
    assert check_kept(gauss, close, 1) == 53
    # With N = 1 the first step ends within 2^-50 of the goal, and balls say on which side.
    assert check_kept(gauss, one_sided(gauss, 1, "1/2"), 1) == 128


# What carries the errors along.

CHOICES = [(1, 1, 1), (1, -1, 1), (-1, -1, 1), (0, 1, -1), (-1, 1, 0)]


def check_first_order(data: KernelData, pool: int | None, size: float) -> None:
    """Masses from weights and a shift that are off by `size`: to first order as the symbols say."""
    frame = ProvedDoubleArithmetic().frame(data)
    frame.symbols = 3
    symbols = {0: (1, 0, 2), 3: (0, 3, 0), 8: (-2, 1, 1)}
    along = Tracked(11.0, size * np.array([1.0, -2.0, 3.0]))
    taken = frame.zero()
    for index, parts in symbols.items():
        weight = Tracked(1.0 + index / 4, size * np.array(parts, dtype=np.float64))
        taken = taken + frame.outer_product(index) * weight
    if pool is None:
        moving, fixed = frame.gram * along, Fraction(0)
        forms = (moving - taken, moving + taken)
    else:
        moving, fixed = frame.leading_gram(pool) * along, Fraction(9)
        start = frame.gram * Tracked(9.0)
        forms = (start + moving - taken, taken + start + moving)
    potential, masses = frame.evaluate(proved_double.Bracket(forms))
    span = range(data.size)
    among = range(len(masses))
    for signs in CHOICES:
        errors_now = [Fraction(sign) for sign in signs]
        own = [Fraction(0)] * (len(potential.parts) - 3)
        weights = {
            index: Fraction(1.0 + index / 4)
            + sum(
                (Fraction(size * k) * e for k, e in zip(parts, errors_now, strict=True)),
                Fraction(0),
            )
            for index, parts in symbols.items()
        }
        shift = at(along, errors_now, Fraction(0))
        with ctx.workprec(BITS + 64):
            truth = [arb(0)] * data.size
            for factor in (-1, 1):
                coefficients = [
                    fixed + (shift if x in among else 0) + factor * weights.get(x, Fraction(0))
                    for x in span
                ]
                inverse, _ = true_inverse(data, coefficients)
                truth = [known + inverse[x, x] for x, known in enumerate(truth)]
            for x in among:
                mass = masses[x]
                expected = arb(rational(at(mass, errors_now + own, Fraction(0))))
                assert not _exceeds(truth[x] - expected, mass.rest)
                assert mass.rest <= 100 * size * size + 1e-9  # or it would show nothing
            total = sum((truth[x] for x in among), arb(0))
            expected = arb(rational(at(potential, errors_now + own, Fraction(0))))
            assert not _exceeds(total - expected, abs(float(potential.parts[-1])))


@pytest.mark.parametrize("pool", [None, 7])
@pytest.mark.parametrize("size", [1e-3, 1e-6, 1e-12])
def test_errors_are_followed_to_first_order(pool: int | None, size: float) -> None:
    data, _ = both(KERNEL, Fraction(1, 3))
    check_first_order(data, pool, size)


def _turned_around(patch: pytest.MonkeyPatch) -> None:
    """Errors of the weights with the wrong sign."""
    original = Totals.combined

    def wrong(self: Totals, coefficients: Doubles) -> tuple[Doubles, float]:
        parts, rest = original(self, coefficients)
        return -parts, rest

    patch.setattr(Totals, "combined", wrong)


def _forgotten_weights(patch: pytest.MonkeyPatch) -> None:
    """Errors of the weights are not carried on."""
    patch.setattr(Totals, "combined", lambda self, _: (np.zeros(self.symbols), 0.0))


def _forgotten_shift(patch: pytest.MonkeyPatch) -> None:
    """The error of the shift is not carried on."""
    known: Any = proved_double.ProvedForm.along
    patch.setattr(
        proved_double.ProvedForm, "along", property(lambda form: Tracked(known.fget(form).mid))
    )


def _no_second_order(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ProvedMasses, "_theta", lambda *_: 0.0)


@pytest.mark.parametrize("pool", [None, 7])
@pytest.mark.parametrize(
    "plant", [_turned_around, _forgotten_weights, _forgotten_shift, _no_second_order]
)
def test_errors_that_are_lost_on_the_way_are_seen(
    plant: Callable[[Any], None], pool: int | None
) -> None:
    data, _ = both(KERNEL, Fraction(1, 3))
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError):
            check_first_order(data, pool, 1e-3)


def _forgotten_symbols(patch: pytest.MonkeyPatch) -> None:
    """What is new in a step is not carried on."""
    original = Tracked.with_symbol
    patch.setattr(
        Tracked, "with_symbol", lambda self, k: original(Tracked(self.mid, self.parts), k)
    )


def _forgotten_evaluation(patch: pytest.MonkeyPatch) -> None:
    """The inverse is believed."""
    _shrunk(epsilon=0.0)(patch)


@pytest.mark.parametrize("plant", [_forgotten_symbols, _forgotten_evaluation])
def test_planted_mistakes_are_seen(
    plant: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points that are off by one part in 2^30, all in one way, make every error large."""
    original = proved_double.ProvedFrame.__init__

    def coarse(self: proved_double.ProvedFrame, isometry: Any) -> None:
        original(self, isometry)
        entries = self._rows.entries * (1 + 2.0**-30)
        self._rows = Rows(entries, self._rows.error + 2.0**-30)

    monkeypatch.setattr(proved_double.ProvedFrame, "__init__", coarse)
    data, _ = both(KERNEL, Fraction(1, 3))
    assert check_run(data, Fraction(2, 5), Seed(1), certified=False) == 53
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError):
            assert check_run(data, Fraction(2, 5), Seed(1), certified=False) == 53
