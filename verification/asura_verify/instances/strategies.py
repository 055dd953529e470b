"""Hypothesis strategies for datasets, states, semidefinite matrices and gammas.

Public: use them to test an implementation of your own. Everything is exact and shrinks to small
readable rationals.

>>> from hypothesis import find
>>> find(gammas(), lambda gamma: gamma < Fraction(1, 3))
Fraction(1, 4)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq_mat
from hypothesis import strategies as st

from asura.dataset import Dataset, dataset, ridge
from asura.scalars import rational
from asura.stopping import PAPER, StoppingRule, sure
from asura_verify.instances.design import DesignInstance, LearnerInstance, PackingInstance
from asura_verify.instances.families import (
    DESIGNS,
    KERNELS,
    LEARNERS,
    PACKINGS,
    POINTS,
    RIDGES,
    RUNS,
    STEPS,
    SURE_RUNS,
    SURE_TREES,
    TREES,
)
from asura_verify.instances.run import RunInstance
from asura_verify.instances.step import (
    KernelInstance,
    Matrix,
    PointsInstance,
    RidgeInstance,
    StepInstance,
    fractions,
)
from asura_verify.instances.tree import TreeInstance


def rationals(*, bound: int = 4) -> st.SearchStrategy[Fraction]:
    """Rationals of small height; they shrink towards integers, then towards 0."""
    return st.builds(Fraction, st.integers(-bound, bound), st.sampled_from((1, 1, 2, 3)))


@st.composite
def gammas(
    draw: st.DrawFn, *, minimum: Fraction = Fraction(0), maximum: Fraction = Fraction(1, 2)
) -> Fraction:
    """gamma strictly between two bounds, near either end as well."""
    # Every kind draws the same numbers, so that an inner value is the simplest.
    kind = draw(st.sampled_from(("inner", "inner", "inner", "low", "high")))
    q, p = draw(st.integers(2, 40)), draw(st.integers(1, 39))
    width = maximum - minimum
    if kind == "inner":
        return minimum + width * Fraction((p - 1) % (q - 1) + 1, q)
    edge = width * Fraction(1, 2**q)
    return minimum + edge if kind == "low" else maximum - edge


@st.composite
def datasets(
    draw: st.DrawFn,
    *,
    maximal_dimension: int = 3,
    maximal_size: int = 6,
) -> Dataset:
    """Points of rank at least 1: repeated, zero, dependent and badly scaled rows; any n_1."""
    width = draw(st.integers(1, maximal_dimension))
    count = draw(st.integers(1, maximal_size))
    row = st.lists(rationals(), min_size=width, max_size=width)
    rows = draw(
        st.lists(row, min_size=count, max_size=count).filter(
            lambda rows: any(any(row) for row in rows)
        )
    )
    kind = draw(st.sampled_from(("plain", "repeated", "zero", "dependent", "scaled")))
    place = draw(st.integers(0, count - 1))
    if kind == "repeated":
        rows = [*rows, list(rows[place])]
    elif kind == "zero":
        rows = [*rows, [Fraction(0)] * width]
    elif kind == "dependent" and width > 1:
        rows = [[*row[:-1], row[0]] for row in rows]
        if not any(any(row) for row in rows):
            rows[0] = [Fraction(1)] * width
    elif kind == "scaled":
        power = draw(st.sampled_from((-40, -10, 10, 40)))
        rows[place] = [x * Fraction(2) ** power for x in rows[place]]
    scales = draw(
        st.one_of(
            st.just([Fraction(1)] * len(rows)),
            st.lists(
                st.builds(Fraction, st.integers(1, 9), st.integers(1, 4)),
                min_size=len(rows),
                max_size=len(rows),
            ),
        )
    )
    unlabelled = draw(st.integers(0, len(rows)))
    return dataset(rows, unlabelled=unlabelled, squared_scales=scales)


@st.composite
def definite_matrices(draw: st.DrawFn, size: int) -> Matrix:
    """Positive definite rational matrices L D L^T, the pivots over many scales."""
    pivot = st.builds(
        lambda numerator, power: Fraction(numerator) * Fraction(2) ** power,
        st.integers(1, 5),
        st.one_of(st.just(0), st.integers(-12, 12)),
    )
    pivots = draw(st.lists(pivot, min_size=size, max_size=size))
    lower = fmpq_mat(size, size)
    diagonal = fmpq_mat(size, size)
    for i in range(size):
        lower[i, i] = 1
        diagonal[i, i] = rational(pivots[i])
        for k in range(i):
            lower[i, k] = rational(draw(rationals(bound=3)))
    return fractions(lower * diagonal * lower.transpose())


@st.composite
def semidefinite_matrices(draw: st.DrawFn, size: int) -> Matrix:
    """Semidefinite matrices F^T F of every rank from 0 on."""
    rank = draw(st.integers(1, size))
    entries = draw(st.lists(rationals(), min_size=rank * size, max_size=rank * size))
    factor = fmpq_mat(rank, size, [rational(x) for x in entries])
    return fractions(factor.transpose() * factor)


@st.composite
def steps(draw: st.DrawFn, *, gamma: st.SearchStrategy[Fraction] | None = None) -> StepInstance:
    """Any state strictly between its barriers, reachable or not, with a semidefinite M."""
    data = draw(datasets())
    value = draw(gammas() if gamma is None else gamma)
    size = data.dimension
    unit = Fraction(4 * size) / value
    excess = draw(st.builds(Fraction, st.integers(-23, 60), st.just(24)))
    gap = unit * (1 + excess)
    offset = draw(st.one_of(st.just(Fraction(-1, 2)), rationals()))
    return StepInstance(
        data,
        value,
        gap * offset,
        gap,
        draw(definite_matrices(size)),
        draw(semidefinite_matrices(size)),
        Fraction(draw(st.integers(0, 23)), 24),
    )


def points() -> st.SearchStrategy[PointsInstance]:
    """Datasets, as instances."""
    return st.builds(PointsInstance, datasets())


def _vectors(size: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    return st.lists(rationals(), min_size=size, max_size=size).map(tuple)


@st.composite
def ridges(draw: st.DrawFn) -> RidgeInstance:
    """X_1 of any rank, lambda >= 0, labels and a beta."""
    width, count = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    rows = tuple(draw(_vectors(width)) for _ in range(count))
    lam = Fraction(draw(st.integers(0, 9)), draw(st.integers(1, 4)))
    if not any(any(row) for row in rows):
        lam += 1
    return RidgeInstance(rows, lam, draw(_vectors(count)), draw(_vectors(width)))


@st.composite
def kernels(draw: st.DrawFn) -> KernelInstance:
    """A semidefinite K of rank at least 1, lambda > 0, labels and a beta."""
    size = draw(st.integers(1, 3))
    kernel = draw(semidefinite_matrices(size).filter(lambda rows: any(any(row) for row in rows)))
    lam = Fraction(draw(st.integers(1, 9)), draw(st.integers(1, 4)))
    return KernelInstance(kernel, lam, draw(_vectors(size)), draw(_vectors(size)))


@st.composite
def runs(draw: st.DrawFn, *, stopping: StoppingRule = PAPER) -> RunInstance:
    """Whole runs in balls, short enough to be made by the hundred."""
    data = draw(datasets())
    if draw(st.booleans()):
        data = ridge(data.points, draw(st.integers(1, 4)))
    least = Fraction(1, 12) if data.dimension == 1 else Fraction(1, 6)
    gamma = draw(gammas(minimum=least))
    return RunInstance(data, gamma, draw(st.integers(0, 2**16)), stopping)


def sure_runs() -> st.SearchStrategy[RunInstance]:
    """Runs under the `sure` rule."""
    return st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(2))).flatmap(
        lambda level: runs(stopping=sure(level))
    )


@st.composite
def _labelled_lines(draw: st.DrawFn, dimension: int, count: int) -> Dataset:
    """Unit vectors, further lines and copies of them, all labelled, any n_1 from 1 on."""
    rows = [[Fraction(int(i == k)) for k in range(dimension)] for i in range(dimension)]
    slopes = [draw(st.sampled_from((1, -1, 2))) for _ in range(count - dimension)]
    rows += [[Fraction(1)] + [Fraction(slope)] * (dimension - 1) for slope in slopes]
    rows += [list(rows[i]) for i in draw(st.lists(st.integers(0, dimension - 1), max_size=2))]
    labels = [draw(rationals()) for _ in rows]
    labels[0] += 1
    return dataset(rows, unlabelled=draw(st.integers(1, len(rows))), labels=labels)


@st.composite
def trees(draw: st.DrawFn) -> TreeInstance:
    """Instances whose whole sampling tree is small."""
    dimension, count, least = draw(
        st.sampled_from(
            (
                (1, 1, Fraction(1, 12)),
                (2, 2, Fraction(1, 3)),
                (2, 3, Fraction(21, 50)),
                (3, 3, Fraction(11, 25)),
            )
        )
    )
    gamma = draw(gammas(minimum=least, maximum=Fraction(49, 100)))
    return TreeInstance(draw(_labelled_lines(dimension, count)), gamma)


@st.composite
def sure_trees(draw: st.DrawFn) -> TreeInstance:
    """The same under the sure rule: paths at d = 1, trees cut at a horizon at d = 2."""
    if draw(st.booleans()):
        gamma = draw(gammas(minimum=Fraction(36, 100), maximum=Fraction(42, 100)))
        level = draw(st.sampled_from((Fraction(1), Fraction(5))))
        return TreeInstance(draw(_labelled_lines(2, 2)), gamma, sure(level), horizon=10)
    gamma = draw(gammas(minimum=Fraction(1, 12), maximum=Fraction(6, 25)))
    level = draw(st.sampled_from((Fraction(1), Fraction(3, 2))))
    return TreeInstance(draw(_labelled_lines(1, 1)), gamma, sure(level), horizon=400)


def packings() -> st.SearchStrategy[PackingInstance]:
    """Inputs of Algorithm 3 within the theorem's ranges."""
    return st.builds(
        PackingInstance,
        st.integers(1, 9),
        st.builds(Fraction, st.integers(4, 200), st.just(4)),
        st.builds(Fraction, st.just(1), st.integers(100, 1000)),
    )


