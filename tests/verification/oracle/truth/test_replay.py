"""The replay encloses the exact run: along any picks, at any precision, in states of no run."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat
from hypothesis import Phase, assume, find, given, settings
from hypothesis import strategies as st

from asura.dataset import Dataset, dataset
from asura.errors import Undecided
from asura.randomness import Seed
from asura.run import run
from asura.scalars import rational
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.strategies import datasets, gammas
from asura_verify.oracle.truth.replay import Replay

#: Enough for the exact values to be points, in comparisons.
MANY = 4000


def weighted(data: Dataset, weights: list[fmpq]) -> fmpq_mat:
    """sum_i w_i c_i x_i x_i^T in the coordinates of the replay."""
    known = data.whitened
    scaled = [
        weight * scale * x
        for weight, scale, row in zip(
            weights, known.squared_scales, known.rows.tolist(), strict=True
        )
        for x in row
    ]
    return fmpq_mat(known.size, known.dimension, scaled).transpose() * known.rows


@dataclass
class State:
    """A state of Algorithm 2 in rationals: B from the total weight of every point."""

    data: Dataset
    weights: list[fmpq]
    upper: fmpq
    lower: fmpq

    def masses(self) -> list[fmpq]:
        """c x^T E x of every point."""
        known = self.data.whitened
        gram, total = known.gram(), self.form()
        inverses = (gram * self.upper - total).inv() + (total - gram * self.lower).inv()
        images = known.rows * inverses
        pairs = zip(images.tolist(), known.rows.tolist(), known.squared_scales, strict=True)
        return [c * sum((a * b for a, b in zip(y, x, strict=True)), fmpq(0)) for y, x, c in pairs]

    def form(self) -> fmpq_mat:
        """The matrix B itself."""
        return weighted(self.data, self.weights)


def encloses(ball: arb, true: fmpq) -> bool:
    with ctx.workprec(MANY):
        return bool(ball.contains(arb(true)))


def assert_looks(replay: Replay, state: State, pick: int) -> None:
    """Everything that is linear in E."""
    masses = state.masses()
    assert encloses(replay.potential, sum(masses, fmpq(0)))
    assert encloses(replay.mass(pick), masses[pick])
    assert encloses(replay.mass_before(pick), sum(masses[:pick], fmpq(0)))
    for ball, true in zip(replay.masses(), masses, strict=True):
        assert encloses(ball, true)


def assert_form(replay: Replay, state: State) -> None:
    entries = zip(replay.accumulated.entries(), state.form().entries(), strict=True)
    assert all(encloses(ball, true) for ball, true in entries)


def follow(kind: type[Replay], data: Dataset, gamma: Fraction, bits: int, picks: list[int]) -> None:
    """Compare every value of a run with the exact one; few bits may end in doubt."""
    d, g = data.dimension, rational(gamma)
    state = State(data, [fmpq(0)] * data.size, 2 * d / g, -2 * d / g)
    passed = fmpq(0)
    with ctx.workprec(bits):
        try:
            replay = kind(data, gamma, PAPER, bits)
            for place in picks:
                replay.look()
                masses = state.masses()
                choice = [i for i, mass in enumerate(masses) if mass > 0]
                pick = choice[place % len(choice)]
                assert_looks(replay, state, pick)
                potential = sum(masses, fmpq(0))
                weight = replay.advance(pick, replay.mass(pick))
                assert encloses(weight, g / masses[pick])
                state.weights[pick] += g / masses[pick]
                state.upper += g / (1 - 2 * g) / potential
                state.lower += g / (1 + 2 * g) / potential
                passed += potential
                assert encloses(replay.upper, state.upper)
                assert encloses(replay.lower, state.lower)
                assert encloses(replay.mid(), (state.upper + state.lower) / 2)
                assert encloses(replay.clock(), state.upper - state.lower + passed)
                assert_form(replay, state)
        except Undecided:
            assert bits < 128


PRECISIONS = st.sampled_from((8, 12, 20, 40, 64, 128, 200))


@given(datasets(), gammas(), PRECISIONS, st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_a_run_along_any_picks(data: Dataset, gamma: Fraction, bits: int, picks: list[int]) -> None:
    follow(Replay, data, gamma, bits, picks)


#: A state; the weights of a centre and of a doubt; middles and radii of u and l.
Case = tuple[State, list[fmpq], list[fmpq], fmpq, fmpq, fmpq, fmpq]


@st.composite
def doubtful(draw: st.DrawFn) -> Case:
    """A state between its barriers, and a centre with a doubt that it lies within."""
    data = draw(datasets())
    size = data.size
    numbers = st.builds(fmpq, st.integers(0, 12), st.sampled_from((1, 3)))
    weights = draw(st.lists(numbers, min_size=size, max_size=size))
    distances = st.builds(fmpq, st.sampled_from((1, 5, 40)), st.sampled_from((1, 2, 9)))
    upper, lower = max(weights) + draw(distances), min(weights) - draw(distances)
    scale = fmpq(1, draw(st.sampled_from((1, 4, 30, 10**6))))
    doubts = [x * scale for x in draw(st.lists(numbers, min_size=size, max_size=size))]
    signs = st.sampled_from((fmpq(-1), fmpq(1), fmpq(0), fmpq(1, 3)))
    centre = [w + draw(signs) * doubt for w, doubt in zip(weights, doubts, strict=True)]
    radii = draw(numbers) * scale, draw(numbers) * scale
    middles = upper + draw(signs) * radii[0], lower + draw(signs) * radii[1]
    return State(data, weights, upper, lower), centre, doubts, *middles, *radii


def look_doubtfully(kind: type[Replay], case: Case) -> bool:
    """Whether anything could be said; what is said is right."""
    state, centre, doubts, high, low, radius_high, radius_low = case
    data = state.data
    with ctx.workprec(128):
        replay = kind(data, Fraction(1, 4), PAPER, 128)
        replay.centre, replay.doubt = (arb_mat(weighted(data, w)) for w in (centre, doubts))
        replay.upper = arb(arb(high), arb(radius_high))
        replay.lower = arb(arb(low), arb(radius_low))
        try:
            replay.look()
        except Undecided:
            return False
        for pick in range(data.size):
            assert_looks(replay, state, pick)
        assert_form(replay, state)
        return True


@given(doubtful())
def test_a_state_that_is_hardly_known(case: Case) -> None:
    assume(look_doubtfully(Replay, case))


class WeightsForSure(Replay):
    """Takes weights as if they were known exactly."""

    def advance(self, index: int, mass: arb) -> arb:
        known = self.doubt
        weight = super().advance(index, mass)
        self.doubt = known
        return weight


class BarriersForSure(Replay):
    """Takes the barriers as if they were known exactly."""

    def look(self) -> None:
        balls = self.upper, self.lower
        self.upper, self.lower = (ball.mid() for ball in balls)
        super().look()
        self.upper, self.lower = balls


class FirstOrder(Replay):
    """Leaves 1/(1 - q) out."""

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        _, excess = super()._doubt_about(inverse, radius)
        return inverse * (self.doubt + self.gram * radius) * inverse, excess


class FirstShare(Replay):
    """Leaves 1/(1 - q) out where values are only compared."""

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        form, excess = super()._doubt_about(inverse, radius)
        return form, excess / (1 + excess)


class OneSided(Replay):
    """Forgets (B - l G)^-1, which comes second."""

    times = 0

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        self.times += 1
        form, excess = super()._doubt_about(inverse, radius)
        return form * (self.times % 2), excess


class ShareOfOne(Replay):
    """Forgets that inverse where values are only compared."""

    times = 0

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        self.times += 1
        form, excess = super()._doubt_about(inverse, radius)
        return form, excess * (self.times % 2)


class Unsafe(Replay):
    """Goes on whatever q is."""

    def _doubt_about(self, inverse: arb_mat, radius: arb) -> tuple[arb_mat, arb]:
        return inverse * (self.doubt + self.gram * radius) * inverse * 2, arb(0)


class Diagonal(Replay):
    """Takes the doubt for that of each entry."""

    @property
    def accumulated(self) -> arb_mat:
        radii = self.doubt.entries()
        balls = [arb(x, abs(r)) for x, r in zip(self.centre.entries(), radii, strict=True)]
        return arb_mat(self.dimension, self.dimension, balls)


def fails(look: Callable[[], object]) -> bool:
    try:
        look()
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(
    "kind",
    [BarriersForSure, FirstOrder, FirstShare, OneSided, ShareOfOne, Unsafe, Diagonal],
)
def test_planted_in_a_state(kind: type[Replay]) -> None:
    find(
        doubtful(),
        lambda case: fails(lambda: look_doubtfully(kind, case)),
        settings=settings(max_examples=2000, phases=[Phase.generate], derandomize=True),
    )


def test_planted_along_a_run() -> None:
    data, gamma, picks = dataset([[1, 0], [1, 1], [0, 3]]), Fraction(3, 7), [0, 1, 2, 1, 0, 2]
    for bits in (20, 40, 60):
        follow(Replay, data, gamma, bits, picks)
        assert fails(partial(follow, WeightsForSure, data, gamma, bits, picks))


def test_the_bound_is_sharp_in_one_dimension() -> None:
    """u in [3, 5], l in [-5, -3] and B in [-1, 1]: both inverses reach 1/2, twice their middle."""
    with ctx.workprec(128):
        replay = Replay(dataset([[1]]), Fraction(1, 4), PAPER, 128)
        replay.doubt = arb_mat([[1]])
        replay.upper, replay.lower = arb(4, 1), arb(-4, 1)
        replay.look()
        for ball in (replay.potential, replay.mass(0), *replay.masses()):
            assert ball.mid() == 0.5
            assert 0.5 <= ball.rad() < 0.5001
        assert replay.mass_before(0) == 0
        replay.doubt = arb_mat([[0]])
        for replay.upper, replay.lower in ((arb(4, 2), arb(-4)), (arb(4), arb(-4, 2))):
            replay.look()  # one barrier in doubt, the other is known
            assert 0.25 <= replay.potential.rad() < 0.2501
            for mass in replay.masses():  # a share of both
                assert mass.mid() == 0.5
                assert 0.5 <= mass.rad() < 0.5001


def test_the_largest_doubt_counts() -> None:
    """D in [2, 6] where u = -l = 8: q reaches 3/4, and y q/(1 - q) is 3/8 for both barriers."""
    with ctx.workprec(128):
        replay = Replay(dataset([[1]]), Fraction(1, 4), PAPER, 128)
        replay.doubt = arb_mat([[arb(4, 2)]])
        replay.look()
        assert 0.75 <= replay.potential.rad() < 0.7501
        assert 6 <= replay.accumulated[0, 0].rad() < 6.001


@pytest.mark.parametrize(("bits", "doubt_bits"), [(128, 64), (256, 64), (1024, 256)])
def test_a_doubt_is_bounded_with_a_quarter_of_the_bits(bits: int, doubt_bits: int) -> None:
    with ctx.workprec(bits):
        assert Replay(dataset([[1]]), Fraction(1, 4), PAPER, bits).doubt_bits == doubt_bits


@pytest.mark.parametrize("doubt", [8, 9])
def test_a_doubt_that_reaches_a_barrier_is_refused(doubt: int) -> None:
    with ctx.workprec(128):
        replay = Replay(dataset([[1]]), Fraction(1, 4), PAPER, 128)
        replay.doubt = arb_mat([[doubt]])
        with pytest.raises(Undecided):
            replay.look()


def compare(data: Dataset, gamma: Fraction, picks: list[int], bits: int) -> list[arb]:
    """A run with few bits encloses the same with many; returns the last values."""
    precisions = bits, 4 * bits
    replays = []
    for precision in precisions:
        with ctx.workprec(precision):
            replays.append(Replay(data, gamma, PAPER, precision))
    for pick in picks:
        found = []
        for precision, replay in zip(precisions, replays, strict=True):
            with ctx.workprec(precision):
                replay.look()
                mass = replay.mass(pick)
                values = [replay.upper, replay.lower, replay.potential, mass]
                values.append(replay.advance(pick, mass))
                found.append(values)
        with ctx.workprec(4 * bits):
            assert all(few.contains(many) for few, many in zip(*found, strict=True))
    return found[0]


def random_data(dimension: int) -> Dataset:
    rows = np.random.default_rng(dimension).integers(-9, 10, size=(2 * dimension + 3, dimension))
    return dataset(rows.tolist())


@pytest.mark.parametrize(
    ("dimension", "gamma", "level"),
    [
        (1, "1/30", None),
        (2, "1/24", None),
        (5, "1/10", None),
        (9, "1/5", None),
        (1, "1/10", 15),
        (3, "49/100", 1000),  # where u is far larger than -l
    ],
)
def test_few_bits_are_lost_in_a_whole_run(dimension: int, gamma: str, level: int | None) -> None:
    """About 1/gamma every time the gap doubles; entry by entry it would be half of d/gamma."""
    data, share = random_data(dimension), Fraction(gamma)
    done = run(data, share, stopping=PAPER if level is None else sure(level), chooser=Seed(1))
    found = compare(data, share, [record.index for record in done.iterations], 160)
    lost = 160 - min(ball.rel_accuracy_bits() for ball in found)
    assert lost < math.log2(1 + (level or 1)) / share + 2 * math.log2(dimension) + 12


def test_hardly_any_run_is_out_of_reach_of_more_bits() -> None:
    """Long runs of one point: so ill conditioned that 64 bits cannot bound the doubt."""
    picks = [0] * 10 + [1] * 40 + [0] * 10 + [1] * 80 + [0] * 5
    data = dataset([[10, 1, 10], [1, 2, -1], [10, 1, 0]])
    found = compare(data, Fraction(49, 100), picks, 512)
    assert min(ball.rel_accuracy_bits() for ball in found) > 64


# -- probabilities in doubles ----------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "accurate"), [(60, True), (43, True), (41, False), (30, False)])
def test_probabilities_are_right_to_forty_bits_or_undecided(bits: int, accurate: bool) -> None:
    """Doubles do not decide where the sums may cancel: balls do, if they are narrow enough."""
    made = Replay(dataset([[1, 0], [0, 1]]), Fraction(1, 4), PAPER, 128)
    made.look()
    assert made.chances().tolist() == [0.5, 0.5]
    made._around = arb(1, 1)
    masses = [arb(3), arb(1, 2.0**-bits)]
    made.masses = lambda: masses  # type: ignore[method-assign]
    if accurate:
        assert made.chances().tolist() == [0.75, 0.25]
    else:
        with pytest.raises(Undecided):
            made.chances()


class Share:
    """Stands for 1 with a radius that is exactly so large."""

    def __init__(self, share: float) -> None:
        self._share = share

    def rad(self) -> arb:
        return arb(self._share)


#: What the balls say, where they are asked.
BALLS = [0.75, 0.25]


def chances_of(features: list[list[float]], vector: list[float], share: float = 0.0) -> list[float]:
    """The probabilities of two points whose doubles are given, or those of `BALLS`."""
    made = Replay(dataset([[1], [1]]), Fraction(1, 4), PAPER, 128)
    made._doubles = np.array(features)
    made._vector = arb_mat([[x] for x in vector])
    made._around = Share(share)  # type: ignore[assignment]
    made.masses = lambda: [arb(x) for x in BALLS]  # type: ignore[method-assign]
    found: list[float] = made.chances().tolist()
    return found


def test_doubles_decide_up_to_half_of_forty_bits() -> None:
    """One product: 5 roundings of 2^-52 and the share are at most 2^-41 = 2048 * 2^-52."""
    for size in (1.0, 0.25, 64.0):  # whatever the unit
        for ulps, decided in ((2042, True), (2043, True), (2044, False)):
            found = chances_of([[size], [size]], [1.0], ulps * 2.0**-52)
            assert found == ([0.5, 0.5] if decided else BALLS)


def test_doubles_decide_while_sums_hardly_cancel() -> None:
    """k = 4 products: 8 * 2^-52 * 256 = 2^-41, so sizes up to 256 times the mass; every point."""
    ones, good, edge, over = (
        [1.0] * 4,
        [1.0, 1.0, 0.0, 0.0],
        [257.0, -255.0, 0, 0],
        [1, -0.99, 0, 0],
    )
    assert chances_of([good, edge], ones) == [0.5, 0.5]
    assert chances_of([[1028.0, -1020.0, 0, 0], [2.0, 2.0, 2.0, 2.0]], ones) == [0.5, 0.5]
    for worse in (
        [257.0625, -255.0625, 0.0, 0.0],
        [257.0, -255.0, 0.0, -0.0625],
        [1.0, -1.0, 0, 0],
    ):
        assert chances_of([good, worse], ones) == BALLS
        assert chances_of([worse, good], ones) == BALLS
    assert chances_of([good, over], ones)[1] == pytest.approx(0.01 / 2.01)
    for share in (0.0, 2.0**-60):  # beyond doubles
        assert chances_of([good, [1e308, 1e308, 0, 0]], ones, share) == BALLS


@pytest.mark.parametrize(("bits", "accurate"), [(40, False), (41, True), (42, True)])
def test_balls_decide_with_forty_one_bits(bits: int, accurate: bool) -> None:
    made = Replay(dataset([[1], [1]]), Fraction(1, 4), PAPER, 128)
    made.look()
    made._around = arb(1, 1)
    radii = (arb(1, 2.0**-k) for k in range(30, 60))
    ball = next(x for x in radii if x.rel_accuracy_bits() == bits)
    made.masses = lambda: [arb(3), ball]  # type: ignore[method-assign]
    if accurate:
        assert made.chances().tolist() == [0.75, 0.25]
    else:
        with pytest.raises(Undecided):
            made.chances()


def test_what_is_only_compared_has_few_bits() -> None:
    with ctx.workprec(256):
        made = Replay(dataset([[1], [3]]), Fraction(1, 4), PAPER, 64)
        made.look()
        assert all(50 < ball.rel_accuracy_bits() < 70 for ball in made.masses())
        assert made.mass(1).rel_accuracy_bits() > 200


def test_the_spread_is_the_potential_by_its_least() -> None:
    """u = 24, l = -8, d = 2: Phi = 2/24 + 2/8 = 1/3, and 4d/(u - l) = 1/4."""
    with ctx.workprec(128):
        made = Replay(dataset([[1, 0], [0, 1], [1, 1]]), Fraction(1, 4), PAPER, 128)
        made.look()
        assert made.spread() == 1.0
        made.upper, made.lower = arb(24), arb(-8)
        made.look()
        assert made.spread() == pytest.approx(4 / 3, rel=1e-15)


@pytest.mark.parametrize(("rule", "bound"), [(PAPER, 32), (sure("1/2"), 24), (sure(3), 64)])
def test_the_bound_of_the_clock(rule: StoppingRule, bound: int) -> None:
    """(4d/gamma)(1 + T), with T = 1 for the paper's rule: 16 (1 + T)."""
    assert Replay(dataset([[1]]), Fraction(1, 4), rule, 128).bound == bound


