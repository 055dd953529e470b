"""Exact values that can be worked out by hand, or by enumerating a small tree."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, arb_mat, fmpq_mat

from asura.algorithm2_asura import Asura, State
from asura.arithmetic import EXACT, BallArithmetic
from asura.arithmetic.exact import RationalForm
from asura.dataset import dataset
from asura.randomness import Picks, Seed
from asura.run import run
from asura.scalars import Enclosure


def test_one_dimension_is_deterministic() -> None:
    lengths = {
        run(dataset([[1], [2], [-5]]), "1/4", chooser=Seed(seed)).length for seed in range(5)
    }
    assert lengths == {9}


def test_initial_potential_and_probabilities() -> None:
    gamma = Fraction(1, 5)
    algorithm = Asura(dataset([[1, 0], [0, 1], [1, 1]]), gamma, EXACT)
    drawn = algorithm.distribution(algorithm.initial())
    assert drawn.potential == EXACT.scalar(gamma)  # d(1/u_0 - 1/l_0)
    assert [EXACT.enclosure(drawn.probability(i)).midpoint for i in range(3)] == [
        Fraction(1, 3)
    ] * 3


def _lengths(
    algorithm: Asura[arb, arb_mat], state: State[arb, arb_mat], mass: arb
) -> dict[int, arb]:
    """The distribution of m below a state, by the whole tree."""
    if algorithm.proceeds(state).fails:
        return {state.iteration: mass}
    total: dict[int, arb] = {}
    drawn = algorithm.distribution(state)
    for pick in range(algorithm.frame.size):
        below = _lengths(
            algorithm, algorithm.step(state, pick, drawn), mass * drawn.probability(pick)
        )
        for length, part in below.items():
            total[length] = total.get(length, arb(0)) + part
    return total


def test_two_points_two_dimensions() -> None:
    arithmetic = BallArithmetic()
    with arithmetic.working():
        algorithm = Asura(dataset([[1, 0], [0, 1]]), Fraction(3, 10), arithmetic)
        distribution = _lengths(algorithm, algorithm.initial(), arb(1))
        expected = sum((length * mass for length, mass in distribution.items()), arb(0))
        enclosure = arithmetic.enclosure(expected)
    assert set(distribution) == {10, 11, 12}
    assert isinstance(enclosure, Enclosure)
    assert Fraction("10.32753") < enclosure.lower
    assert enclosure.upper < Fraction("10.32754")


def test_the_printed_product_is_no_potential() -> None:
    """With Tr of the product in line 4 the probabilities add up to 4d/gamma at j = 0."""
    gamma, rows = Fraction(1, 4), [[1, 0], [0, 1], [2, 1]]
    algorithm = Asura(dataset(rows), gamma, EXACT)
    state = algorithm.initial()
    upper, lower = (
        EXACT.inverse(form) for form in (algorithm.below_upper(state), algorithm.above_lower(state))
    )
    gram = algorithm.frame.gram.matrix()
    product = gram * upper.matrix() * gram * lower.matrix()
    printed = sum(product[i, i] for i in range(2))
    masses = algorithm.distribution(state).masses
    total = sum((masses[i] for i in range(len(rows))), EXACT.scalar(Fraction(0))) / printed
    assert EXACT.enclosure(total).midpoint == 4 * 2 / gamma


def test_a_step_by_hand() -> None:
    """d = 1, gamma = 1/4, X = (1, 2): G = 5, u_0 = 8; Phi_0 = 1/4, p = (1/5, 4/5)."""
    algorithm = Asura(dataset([[1], [2]]), Fraction(1, 4), EXACT)
    state = algorithm.step(algorithm.initial(), 1)
    assert state.upper == EXACT.scalar(8 + Fraction(1, 2) * 4)
    assert state.lower == EXACT.scalar(-8 + Fraction(1, 6) * 4)
    # w' = (1/4)/((1/4)(4/5)) = 5/4, so B = (5/4) 4 = 5: A_1 = B/G = 1.
    assert isinstance(state.accumulated, RationalForm)
    assert state.accumulated.matrix() == fmpq_mat([[5]])


def test_alphas_add_up_exactly() -> None:
    for gamma in ("9/20", "2/5", "1/3"):
        done = run(dataset([[1, 0], [1, 1], [0, 2]]), gamma, chooser=Seed(3), arithmetic=EXACT)
        assert done.alpha_sum.midpoint == 1 - 4 * Fraction(gamma) ** 2
        assert done.alpha_sum.exact


def test_always_the_same_point_is_still_a_run() -> None:
    done = run(dataset([[1, 0], [0, 1]]), "3/10", chooser=Picks([0] * 40))
    assert set(done.picks) == {0}
    assert not done.certificate.certified
