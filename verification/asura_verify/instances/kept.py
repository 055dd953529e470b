"""K1 and K2, with X_2 kept: one exact step from any state, and small trees.

A state need not be reachable: any P, Q > 0 with the right sum (K1), any Q > 0 (K2), D singular or
with eigenvalues of 1e-12, and any share of the last step. `text` is the sampler that is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import fmpq, fmpq_mat

from asura.arithmetic import EXACT
from asura.arithmetic.exact import rational_form
from asura.dataset import Dataset, dataset
from asura.kept.barriers import Barriers, KeptState
from asura.kept.bounds import one_sided_excess
from asura.kept.measures import Measures, measured
from asura.kept.variants import Ending, Variant, one_sided, two_sided
from asura.scalars import fraction, rational
from asura.stopping import PAPER, sure
from asura_verify.formulas import curvature
from asura_verify.instances.draw import Draw, definite_matrix, gamma, points, small_rational
from asura_verify.instances.step import Matrix, exact_matrix, matrix_trace
from asura_verify.trees.kept_runs import KeptTree


def exact_form(form: Any) -> fmpq_mat:
    """The matrix of a form of the sampler."""
    matrix: fmpq_mat = form.matrix()
    return matrix


@dataclass(frozen=True)
class KeptStepInstance:
    """One step of a share theta of a variant, from the state that `shape` and sigma determine."""

    data: Dataset
    variant: Variant
    progress: Fraction
    shape: Matrix
    share: Fraction = Fraction(1)
    text: Any = None

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about: gamma is the step of K1, 1 - nu the lower rate of K2."""
        if self.variant.upper is not None:
            return {"gamma": self.variant.step}
        return {"nu": 1 - self.variant.lower}

    @property
    def sampler(self) -> Any:
        """The text that is judged, that of the reference unless told otherwise."""
        return self.text or Barriers

    @cached_property
    def _text(self) -> Any:
        return self.sampler(self.data, self.variant, EXACT)

    @cached_property
    def gram(self) -> fmpq_mat:
        """G, which stands for the identity, in the coordinates of the sampler."""
        return exact_form(self._text.frame.gram)

    @cached_property
    def target(self) -> fmpq_mat:
        """G_1, which stands for D, summed here and not by the sampler."""
        total = fmpq_mat(self.gram.nrows(), self.gram.nrows())
        for index in range(self.data.unlabelled):
            total += self.outer(index)
        return total

    def outer(self, index: int) -> fmpq_mat:
        """x x^T of one point."""
        return exact_form(self._text.frame.outer_product(index))

    def _upper(self, progress: fmpq) -> fmpq_mat | None:
        """cI + upper sigma D."""
        if self.variant.upper is None:
            return None
        rate = rational(self.variant.upper) * progress
        return self.gram * rational(self.variant.distance) + self.target * rate

    def _lower(self, progress: fmpq) -> fmpq_mat:
        """-cI + lower sigma D."""
        rate = rational(self.variant.lower) * progress
        return self.target * rate - self.gram * rational(self.variant.distance)

    @cached_property
    def state(self) -> KeptState[Any, Any]:
        """Q is the shape itself (K2), or a part of the gap W between the barriers (K1).

        W (W + S)^-1 W, for a positive definite S, is any matrix strictly between 0 and W.
        """
        sigma, free = rational(self.progress), exact_matrix(self.shape)
        above, below = self._upper(sigma), self._lower(sigma)
        room = free
        if above is not None:
            whole = above - below
            room = whole * (whole + free).inv() * whole
        zero = rational(Fraction(0))
        return KeptState(rational_form(below + room), sigma, zero, 1)

    def gaps(self, state: KeptState[Any, Any]) -> tuple[fmpq_mat | None, fmpq_mat]:
        """P (None without an upper barrier) and Q, computed here and not by the sampler."""
        total, above = state.accumulated.matrix(), self._upper(state.progress)
        return (None if above is None else above - total), total - self._lower(state.progress)

    def bracket(self, state: KeptState[Any, Any]) -> fmpq_mat:
        """E = P^-1 + Q^-1, or Q^-1 alone."""
        above, below = self.gaps(state)
        return below.inv() if above is None else above.inv() + below.inv()

    @cached_property
    def distribution(self) -> Any:
        """Potential and masses, as the sampler computes them."""
        return self._text.distribution(self.state)

    @cached_property
    def advance(self) -> fmpq:
        """By how much sigma should grow: theta step/Phi, with Phi = Tr(D E) computed here."""
        potential = matrix_trace(self.target * self.bracket(self.state))
        return rational(self.share * self.variant.step) / potential

    @cached_property
    def support(self) -> tuple[int, ...]:
        """The points that may be drawn."""
        masses = self.distribution.masses
        return tuple(i for i in range(len(masses)) if masses[i] > 0)

    @cached_property
    def successors(self) -> dict[int, KeptState[Any, Any]]:
        """The next state for every point that may be drawn; the step ends the run."""
        goal = self.progress + self.share * fraction(
            self._text.step_size / self.distribution.potential
        )
        last = self.sampler(self.data, replace(self.variant, goal=goal, ending="clip"), EXACT)
        part = last.share(self.state, self.distribution)
        return {i: last.step(self.state, i, self.distribution, part) for i in self.support}

    def increment(self, index: int) -> fmpq_mat:
        """W = A' - A for one point."""
        after, before = (
            exact_form(state.accumulated) for state in (self.successors[index], self.state)
        )
        return after - before


