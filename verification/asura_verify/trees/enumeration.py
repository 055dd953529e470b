"""The whole sampling tree of Algorithm 2 for a small instance: expectations, not estimates.

A step depends on the drawn point only through the line it spans, since w' x x^T =
gamma x x^T/(x^T E x). Parallel points therefore share one branch, exactly; within a branch the
point is chosen independently of everything else, with probability proportional to |x|^2. So at
d = 1 the tree is a path, and n copies of a point cost nothing.

>>> from asura.arithmetic.exact import EXACT
>>> from asura.dataset import dataset
>>> tree = enumerate_tree(dataset([[1, 0], [0, 1]]), "2/5", arithmetic=EXACT)
>>> expectation(tree, lambda node: tree.integer(node.depth))            # E[m]
Enclosure(lower=Fraction(4, 1), upper=Fraction(4, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, overload

from flint import arb, arb_mat

from asura.algorithm2_asura import Asura, Distribution, State
from asura.arithmetic import Arithmetic, BallArithmetic
from asura.arithmetic.interface import M, S
from asura.dataset import Dataset
from asura.errors import AsuraError, PrecisionCeilingReached, Undecided
from asura.rates import PAPER_RATES, Rates
from asura.scalars import Enclosure
from asura.stopping import PAPER, StoppingRule
from asura.verdict import Verdict
from asura_verify.deciding.numbers import add, multiply
from asura_verify.trees.directions import Direction, directions_of

#: Nodes that one tree may have; two hundred thousand take about a minute.
MAXIMAL_NODES = 200_000


class TreeTooLarge(AsuraError):
    """A sampling tree with more nodes than can be enumerated."""


class UnboundedFunctional(AsuraError):
    """An expectation over a tree that was cut, without bounds for what was cut off."""


@dataclass(frozen=True, slots=True)
class Node(Generic[S, M]):
    """One history of lines: its probability, the state it leads to, what is drawn from there.

    `distribution` is None at a stopped leaf. `choice` is the line whose draw led here from
    `parent`, with `coefficient` = gamma/(x^T E x) for that line's representative x.
    """

    probability: S
    state: State[S, M]
    distribution: Distribution[S] | None
    parent: Node[S, M] | None
    choice: int
    coefficient: S | None

    def draws(self) -> Iterator[tuple[int, S]]:
        """The lines drawn, latest first, with coefficients a_i: B_j = sum a_i x_i x_i^T."""
        node: Node[S, M] | None = self
        while node is not None and node.coefficient is not None:
            yield node.choice, node.coefficient
            node = node.parent

    @property
    def history(self) -> tuple[int, ...]:
        """The lines drawn, in order."""
        return tuple(choice for choice, _ in self.draws())[::-1]

    @property
    def depth(self) -> int:
        """The iteration j; at a stopped leaf, m."""
        return self.state.iteration

    @property
    def drawn(self) -> Distribution[S]:
        """The potential and masses; only where the loop goes on."""
        if self.distribution is None:
            raise TypeError("a stopped leaf draws nothing: ask a node where the loop goes on")
        return self.distribution


@dataclass(frozen=True)
class Tree(Generic[S, M]):
    """All histories of one instance.

    `inner` are the nodes at which the loop goes on and was followed, `leaves` those at which it
    has stopped, `cut` those at the horizon at which it would go on. The probabilities of leaves
    and cut nodes sum to 1.
    """

    data: Dataset
    gamma: Fraction
    stopping: StoppingRule
    arithmetic: Arithmetic[S, M]
    algorithm: Asura[S, M]
    directions: tuple[Direction, ...]
    inner: tuple[Node[S, M], ...]
    leaves: tuple[Node[S, M], ...]
    cut: tuple[Node[S, M], ...]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.inner) + len(self.leaves) + len(self.cut)

    @property
    def complete(self) -> bool:
        """Whether the loop has stopped on every path."""
        return not self.cut

    @cached_property
    def mass_cut(self) -> Enclosure:
        """P(m > horizon)."""
        with self.arithmetic.working():
            return self.enclosure(self.over(self.cut, lambda _: self.integer(1)))

    def scalar(self, value: Fraction) -> S:
        """A rational in the tree's arithmetic."""
        return self.arithmetic.scalar(value)

    def integer(self, value: int) -> S:
        """An integer in the tree's arithmetic."""
        return self.arithmetic.scalar(Fraction(value))

    def enclosure(self, value: S) -> Enclosure:
        """What is known of a number."""
        return self.arithmetic.enclosure(value)

    def over(self, nodes: Iterable[Node[S, M]], functional: Callable[[Node[S, M]], S]) -> S:
        """The sum of P(node) f(node) over some nodes."""
        return sum((node.probability * functional(node) for node in nodes), self.integer(0))


