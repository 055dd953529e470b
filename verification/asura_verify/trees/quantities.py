"""What the claims say about whole runs, computed on whole trees.

Phi^M is asked for M = sum_i a_i U(x_i) U(x_i)^T by the coefficients a_i >= 0; the default is the
paper's D, a_i = 1 on X_1 and 0 on X_2.

>>> from asura.arithmetic.exact import EXACT
>>> from asura.dataset import dataset
>>> from asura_verify.trees.enumeration import length_distribution
>>> tree = enumerate_tree(dataset([[1], [2]]), "1/4", arithmetic=EXACT)
>>> length_distribution(tree)
{9: Enclosure(lower=Fraction(1, 1), upper=Fraction(1, 1))}
>>> expected_draws(tree).midpoint                     # lq = 9 > 8 = 2 R_X/gamma
Fraction(9, 1)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from asura.arithmetic.interface import M, S
from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.scalars import Enclosure, point, rational
from asura.stopping import sure
from asura.verdict import Verdict
from asura_verify import formulas
from asura_verify.deciding.numbers import add, at_most, enclose, multiply, scale
from asura_verify.trees.enumeration import (
    Node,
    Tree,
    enumerate_tree,
    expected_by_level,
    expected_sum,
    probability,
)

Coefficients = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides of a claimed inequality left <= right, both enclosed."""

    left: Enclosure
    right: Enclosure

    @property
    def verdict(self) -> Verdict:
        """Whether left <= right."""
        return at_most(self.left, self.right)


def unlabelled_indicator(data: Dataset) -> tuple[Fraction, ...]:
    """The coefficients of M = D."""
    return tuple(Fraction(int(i < data.unlabelled)) for i in range(data.size))


def trace_of(data: Dataset, coefficients: Coefficients) -> Fraction:
    """Tr M; for M = D it is R_X, and for M = I it is d."""
    return sum(
        (a * h for a, h in zip(coefficients, leverage_scores(data), strict=True)), Fraction(0)
    )


def clock(tree: Tree[S, M], node: Node[S, M]) -> S:
    """r_j = gamma (u_j - l_j)/(4d) - 1, in the arithmetic of the tree."""
    unit = tree.scalar(tree.gamma / (4 * tree.algorithm.dimension))
    return (node.state.upper - node.state.lower) * unit - tree.integer(1)


def weighted_potential(
    tree: Tree[S, M], coefficients: Coefficients | None = None
) -> Callable[[Node[S, M]], S]:
    """The functional Phi_j^M."""
    chosen = unlabelled_indicator(tree.data) if coefficients is None else tuple(coefficients)
    with tree.arithmetic.working():
        terms = [(i, tree.scalar(a)) for i, a in enumerate(chosen) if a != 0]
        zero = tree.integer(0)

    def functional(node: Node[S, M]) -> S:
        return sum((node.drawn.masses[index] * c for index, c in terms), zero)

    return functional


def clock_ceiling(tree: Tree[S, M]) -> Enclosure:
    """The rbar of identity-3, with r_m <= rbar surely: rho + c(1 + rho), or T + c(1 + T)."""
    gamma, dimension = tree.gamma, tree.algorithm.dimension
    if not tree.stopping.counts_potentials:
        return point(formulas.clock_ceiling(gamma, dimension, tree.stopping.level))
    with ctx.workprec(128):
        ball = arb(rational(gamma))
        return enclose(formulas.clock_ceiling(ball, dimension, formulas.rho(ball)))


def clock_remainder(
    tree: Tree[S, M], coefficients: Coefficients | None = None
) -> Callable[[Node[S, M]], S]:
    """identity-5 from node j on: E sum_{i >= j} Phi_i^M/Phi_i <= (rbar - r_j) Phi_j^M/(c gamma)."""
    potential = weighted_potential(tree, coefficients)
    with tree.arithmetic.working():
        ceiling = tree.scalar(clock_ceiling(tree).upper)
        c = formulas.pace(tree.gamma, tree.algorithm.dimension)
        unit = tree.scalar(1 / (c * tree.gamma))
    return lambda node: (ceiling - clock(tree, node)) * potential(node) * unit


def expected_length(tree: Tree[S, M]) -> Enclosure:
    """E[m]; beyond a horizon by the clock lemma with M = I."""
    ones = (Fraction(1),) * tree.data.size
    one = tree.integer(1)
    return expected_sum(tree, lambda _: one, remainder=clock_remainder(tree, ones))


