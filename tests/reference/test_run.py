"""One run: what it counts, certifies and refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, arb_mat, fmpz, fmpz_mat

from asura import errors
from asura.algorithm2_asura import Asura, Distribution, Iteration, State, read_gamma
from asura.arithmetic import EXACT, Arithmetic, BallArithmetic, DoubleArithmetic
from asura.arithmetic.exact import RationalForm
from asura.dataset import Dataset, dataset
from asura.errors import Undecided
from asura.randomness import Picks, Seed, UnitInterval, uniforms
from asura.run import (
    Run,
    _refuse_long_exact_run,
    first_arithmetic,
    longest,
    refuse_long_numbers,
    run,
)
from asura.stopping import PAPER, StoppingRule, sure

AXES = dataset([[1, 0], [0, 1]])


# -- gamma and lengths -------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0, "1/2", "-1/4", "1/2000000000000000000000", "0.4999999999"])
def test_gamma_lies_strictly_between_zero_and_one_half(gamma: object) -> None:
    if Fraction(str(gamma)) in {Fraction(0), Fraction(1, 2), Fraction(-1, 4)}:
        with pytest.raises(errors.GammaOutOfRange):
            read_gamma(gamma)
    else:
        assert read_gamma(gamma) == Fraction(str(gamma))


@pytest.mark.parametrize(
    ("dimension", "gamma", "length"),
    [
        (9, "3/10", 80),  # sqrt(1 - 4 gamma^2) = 4/5: no rounding
        (18, "3/10", 160),
        (1, "3/10", 9),  # 80/9
        (1, "5/16", 8),  # the square is 63.8976, just below 8^2
        (1, "6/13", 2),  # 3.26
        (3, "1/4", 42),  # 48 sqrt(3/4) = 41.57
    ],
)
def test_the_longest_run(dimension: int, gamma: str, length: int) -> None:
    exact = Fraction(gamma)
    assert longest(dimension, exact) == length
    bound = dimension * math.sqrt(1 - 4 * float(exact) ** 2) / float(exact) ** 2
    assert length - 1 < bound <= length


# -- picks -------------------------------------------------------------------------------------


class Asked:
    """A uniform near 1/3, which lies in every one of its intervals, and what was asked of it."""

    def __init__(self, *, refinable: bool) -> None:
        self.refinable = refinable
        self.bits: list[int] = []

    def interval(self, bits: int) -> UnitInterval:
        self.bits.append(bits)
        return UnitInterval(2**bits // 3, 2**bits, 1)


@pytest.mark.parametrize(
    ("arithmetic", "bits"),
    [
        (BallArithmetic(52), [53, 106]),  # up to four times the precision, 208
        (BallArithmetic(53), [53, 106, 212]),
        (BallArithmetic(96), [53, 106, 212]),
        (BallArithmetic(106), [53, 106, 212, 424]),
        (EXACT, [53, 106, 212, 424, 848, 1696, 3392]),  # up to 4096
    ],
)
def test_bits_are_drawn_while_the_pick_is_open(
    arithmetic: Arithmetic[Any, Any], bits: list[int]
) -> None:
    with arithmetic.working():
        algorithm = Asura(dataset([[1], [1], [1]]), Fraction(1, 4), arithmetic)
        drawn = algorithm.distribution(algorithm.initial())
        endless: Any = Asked(refinable=True)
        with pytest.raises(Undecided):
            algorithm.pick(drawn, endless)
        recorded: Any = Asked(refinable=False)
        with pytest.raises(Undecided):
            algorithm.pick(drawn, recorded)
    assert endless.bits == bits
    assert recorded.bits == [53]


@pytest.mark.parametrize("arithmetic", [EXACT, BallArithmetic(), DoubleArithmetic()])
@pytest.mark.parametrize("index", [-1, 1, 2, 3])
def test_fixed_picks_name_points_of_positive_mass(
    arithmetic: Arithmetic[Any, Any], index: int
) -> None:
    """Of two points the second is zero."""
    with pytest.raises(errors.PickOutOfRange):
        run(dataset([[1], [0]]), "1/4", chooser=Picks([index] * 9), arithmetic=arithmetic)


def test_the_first_point_may_be_picked() -> None:
    assert run(dataset([[1], [0]]), "1/4", chooser=Picks([0] * 9)).picks == (0,) * 9


class Blurred(Asura[arb, arb_mat]):
    """Starts with a gap of 31 to 33, where 32 is the bound."""

    def initial(self) -> State[arb, arb_mat]:
        start = super().initial()
        return start._replace(upper=start.upper + arb(16, 1))


def test_an_open_stop_is_not_taken_for_a_stop() -> None:
    arithmetic = BallArithmetic()
    with arithmetic.working():
        algorithm = Blurred(dataset([[1]]), Fraction(1, 4), arithmetic)
        assert algorithm.proceeds(algorithm.initial()).undecided
        with pytest.raises(Undecided):
            next(algorithm.iterations(Seed(0)))


# -- what a run reports ------------------------------------------------------------------------


def test_the_default_seed_is_zero() -> None:
    data = dataset([[1, 0], [0, 1], [1, 1], [1, 2]])
    picks = [run(data, "1/4", chooser=Seed(seed)).picks for seed in range(2)]
    assert run(data, "1/4").picks == picks[0] != picks[1]


def test_labels_are_paid_for_in_x1_alone() -> None:
    data = dataset([[1], [2], [3]], unlabelled=1)
    done = run(data, "1/4", chooser=Picks([0, 1, 1, 0, 2, 1, 0, 2, 1]))
    assert (done.length, done.distinct_labels, done.draws) == (9, 1, 3)
    done = run(dataset([[1], [2], [3]], unlabelled=2), "1/4", chooser=Picks(done.picks))
    assert (done.distinct_labels, done.draws) == (2, 7)


def test_the_observer_hears_of_every_iteration() -> None:
    heard: list[tuple[int, float]] = []
    done = run(dataset([[1]]), "1/4", observer=lambda j, share: heard.append((j, share)))
    assert [j for j, _ in heard] == list(range(1, done.length + 1))
    shares = [share for _, share in heard]
    # After one step: the gap 16 grew by 2 - 2/3 and the potential 1/4 was counted, of 16.
    assert shares[0] == pytest.approx(float(Fraction(19, 12) / 16), abs=1e-15)
    assert shares == sorted(shares)
    assert shares[-2] < 1.0 == shares[-1]


# -- the certificate ---------------------------------------------------------------------------


def finished(
    data: Dataset,
    arithmetic: Arithmetic[Any, Any],
    weights: list[tuple[int, str]],
    upper: str = "5/4",
    lower: str = "3/4",
) -> Run[Any, Any]:
    """A run that ends with these weights w' and barriers, whether or not it can be reached."""
    with arithmetic.working():
        algorithm = Asura(data, Fraction(1, 4), arithmetic)
        scalar = arithmetic.scalar
        start = algorithm.initial()
        accumulated = start.accumulated
        records = []
        for j, (index, weight) in enumerate(weights):
            number = scalar(Fraction(weight))
            accumulated = accumulated + algorithm.frame.outer_product(index) * number
            drawn: Distribution[Any] = algorithm.distribution(start)
            records.append(Iteration(j, index, start.upper, start.lower, drawn, number, None))
        final = State(
            accumulated,
            scalar(Fraction(upper)),
            scalar(Fraction(lower)),
            start.potential_sum,
            len(weights),
        )
    return Run(data, Fraction(1, 4), PAPER, arithmetic, tuple(records), algorithm, final)