def _enumerate(
    data: Dataset,
    gamma: Fraction,
    stopping: StoppingRule,
    arithmetic: Arithmetic[S, M],
    horizon: int | None,
    directions: tuple[Direction, ...],
    maximal_nodes: int,
    rates: Rates,
) -> Tree[S, M]:
    algorithm = Asura(data, gamma, arithmetic, stopping, rates)
    one = arithmetic.scalar(Fraction(1))
    level: list[Any] = [(one, algorithm.initial(), None, -1, None)]
    inner: list[Node[S, M]] = []
    leaves: list[Node[S, M]] = []
    cut: list[Node[S, M]] = []
    multipliers = [arithmetic.scalar(direction.multiplier) for direction in directions]
    while level:
        following: list[Any] = []
        for probability, state, parent, chosen, coefficient in level:
            verdict = algorithm.proceeds(state)
            if verdict.undecided:
                raise Undecided
            if verdict.fails:
                leaves.append(Node(probability, state, None, parent, chosen, coefficient))
                continue
            drawn = algorithm.distribution(state)
            node = Node(probability, state, drawn, parent, chosen, coefficient)
            if horizon is not None and state.iteration >= horizon:
                cut.append(node)
                continue
            inner.append(node)
            if len(inner) + len(leaves) + len(level) > maximal_nodes:
                raise TreeTooLarge(
                    f"more than {maximal_nodes} nodes at depth {state.iteration}: expected a "
                    "larger gamma, fewer directions, or a horizon",
                    value=gamma,
                )
            for choice, direction in enumerate(directions):
                representative = direction.representative
                share = drawn.probability(representative) * multipliers[choice]
                after = algorithm.step(state, representative, drawn)
                weight = algorithm.weight(drawn, representative)
                following.append((probability * share, after, node, choice, weight))
        level = following
    nodes = (tuple(inner), tuple(leaves), tuple(cut))
    return Tree(data, gamma, stopping, arithmetic, algorithm, directions, *nodes)


@overload
def enumerate_tree(
    data: Dataset,
    gamma: object,
    *,
    stopping: StoppingRule = ...,
    horizon: int | None = ...,
    merge_parallel: bool = ...,
    maximal_nodes: int = ...,
    rates: Rates = ...,
) -> Tree[arb, arb_mat]: ...


@overload
def enumerate_tree(
    data: Dataset,
    gamma: object,
    *,
    arithmetic: Arithmetic[S, M],
    stopping: StoppingRule = ...,
    horizon: int | None = ...,
    merge_parallel: bool = ...,
    maximal_nodes: int = ...,
    rates: Rates = ...,
) -> Tree[S, M]: ...


def enumerate_tree(
    data: Dataset,
    gamma: object,
    *,
    arithmetic: Arithmetic[Any, Any] | None = None,
    stopping: StoppingRule = PAPER,
    horizon: int | None = None,
    merge_parallel: bool = True,
    maximal_nodes: int = MAXIMAL_NODES,
    rates: Rates = PAPER_RATES,
) -> Tree[Any, Any]:
    """The sampling tree, in balls unless told otherwise, with as many bits as decide every stop.

    The paper's rule stops within ceil(d sqrt(1 - 4 gamma^2)/gamma^2) steps (m-bound); the sure
    rule needs a `horizon`. With `merge_parallel=False` every point has a branch of its own.
    """
    exact_gamma = rates.read_gamma(gamma)
    directions = directions_of(data, merge_parallel=merge_parallel)
    current: Arithmetic[Any, Any] = BallArithmetic() if arithmetic is None else arithmetic
    while True:
        try:
            with current.working():
                return _enumerate(
                    data,
                    exact_gamma,
                    stopping,
                    current,
                    horizon,
                    directions,
                    maximal_nodes,
                    rates,
                )
        except Undecided:
            doubled = current.doubled()
            if doubled is None:
                raise PrecisionCeilingReached(
                    f"a stop is open at {current.precision} bits, probably an exact tie: "
                    "expected another gamma, or the exact arithmetic",
                    value=exact_gamma,
                ) from None
            current = doubled