def test_points_that_vanish() -> None:
    rows, scales = [[1, 0], [0, 0], [0, 1], [1, 1]], [1, 1, 2, 0]
    made = Replay(dataset(rows, squared_scales=scales), Fraction(1, 4), PAPER, 128)
    assert [made.vanishes(i) for i in range(4)] == [False, True, False, True]


@pytest.mark.parametrize("factor", [8, -8])
def test_a_state_on_a_barrier_is_undecided(factor: int) -> None:
    made = Replay(dataset([[1], [2]]), Fraction(1, 4), PAPER, 128)
    with pytest.raises(Undecided):
        made.view(made.gram * arb(factor), arb(8), arb(-8))


def test_a_weight_adds_its_radius_to_the_doubt() -> None:
    """A mass in [3/16, 5/16] has a weight in [4/5, 4/3]; a negative doubt would take away."""
    with ctx.workprec(128):
        made = Replay(dataset([[1]]), Fraction(1, 4), PAPER, 128)
        made.look()
        weight = made.advance(0, arb(0.25, 0.0625))
        assert weight.rad() > 0.25
        for times in (1, 2):
            assert times * weight.rad() <= made.doubt[0, 0] <= 1.0001 * times * weight.rad()
            made.advance(0, arb(0.25, 0.0625))


def test_probabilities_in_doubles_are_those_of_balls() -> None:
    """Plain data, and nearly dependent columns in units of 10^8."""
    rng = np.random.default_rng(5)
    for spread in (0.0, 8.0):
        rows = rng.standard_normal((12, 3)) * 10 ** np.linspace(-spread, spread, 3)
        rows[:, 0] += rows[:, 1] * (1 - 1e-9)
        with ctx.workprec(256):
            made = Replay(dataset(rows.tolist()), Fraction(1, 5), PAPER, 256)
            for pick in (0, 3, 3, 7):
                made.look()
                balls = made.masses()
                total = sum(balls, arb(0))
                for chance, ball in zip(made.chances().tolist(), balls, strict=True):
                    assert abs(arb(chance) * total / ball - 1) < 2.0**-39
                made.advance(pick, made.mass(pick))