EVERY = [EXACT, BallArithmetic(), DoubleArithmetic()]


@pytest.mark.parametrize("arithmetic", EVERY)
@pytest.mark.parametrize(
    ("first", "second", "certified"),
    [
        ("1", "1", True),
        ("49/40", "31/40", True),
        ("101/80", "1", False),  # just above 5/4
        ("59/80", "1", False),  # just below 3/4
        ("9", "9", False),
        ("1", "1/9", False),
    ],
)
def test_the_spectrum_is_judged_on_both_sides(
    arithmetic: Arithmetic[Any, Any], first: str, second: str, certified: bool
) -> None:
    """Weights w' = 2w and mid = 2."""
    half = Fraction(1, 2)
    weights = [
        (0, str(Fraction(first) * half)),
        (1, str(2 * Fraction(second))),
        (0, str(Fraction(first) * 3 * half)),
    ]
    certificate = finished(AXES, arithmetic, weights, "5/2", "3/2").certificate
    assert certificate.certified == certified
    assert certificate.by_spectrum.undecided is False


def test_an_exact_or_rounded_run_may_touch_the_ends() -> None:
    for arithmetic in (EXACT, DoubleArithmetic()):
        done = finished(AXES, arithmetic, [(0, "5/4"), (1, "3/8"), (1, "3/8")])
        assert done.certificate.certified


@pytest.mark.parametrize("arithmetic", EVERY)
@pytest.mark.parametrize(
    ("upper", "lower", "outcome"),
    [
        ("4", "3", "holds"),  # 8/7 and 6/7
        ("3", "1", "fails"),  # 3/2 and 1/2
        ("1", "-1/2", "fails"),
    ],
)
def test_the_barriers_are_judged_relative_to_mid(
    arithmetic: Arithmetic[Any, Any], upper: str, lower: str, outcome: str
) -> None:
    certificate = finished(AXES, arithmetic, [(0, "1")], upper, lower).certificate
    mid = (Fraction(upper) + Fraction(lower)) / 2
    hair = Fraction(1, 10**15)
    assert str(certificate.by_barriers) == outcome
    assert abs(certificate.mid.midpoint - mid) < hair
    assert abs(certificate.upper_ratio.midpoint - Fraction(upper) / mid) < hair
    assert abs(certificate.lower_ratio.midpoint - Fraction(lower) / mid) < hair