def expected_draws(tree: Tree[S, M]) -> Enclosure:
    """E sum_{j<m} Phi_j^D/Phi_j, the expected number of draws from X_1."""
    potential = weighted_potential(tree)
    return expected_sum(
        tree, lambda node: potential(node) / node.drawn.potential, remainder=clock_remainder(tree)
    )


def clock_sides(tree: Tree[S, M], coefficients: Coefficients | None = None) -> Sides:
    """identity-5: E sum Phi_j^M/Phi_j <= k rbar Tr(M)/gamma^2.

    On a cut tree the left side is that of the loop stopped at the horizon.
    """
    chosen = unlabelled_indicator(tree.data) if coefficients is None else tuple(coefficients)
    potential = weighted_potential(tree, chosen)
    zero = tree.integer(0)
    left = expected_sum(
        tree, lambda node: potential(node) / node.drawn.potential, remainder=lambda _: zero
    )
    factor = formulas.curvature(tree.gamma) * trace_of(tree.data, chosen) / tree.gamma**2
    return Sides(left, scale(factor, clock_ceiling(tree)))


def expected_distinct_labels(tree: Tree[S, M]) -> Enclosure:
    """E of the number of different points of X_1 drawn: the labels to pay for.

    A point of share q of its line is missed by n draws of that line with probability (1-q)^n.
    """
    powers: dict[tuple[int, int], S] = {}

    def found(choice: int, count: int) -> S:
        if (choice, count) not in powers:
            powers[choice, count] = tree.scalar(
                sum(
                    (1 - (1 - q) ** count for q in tree.directions[choice].unlabelled_shares),
                    Fraction(0),
                )
            )
        return powers[choice, count]

    def functional(node: Node[S, M]) -> S:
        counts = Counter(choice for choice, _ in node.draws())
        return sum((found(*item) for item in counts.items()), tree.integer(0))

    rest = clock_remainder(tree)
    with tree.arithmetic.working():
        found_so_far = tree.enclosure(tree.over((*tree.leaves, *tree.cut), functional))
        later = tree.enclosure(tree.over(tree.cut, rest)).upper if tree.cut else 0
    return Enclosure(found_so_far.lower, found_so_far.upper + later)


def gamma_event(tree: Tree[S, M]) -> Enclosure:
    """P(Gamma) = P(u_m >= d/(64 gamma^2))."""
    with tree.arithmetic.working():
        bound = tree.scalar(tree.algorithm.dimension / (64 * tree.gamma**2))
        return probability(tree, lambda node: ~tree.arithmetic.less(node.state.upper, bound))


def clock_tail(tree: Tree[S, M], q: Fraction) -> Enclosure:
    """P(r_m < q)."""
    with tree.arithmetic.working():
        bound = tree.scalar(q)
        return probability(tree, lambda node: tree.arithmetic.less(clock(tree, node), bound))


def tail_sides(tree: Tree[S, M], q: Fraction) -> Sides:
    """identity-4, squared so that it is rational: P(r_m < q)^2 <= k q/(4 (1 - q))."""
    tail = clock_tail(tree, q)
    return Sides(multiply(tail, tail), point(formulas.curvature(tree.gamma) * q / (4 * (1 - q))))


@dataclass(frozen=True, slots=True)
class Wald:
    """Corollary 1 on one tree, M = D: E sum Phi_j^M, E sum E[Phi_j^M], and E[m] Phi_0^M."""

    summed: Enclosure
    decoupled: Enclosure
    bound: Enclosure


def wald(data: Dataset, gamma: object) -> Wald:
    """Both sides of the equality that Wald's equation is quoted for, and the bound after it.

    E[Phi_j^M] is over the loop that does not stop, so that it does not depend on m.

    >>> from asura.dataset import dataset
    >>> found = wald(dataset([[1, 0], [0, 1]]), "3/10")
    >>> [f"{float(x):.6f}" for x in (found.summed, found.decoupled)]
    ['2.427566', '2.424732']
    """
    stopped = enumerate_tree(data, gamma)
    deepest = max(node.depth for node in stopped.leaves)
    free = enumerate_tree(data, gamma, stopping=sure(10**9), horizon=deepest - 1)
    summed = expected_sum(stopped, weighted_potential(stopped))
    one = stopped.integer(1)
    reached = expected_by_level(stopped, lambda _: one)
    means = expected_by_level(free, weighted_potential(free))
    decoupled = add(*(multiply(p, mean) for p, mean in zip(reached, means, strict=True)))
    return Wald(summed, decoupled, multiply(means[0], expected_length(stopped)))
