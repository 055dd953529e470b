"""Ridge leverage scores, the determinantal process of ridge regression, and Nystrom's kernel."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.dimensions import leverage_scores, statistical_dimension
from asura.scalars import fraction, rational
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import PROCESSES
from asura_verify.instances.field import ProcessInstance
from asura_verify.instances.step import exact_matrix, matrix_trace, shifted
from asura_verify.registry.claim import Check, Claim
from asura_verify.registry.shorthand import claim, printed, sharper
from asura_verify.trees.sampler_laws import expected_gram

FIELD = "the field: ridge scores and determinantal processes"


def minor(matrix: fmpq_mat, chosen: Sequence[int]) -> fmpq:
    """det of the rows and columns of a set; 1 of none."""
    if not chosen:
        return fmpq(1)
    return fmpq_mat([[matrix[i, k] for k in chosen] for i in chosen]).det()


def _subsets(count: int) -> list[tuple[int, ...]]:
    return [s for size in range(count + 1) for s in itertools.combinations(range(count), size)]


def elementary(matrix: fmpq_mat, size: int) -> fmpq:
    """e_k of the eigenvalues: the sum of the principal minors of size k."""
    chosen = itertools.combinations(range(matrix.nrows()), size)
    return sum((minor(matrix, s) for s in chosen), fmpq(0))


def _ridge_scores(instance: ProcessInstance) -> list[Fraction]:
    """x^T (X_1^T X_1 + lambda I)^-1 x, written out."""
    rows = exact_matrix(instance.rows)
    hat = rows * shifted(rows.transpose() * rows, instance.lam).inv() * rows.transpose()
    return [fraction(hat[i, i]) for i in range(hat.nrows())]


@conjunction
def process_has_the_law(compare: Comparisons, instance: ProcessInstance) -> None:
    """P(S) = det L_S/det(I + L)."""
    kernel = instance.kernel * rational(1 / instance.lam)
    whole = shifted(kernel, Fraction(1)).det()
    for chosen in _subsets(kernel.nrows()):
        chance = rational(instance.sets.get(chosen, Fraction(0)))
        compare.equal(f"P({chosen})", chance, minor(kernel, chosen) / whole)
    compare.equal("they sum to 1", sum(instance.sets.values(), Fraction(0)), 1)


@conjunction
def process_takes_ridge_scores(compare: Comparisons, instance: ProcessInstance) -> None:
    """P(i in S) is the ridge leverage score, E|S| = sd_lambda, and the weighted Gram is right."""
    for i, score in enumerate(_ridge_scores(instance)):
        chance = sum((p for s, p in instance.sets.items() if i in s), Fraction(0))
        compare.equal(f"P({i} in S)", chance, score)
    size = sum((p * len(s) for s, p in instance.sets.items()), Fraction(0))
    compare.equal("E|S|", size, statistical_dimension(instance.rows, instance.lam))
    value = expected_gram(instance.data, instance.law)
    compare.that("E sum w x x^T = X^T X", bool(value == instance.data.coordinates.gram()))


@conjunction
def ridge_scores(compare: Comparisons, instance: ProcessInstance) -> None:
    """In [0, 1), and they sum to sd_lambda; ours are those of X_1 within the ridge data."""
    scores = leverage_scores(instance.data)[: len(instance.rows)]
    for i, (score, wanted) in enumerate(zip(scores, _ridge_scores(instance), strict=True)):
        compare.equal(f"l_{i}", score, wanted)
        compare.at_most(f"0 <= l_{i}", 0, score)
        compare.below(f"l_{i} < 1", score, 1)
    wanted_sum = statistical_dimension(instance.rows, instance.lam)
    compare.equal("sum of l", sum(scores, Fraction(0)), wanted_sum)


@conjunction
def fixed_size_has_the_law(compare: Comparisons, instance: ProcessInstance) -> None:
    """P(S) = det L_S/e_k(L), the same for K = lambda L."""
    whole = elementary(instance.kernel, instance.size)
    for chosen in itertools.combinations(range(len(instance.rows)), instance.size):
        chance = rational(instance.fixed_sets.get(chosen, Fraction(0)))
        compare.equal(f"P({chosen})", chance, minor(instance.kernel, chosen) / whole)
    compare.equal("they sum to 1", sum(instance.fixed_sets.values(), Fraction(0)), 1)


def residual(kernel: fmpq_mat, chosen: Sequence[int]) -> fmpq_mat:
    """K - K_.S K_S^-1 K_S., for a set with det K_S != 0."""
    if not chosen:
        return kernel
    count = kernel.nrows()
    inner = fmpq_mat([[kernel[i, k] for k in chosen] for i in chosen])
    outer = fmpq_mat([[kernel[i, k] for k in chosen] for i in range(count)])
    return kernel - outer * inner.inv() * outer.transpose()


@conjunction
def nystrom_is_below(compare: Comparisons, instance: ProcessInstance) -> None:
    """K - K^ is positive semidefinite for every independent set, and vanishes on S."""
    for chosen in _subsets(len(instance.rows)):
        if minor(instance.kernel, chosen) != 0:
            rest = residual(instance.kernel, chosen)
            compare.semidefinite(f"K - K^ at {chosen}", rest)
            for i in chosen:
                compare.equal(f"K - K^ at {chosen}, {i}", rest[i, i], 0)


@conjunction
def nystrom_in_the_mean(compare: Comparisons, instance: ProcessInstance) -> None:
    """E Tr(K - K^) = (k+1) e_{k+1}(K)/e_k(K) for S from the k-DPP."""
    kernel, size = instance.kernel, instance.size
    value = fmpq(0)
    for chosen, p in instance.fixed_sets.items():
        compare.that(f"det K at {chosen} is not 0", bool(minor(kernel, chosen) != 0))
        if minor(kernel, chosen) != 0:
            value += rational(p) * matrix_trace(residual(kernel, chosen))
    bound = (size + 1) * elementary(kernel, size + 1) / elementary(kernel, size)
    compare.equal("E Tr(K - K^)", value, bound)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "ridge-process",
        "The determinantal process of ridge regression",
        FIELD,
        printed(
            r"$\mathbb{P}(S) = \det(L_S)/\det(I + L)$ with $L = X_1 X_1^\top/\lambda$: "
            r"$\mathbb{P}(i \in S)$ is the ridge leverage score and $\mathbb{E}|S| = "
            r"\mathrm{sd}_\lambda$; with weights $1/\mathbb{P}(i \in S)$ on $S$ and $X_2$ kept, "
            r"$\mathbb{E} \sum w x x^\top = X^\top X$",
            Check("process-law", PROCESSES, process_has_the_law),
            Check("process-scores", PROCESSES, process_takes_ridge_scores),
            theorems="process_normaliser ridge_process",
        ),
        sharper(
            "scores",
            r"ridge leverage scores lie between 0 and 1, and sum to $\mathrm{sd}_\lambda$",
            Check("ridge-scores", PROCESSES, ridge_scores),
        ),
        sharper(
            "fixed-size",
            r"given $|S| = k$, $\mathbb{P}(S) = \det(L_S)/e_k(L)$",
            Check("fixed-size-law", PROCESSES, fixed_size_has_the_law),
        ),
        sharper(
            "three-points",
            r"$\mathbb{P}(i \in S)$ is the ridge leverage score for every three real points in the "
            r"plane and every $\lambda > 0$",
            proved_by="ridge-inclusion-of-three",
        ),
        depends="rr-ridge",
    ),
    claim(
        "nystrom",
        "Nystrom's kernel of a determinantal sample",
        FIELD,
        printed(
            r"$\mathbb{E}\, \mathrm{Tr}(K - K_S) = (k+1) e_{k+1}(K)/e_k(K)$ for a $k$-DPP, where "
            "$K_S$ is the kernel matrix that Nystrom's method makes of $S$",
            Check("nystrom-mean", PROCESSES, nystrom_in_the_mean),
        ),
        sharper(
            "below",
            r"$K - K_S \succeq 0$ for every independent $S$, and it is 0 on $S$",
            Check("nystrom-below", PROCESSES, nystrom_is_below),
            theorems="nystrom_below",
        ),
        depends="ridge-process",
    ),
)