def test_barriers_on_the_ends_certify() -> None:
    assert finished(AXES, EXACT, [(0, "1")], "5", "3").certificate.by_barriers.holds
    assert finished(AXES, EXACT, [(0, "1")], "5001", "2999").certificate.by_barriers.fails


# -- precisions and refusals -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dimension", "gamma", "rule", "bits", "ceiling"),
    [
        (1, "1/4", PAPER, 128, 8192),
        (2, "2/128", PAPER, 128, 8192),  # 64 bits are spent, and 64 left
        (2, "2/129", PAPER, 192, 8192),  # 64.5
        (4, "1/8", sure("1/2"), 128, 8192),
        (4, "1/8", sure(10), 256, 8192),  # 160
        (100, "1/60", PAPER, 3072, 12288),  # 3000; four times the bits
    ],
)
def test_the_first_precision_of_a_run(
    dimension: int, gamma: str, rule: StoppingRule, bits: int, ceiling: int
) -> None:
    arithmetic = first_arithmetic(dimension, Fraction(gamma), rule)
    assert (arithmetic.precision, arithmetic.ceiling) == (bits, ceiling)


@pytest.mark.parametrize(
    ("size", "gamma", "level", "refused"),
    [
        # d = 1: numbers double, from 8 bits to 2^40 in 37 steps; T d/(4 gamma^2) is half the run.
        (1, "1/4", "37/4", False),
        (1, "1/4", "3701/400", True),
        (1, "1/5", "148/25", False),
        (1, "1/5", "1481/250", True),
        # d = 2: 5.6 times as long, 14.89 steps; d = 3: 7.6 times, 12.65 steps.
        (2, "1/4", "37/20", False),
        (2, "1/4", "187/100", True),
        (3, "1/4", "105/100", False),
        (3, "1/4", "106/100", True),
        # Nothing overflows on the way.
        (1, "1e-200", "1", True),
        (1, "1e-9000", "1", True),
        (1, "1/4", "1e400", True),
        (40, "1e-4", "1", True),
    ],
)
def test_exact_runs_are_refused_when_half_of_one_would_not_end(
    size: int, gamma: str, level: str, refused: bool
) -> None:
    data = dataset([[int(i == k) for k in range(size)] for i in range(size)])
    exact, rule = Fraction(gamma), sure(level)
    if refused:
        with pytest.raises(errors.ExactRunTooLarge, match="an exact run takes more than"):
            _refuse_long_exact_run(data, exact, rule)
        with pytest.raises(errors.ExactRunTooLarge, match="an exact run takes more than"):
            run(data, gamma, stopping=rule, arithmetic=EXACT)
    else:
        _refuse_long_exact_run(data, exact, rule)


@pytest.mark.parametrize(
    ("dimension", "longest_allowed"),
    # The next step makes them 2, 5.6, 7.6 and 9.6 times as long: at most 2^21 bits.
    [(1, 1 << 20), (2, 374491), (3, 275941), (4, 218453)],
)
def test_exact_runs_are_refused_when_the_next_step_takes_too_long(
    dimension: int, longest_allowed: int
) -> None:
    def state(bits: int) -> State[Any, Any]:
        return State(RationalForm(fmpz_mat([[fmpz(2) ** (bits - 1)]]), fmpz(1)), 0, 0, 0, 7)

    refuse_long_numbers(state(longest_allowed), dimension)
    with pytest.raises(errors.ExactRunTooLarge, match="after 7 exact iterations"):
        refuse_long_numbers(state(longest_allowed + 1), dimension)


def test_a_growing_exact_run_is_stopped_and_a_finished_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numbers of 9, 18, 60 and 413 bits; the last may be so long, for no step follows."""
    data = dataset([[1, 2], [3, 1], [1, 7]])
    steps = Asura(data, Fraction(2, 5), EXACT).iterations(Seed(0))
    assert [state.accumulated.height() for _, state in steps] == [9, 18, 60, 413]
    monkeypatch.setattr("asura.run.EXACT_BITS", 5.6 * 60 - 1)
    with pytest.raises(errors.ExactRunTooLarge, match="after 3 exact iterations"):
        run(data, "2/5", arithmetic=EXACT)
    assert run(data, "2/5").length == 4  # balls do not grow
    monkeypatch.setattr("asura.run.EXACT_BITS", 5.6 * 60 + 1)
    assert run(data, "2/5", arithmetic=EXACT).length == 4


def test_a_tie_that_no_precision_decides_is_reported_once_the_ceiling_is_reached() -> None:
    with pytest.raises(errors.PrecisionCeilingReached, match="open at 64 bits"):
        run(
            dataset([[1], [1], [1]]),
            "1/4",
            chooser=uniforms(["1/3"] * 9),
            arithmetic=BallArithmetic(32, 100),
        )