def designs() -> st.SearchStrategy[DesignInstance]:
    """Hard instances with finitely many copies."""
    return st.builds(
        DesignInstance,
        st.lists(st.sampled_from((1, -1)), min_size=1, max_size=3).map(tuple),
        st.builds(Fraction, st.integers(0, 20), st.sampled_from((1, 2))),
        st.builds(Fraction, st.just(1), st.integers(2, 300)),
        st.just(16),
    )


def learners() -> st.SearchStrategy[LearnerInstance]:
    """Labels of a few copies, lambda > 0 and a root s of eps lambda."""
    return st.builds(
        LearnerInstance,
        st.lists(rationals(), min_size=2, max_size=6).map(tuple),
        st.builds(Fraction, st.integers(1, 12), st.sampled_from((1, 2, 3))),
        st.builds(Fraction, st.integers(1, 9), st.just(10)),
    )


#: For every family of the audit, the strategy that draws the same kind of instance.
BY_FAMILY: dict[str, st.SearchStrategy[Any]] = {
    STEPS.name: steps(),
    POINTS.name: points(),
    RIDGES.name: ridges(),
    KERNELS.name: kernels(),
    RUNS.name: runs(),
    SURE_RUNS.name: sure_runs(),
    TREES.name: trees(),
    SURE_TREES.name: sure_trees(),
    PACKINGS.name: packings(),
    DESIGNS.name: designs(),
    LEARNERS.name: learners(),
}