Functional = Callable[[Node[S, M]], S]
Event = Callable[[Node[S, M]], Verdict]


def expectation(
    tree: Tree[S, M],
    functional: Functional[S, M],
    *,
    where: Event[S, M] | None = None,
    beyond: Enclosure | None = None,
) -> Enclosure:
    """E[f; where] over the stopped leaves, f being evaluated only where the event may occur.

    On a cut tree `beyond` must enclose E[f; where] given that the horizon was passed. Where the
    event is undecided, f is taken to be of either sign, so the enclosure widens by |f|.
    """
    parts = []
    with tree.arithmetic.working():
        certain = tree.integer(0)
        for node in tree.leaves:
            occurs = None if where is None else where(node)
            if occurs is not None and occurs.fails:
                continue
            value = node.probability * functional(node)
            if occurs is None or occurs.holds:
                certain = certain + value
            else:
                enclosed = tree.enclosure(value)
                parts.append(
                    Enclosure(min(Fraction(0), enclosed.lower), max(Fraction(0), enclosed.upper))
                )
        parts.append(tree.enclosure(certain))
    if tree.cut:
        if beyond is None:
            raise UnboundedFunctional(
                f"{len(tree.cut)} paths were cut: expected bounds for what lies beyond",
                value=len(tree.cut),
            )
        parts.append(multiply(tree.mass_cut, beyond))
    return add(*parts)


def probability(tree: Tree[S, M], event: Event[S, M]) -> Enclosure:
    """P(event) at the stop; what was cut or is undecided counts for neither side."""
    one = tree.integer(1)
    return expectation(tree, lambda _: one, where=event, beyond=Enclosure(Fraction(0), Fraction(1)))


def expected_sum(
    tree: Tree[S, M], functional: Functional[S, M], *, remainder: Functional[S, M] | None = None
) -> Enclosure:
    """E[sum over j < m of f(state j)] for f >= 0.

    On a cut tree `remainder` must bound from above, at a cut node, the expected sum from that
    node on, itself included.
    """
    with tree.arithmetic.working():
        seen = tree.enclosure(tree.over(tree.inner, functional))
        if not tree.cut:
            return seen
        if remainder is None:
            raise UnboundedFunctional(
                f"{len(tree.cut)} paths were cut: expected a bound for the remaining sum",
                value=len(tree.cut),
            )
        rest = tree.enclosure(tree.over(tree.cut, remainder))
        return Enclosure(seen.lower, seen.upper + rest.upper)


def expected_by_level(tree: Tree[S, M], functional: Functional[S, M]) -> tuple[Enclosure, ...]:
    """E[f(state j); j < m] for every j, over inner and cut nodes."""
    with tree.arithmetic.working():
        levels = _by_depth((*tree.inner, *tree.cut))
        return tuple(tree.enclosure(tree.over(levels[j], functional)) for j in sorted(levels))


def length_distribution(tree: Tree[S, M]) -> dict[int, Enclosure]:
    """P(m = j) for every j that occurs."""
    with tree.arithmetic.working():
        one, stopped = tree.integer(1), _by_depth(tree.leaves)
        return {m: tree.enclosure(tree.over(stopped[m], lambda _: one)) for m in sorted(stopped)}


def _by_depth(nodes: Iterable[Node[S, M]]) -> dict[int, list[Node[S, M]]]:
    levels: dict[int, list[Node[S, M]]] = {}
    for node in nodes:
        levels.setdefault(node.depth, []).append(node)
    return levels