@dataclass(frozen=True)
class KeptTreeInstance:
    """Labelled points and a variant, whose runs are all followed; `budget` is that of K3."""

    data: Dataset
    variant: Variant
    parameter: Fraction
    level: Fraction
    budget: int = 0
    text: Any = None

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        name = "nu" if self.variant.upper is None else "gamma"
        return {name: self.parameter, "R": self.size.rank}

    @cached_property
    def size(self) -> Measures:
        """R, and a bound on delta = |D|."""
        return measured(self.data)

    @property
    def sampler(self) -> Any:
        """The text that is judged, that of the reference unless told otherwise."""
        return self.text or Barriers

    @cached_property
    def tree(self) -> KeptTree:
        """All runs."""
        return KeptTree.of(self.data, self.variant, self.sampler)

    @property
    def optimum(self) -> Fraction:
        """OPT_1."""
        return self.tree.truth.optimum


def _kept_points(draw: Draw) -> Dataset:
    """Points with R > 0: D singular or not, X_1 perhaps of tiny scale, X_2 empty or not."""
    data = points(draw, widest=3, most=6)
    rows = [list(row) for row in data.points]
    count = max(data.unlabelled, 1)
    if not any(any(row) for row in rows[:count]):
        rows[0][0] = Fraction(1)
    power = draw.choice((0, 0, 0, -20, -40))
    scales = [
        scale * (Fraction(2) ** power if index < count else 1)
        for index, scale in enumerate(data.squared_scales)
    ]
    return dataset(rows, unlabelled=count, squared_scales=scales)


_TIMES = (Fraction(0), Fraction(1, 5), Fraction(1), Fraction(7))
_SHARES = (Fraction(1), Fraction(1, 2), Fraction(1, 1000))


def two_sided_step(draw: Draw) -> KeptStepInstance:
    """K1 in any state, at any time."""
    data = _kept_points(draw)
    variant = two_sided(data, gamma(draw), stopping=sure())
    progress = variant.goal * draw.choice(_TIMES)
    shape = definite_matrix(draw, data.dimension)
    return KeptStepInstance(data, variant, progress, shape, draw.choice(_SHARES))


def one_sided_step(draw: Draw) -> KeptStepInstance:
    """K2 in any state, at any time."""
    data = _kept_points(draw)
    variant = one_sided(data, draw.integer(1, 20), gamma(draw, maximum=Fraction(1)))
    progress, shape = draw.choice(_TIMES), definite_matrix(draw, data.dimension)
    return KeptStepInstance(data, variant, progress, shape, draw.choice(_SHARES))


def _small(draw: Draw, *, least: Fraction = Fraction(1, 2)) -> Dataset:
    """One to three labelled points of X_1, and an X_2 of `least` times their mass or more."""
    width = draw.choice((1, 1, 2, 2))
    count = draw.integer(1, 3)
    rows = [[Fraction(draw.integer(-2, 2)) for _ in range(width)] for _ in range(count)]
    if not any(any(row) for row in rows):
        rows[0][0] = Fraction(1)
    if draw.choice((False, False, True)):  # a tiny R
        rows = [[x / 1000 for x in row] for row in rows]
    kept = draw.choice((2, 3, 5))
    mass = least * draw.choice((4, 4, 2, 1)) * sum(x * x for row in rows for x in row)
    factor = Fraction(1, 2)
    while factor * factor * kept < mass:
        factor += Fraction(1, 2)
    for k in range(width):
        rows += [[factor * int(i == k) for i in range(width)] for _ in range(kept)]
    labels = [small_rational(draw, 5) for _ in rows]
    labels[0] += 1
    return dataset(rows, unlabelled=count, labels=labels)


def _ending(draw: Draw, *others: Ending) -> Ending:
    endings: tuple[Ending, ...] = ("coin", "clip", *others)
    return draw.choice(endings)


def one_sided_tree(draw: Draw) -> KeptTreeInstance:
    """K2 with a few draws; N is large enough for a bound on the excess."""
    data = _small(draw)
    size = measured(data)
    nu = Fraction(draw.choice((2, 3, 4)), 10)
    # N = 1 is one draw, surely, and E draws = N cannot be shown in balls.
    number = max(Fraction(draw.integer(3, 6), 2), size.rank * draw.choice((3, 4)))
    while one_sided_excess(size.rank / number, nu, size.norm) is None:
        number += Fraction(1, 2)
    variant = one_sided(data, number, nu, ending=_ending(draw))
    budget = int(number) + 1 + draw.integer(0, 2)
    return KeptTreeInstance(data, variant, nu, number, budget)


def two_sided_tree(draw: Draw) -> KeptTreeInstance:
    """K1 under the sure rule, with a level at which its bound on the excess applies."""
    data = _small(draw, least=Fraction(3, 2))
    value = Fraction(draw.choice((20, 25, 30, 35)), 100)
    margin = 2 * value / curvature(value)
    level = margin * (1 + 2 * value) * Fraction(draw.integer(11, 16), 10)
    variant = two_sided(data, value, stopping=sure(level), ending=_ending(draw, "overshoot"))
    return KeptTreeInstance(data, variant, value, level)


def paper_rule_tree(draw: Draw) -> KeptTreeInstance:
    """K1 under the paper's rule: at most ceil(R sqrt(k)/gamma^2) draws."""
    data = _small(draw)
    size = measured(data)
    value = Fraction(draw.choice((25, 30, 35, 40)), 100)
    if size.rank < Fraction(1, 20):
        value = Fraction(1, draw.choice((15, 20, 30)))
    return KeptTreeInstance(data, two_sided(data, value, stopping=PAPER), value, Fraction(1))
