"""Section 2 and the identities of Section 3: what the problem is, and its parameter R_X."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat

from asura.algorithm1_regression import loss
from asura.dataset import dataset
from asura.dimensions import effective_dimension, reduced_rank, statistical_dimension
from asura.scalars import rational
from asura.verdict import decided
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.draw import kernel_data, ridge_data
from asura_verify.instances.families import KERNELS, POINTS, RIDGES
from asura_verify.instances.step import (
    KernelInstance,
    PointsInstance,
    RidgeInstance,
    exact_matrix,
    matrix_trace,
    shifted,
)
from asura_verify.registry.claim import Check, Counterexample, Demonstration, Range
from asura_verify.registry.shorthand import claim, corrected, demonstrated, printed, sharper, step

LAMBDA = Range("lambda", 0, None, closed_low=True)
POSITIVE_LAMBDA = Range("lambda", 0, None)


def _independent_columns(instance: PointsInstance) -> tuple[fmpq_mat, list[fmpq]]:
    """A largest independent set of columns of X, and the squared scales."""
    data = instance.data
    scales = [rational(c) for c in data.squared_scales]
    scaled = fmpq_mat(
        [[c * rational(x) for x in row] for c, row in zip(scales, data.points, strict=True)]
    )
    reduced, rank = scaled.rref()
    chosen = [next(k for k in range(data.width) if reduced[i, k] != 0) for i in range(rank)]
    return fmpq_mat([[rational(row[k]) for k in chosen] for row in data.points]), scales


def _weighted_gram(rows: fmpq_mat, scales: list[fmpq], count: int) -> fmpq_mat:
    size = rows.ncols()
    total = fmpq_mat(size, size)
    for i in range(count):
        row = fmpq_mat([[rows[i, k] for k in range(size)]])
        total += row.transpose() * row * scales[i]
    return total


@conjunction
def reduced_rank_is_a_trace(compare: Comparisons, instance: PointsInstance) -> None:
    """R_X = Tr((X^T X)^-1 X_1^T X_1) on independent columns, and 0 <= R_X <= rank X_1."""
    rows, scales = _independent_columns(instance)
    first = instance.data.unlabelled
    part = _weighted_gram(rows, scales, first)
    value = reduced_rank(instance.data)
    whole = _weighted_gram(rows, scales, instance.data.size)
    compare.equal("R_X", value, matrix_trace(whole.inv() * part))
    compare.at_most("0 <= R_X", 0, value)
    compare.at_most("R_X <= rank X_1", value, part.rank())


@conjunction
def ridge_loss_is_stacked_loss(compare: Comparisons, instance: RidgeInstance) -> None:
    """|X beta - Y|^2 = |X_1 beta - Y_1|^2 + lambda |beta|^2."""
    fitted = [
        sum((x * b for x, b in zip(row, instance.beta, strict=True)), Fraction(0)) - y
        for row, y in zip(instance.rows, instance.labels, strict=True)
    ]
    ridge_loss = sum(e * e for e in fitted) + instance.lam * sum(b * b for b in instance.beta)
    stacked = loss(ridge_data(instance), instance.beta)
    compare.equal("loss", stacked.lower, ridge_loss)
    compare.that("the stacked loss is exact", stacked.exact)


def _kernel_loss(instance: KernelInstance) -> Fraction:
    kernel, beta = instance.kernel, instance.beta
    image = [sum((k * b for k, b in zip(row, beta, strict=True)), Fraction(0)) for row in kernel]
    fit = sum((z - y) * (z - y) for z, y in zip(image, instance.labels, strict=True))
    return fit + instance.lam * sum((b * z for b, z in zip(beta, image, strict=True)), Fraction(0))


@conjunction
def kernel_loss_is_stacked_loss(compare: Comparisons, instance: KernelInstance) -> None:
    """With X_2 = sqrt(lambda) Z and Z^T Z = K: |X beta - Y|^2 = |K beta - Y|^2 + lambda beta^T K beta."""  # noqa: E501
    stacked = loss(kernel_data(instance), instance.beta)
    compare.equal("loss", stacked.lower, _kernel_loss(instance))
    compare.that("the stacked loss is exact", stacked.exact)


@conjunction
def ridge_rank_is_statistical_dimension(compare: Comparisons, instance: RidgeInstance) -> None:
    """R_X = sd_lambda(X_1)."""
    compare.equal(
        "R_X = sd",
        reduced_rank(ridge_data(instance)),
        statistical_dimension(instance.rows, instance.lam),
    )
    # Tr((X_1^T X_1 + lambda I)^-1 X_1^T X_1), without the reference's row space or polynomial.
    if instance.lam > 0:
        rows = exact_matrix(instance.rows)
        gram = rows.transpose() * rows
        value = matrix_trace(shifted(gram, instance.lam).inv() * gram)
        compare.equal("R_X by definition", reduced_rank(ridge_data(instance)), value)


@conjunction
def kernel_rank_is_effective_dimension(compare: Comparisons, instance: KernelInstance) -> None:
    """R_X = d_lambda(K) = Tr((K + lambda I)^-1 K)."""
    value = reduced_rank(kernel_data(instance))
    compare.equal("R_X = d_lambda", value, effective_dimension(instance.kernel, instance.lam))
    kernel = exact_matrix(instance.kernel)
    trace = matrix_trace(shifted(kernel, instance.lam).inv() * kernel)
    compare.equal("R_X = Tr((K + lambda)^-1 K)", value, trace)


def _singular_gram() -> Demonstration:
    gram = fmpq_mat([[1, 1], [1, 1]])
    value = reduced_rank(dataset([[1, 1]]))
    return demonstrated(
        decided(gram.det() == 0),
        r"$X = X_1 = [1\; 1]$: $X^\top X = [[1, 1], [1, 1]]$ has determinant "
        r"$1 \cdot 1 - 1 \cdot 1 = 0$",
        f"so the printed inverse does not exist; on the row space $R_X = {value}$",
    )


def _two_roots() -> Demonstration:
    first, second = fmpq_mat([[1, 0], [0, 1]]), fmpq_mat([[0, 1], [-1, 0]])
    same = first.transpose() * first == second.transpose() * second
    return demonstrated(
        decided(bool(same) and first != second),
        r"$K = I$: $Z = I$ and $Z = [[0, 1], [-1, 0]]$ both satisfy $Z^\top Z = K$",
        "in general $Q Z$ does for every orthogonal $Q$",
    )


def _dropped_regularisation() -> Demonstration:
    lam, kernel = Fraction(2), Fraction(1)
    dropped = kernel**2 / (kernel**2 + kernel)
    meant = kernel / (kernel + lam)
    reference = reduced_rank(kernel_data(KernelInstance(((kernel,),), lam, (kernel,), (kernel,))))
    return demonstrated(
        decided(dropped != meant and reference == meant),
        r"$K = 1$, $\lambda = 2$, $X_1 = 1$",
        rf"$X_2 = \sqrt{{K}} = 1$: $R_X = 1/(1 + 1) = {dropped}$",
        rf"$X_2 = \sqrt{{\lambda K}}$: $R_X = 1/(1 + 2) = {meant} = d_2(K)$",
    )


CLAIMS = (
    claim(
        "def-reduced-rank",
        "The reduced rank",
        "eq:rr-def, Section 1",
        printed(
            r"$R_X = \mathrm{Tr}((X^\top X)^{-1} X_1^\top X_1)$, for $X$ of full column rank",
            Check("reduced-rank", POINTS, reduced_rank_is_a_trace),
            defines="the reduced rank",
            theorems="reduced_rank_bounds",
        ),
        step(
            "any-rank",
            "the inverse in the definition exists for every $X$",
            Counterexample("singular-gram", r"$X = X_1 = [1\; 1]$", _singular_gram),
        ),
        corrected(
            "row-space",
            "on the row space of $X$ the definition needs no rank: "
            r"$0 \le R_X \le \mathrm{rank}\, X_1$",
            Check("reduced-rank", POINTS, reduced_rank_is_a_trace),
            theorems="any_rank_reduced_rank",
        ),
    ),
    claim(
        "ridge-is-ssar",
        "Ridge regression is a special case",
        "Section 2",
        printed(
            r"with $X_2 = \sqrt{\lambda} I$ and $Y_2 = 0$ the stacked loss is the ridge loss, at "
            r"any $\beta$",
            LAMBDA,
            Check("ridge-loss", RIDGES, ridge_loss_is_stacked_loss),
            theorems="ridge_is_ssar",
        ),
    ),
    claim(
        "kernel-is-ssar",
        "Kernel ridge regression is a special case",
        "eq:krr-reduction, Section 2",
        printed(
            r"with $X_1 = K$ and $X_2 = \sqrt{\lambda} \sqrt{K}$ the stacked loss is the kernel "
            "ridge loss",
            LAMBDA,
            Check("kernel-loss", KERNELS, kernel_loss_is_stacked_loss),
            theorems="kernel_is_ssar",
        ),
        step(
            "unique-root",
            r"$Z^\top Z = K$ has a unique solution $Z$",
            Counterexample("two-roots", "$K = I$", _two_roots),
            refutations="kernel_root_not_unique",
        ),
        step(
            "without-lambda",
            r"$X_2 = \sqrt{K}$, without $\sqrt{\lambda}$, gives the reduced rank $d_\lambda(K)$",
            Counterexample("dropped-lambda", r"$K = 1$, $\lambda = 2$", _dropped_regularisation),
            refutations="kernel_row_needs_root",
        ),
        corrected(
            "any-root",
            r"the same with $X_2 = \sqrt{\lambda} Z$ for any $Z$ with $Z^\top Z = K$, singular "
            "$K$ included",
            Check("kernel-loss", KERNELS, kernel_loss_is_stacked_loss),
            theorems="kernel_is_ssar",
        ),
    ),
    claim(
        "rr-ridge",
        "The reduced rank of ridge regression",
        "eq:sd, Section 3",
        printed(
            r"with $X_2 = \sqrt{\lambda} I$ the reduced rank is the statistical dimension",
            POSITIVE_LAMBDA,
            Check("ridge-rank", RIDGES, ridge_rank_is_statistical_dimension),
            proved_by="ridge-eigenvalue",
            theorems="rr_ridge rr_ridge_sd singular_values_exist",
        ),
        sharper(
            "at-zero",
            r"at $\lambda = 0$ both are the rank of $X_1$",
            Range("lambda", 0, 0, closed_low=True, closed_high=True),
            Check("ridge-rank", RIDGES, ridge_rank_is_statistical_dimension),
            theorems="any_rank_ridge_zero",
        ),
        depends="ridge-is-ssar",
    ),
    claim(
        "rr-kernel",
        "The reduced rank of kernel ridge regression",
        "eq:deff, Section 3",
        printed(
            r"with $X_1 = K$ and $X_2 = \sqrt{\lambda} Z$ the reduced rank is the effective "
            "dimension",
            POSITIVE_LAMBDA,
            Check("kernel-rank", KERNELS, kernel_rank_is_effective_dimension),
            proved_by="kernel-eigenvalue",
            helped_by="kernel-root-dropped",
            theorems="rr_kernel rr_kernel_singular effective_dimension eigenvalues_exist",
        ),
        depends="kernel-is-ssar",
    ),
)
