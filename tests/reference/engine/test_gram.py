"""Bounds on the rounding of Gram matrices, leverages and Cholesky, judged by exact arithmetic."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from flint import fmpq_mat
from scipy import linalg

from asura.engine import gram, rounding
from asura.engine.rows import ArrayRows
from asura.errors import RankZero
from asura.rounding import gamma
from tests.reference.engine.designs import (
    KINDS,
    design,
    exact,
    identity,
    mirrored,
    rational,
    semidefinite,
    within,
)


def _exact_gram(rows: fmpq_mat) -> fmpq_mat:
    return rows.transpose() * rows


def _diagonal(values: list[float]) -> fmpq_mat:
    return exact(np.diag(np.array(values)))


def _judge(kind: str, seed: int, ridge: float, intercept: bool) -> None:
    """Every claim of `spectrum` about one design, decided exactly."""
    points = design(kind, seed)
    rows = ArrayRows(points, intercept, block_bytes=5 * 8 * 4)
    known = np.zeros(len(points), bool)
    known[::4] = True
    penalty = np.full(rows.width, ridge)
    if intercept:
        penalty[-1] = 0.0
    found = gram.spectrum(rows, known, penalty)
    whole = exact(rows.take(np.arange(len(points))) * found.whitening.scale)
    basis = exact(found.whitening.basis)
    rotated = whole * basis
    first = [i for i in range(len(points)) if not known[i]]
    pick = fmpq_mat([[int(k == i) for k in range(len(points))] for i in first])
    other = fmpq_mat([[int(k == i) for k in range(len(points))] for i in np.flatnonzero(known)])
    exact_1 = _exact_gram(pick * rotated)
    scale = found.whitening.scale
    ridge_part = basis.transpose() * _diagonal(list(penalty * scale * scale)) * basis
    exact_2 = _exact_gram(other * rotated) + ridge_part
    total = exact_1 + exact_2
    assert within(exact(mirrored(found.bought.gram)), exact_1, found.bought.error)
    assert within(exact(mirrored(found.kept.gram)), exact_2, found.kept.error)
    assert semidefinite(total - identity(found.whitening.rank, found.floor))
    if found.floor == 0.0:
        assert (found.leverages[np.abs(points[~known]).max(axis=1) > 0] == 1.0).all()
        return
    for i, bound in zip(first, found.leverages, strict=True):
        row = fmpq_mat([[rotated[i, k] for k in range(rotated.ncols())]])
        leverage = (row * total.solve(row.transpose()))[0, 0]
        assert leverage <= rational(float(bound))
        if kind in {"gauss", "integers", "scales", "tiny", "huge"}:
            assert rational(float(bound)) <= leverage * rational(1 + 1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ridge", "intercept"), [(0.0, False), (0.0, True), (0.1, True)])
def test_spectrum_is_right_within_its_bounds(kind: str, ridge: float, intercept: bool) -> None:
    for seed in range(4):
        _judge(kind, seed, ridge, intercept)


def test_the_judge_catches_bounds_that_forget_the_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gram, "gamma", lambda _: 0.0)
    with pytest.raises(AssertionError):
        _judge("gauss", 0, 0.1, True)


def test_dependent_columns_are_named_and_left_out() -> None:
    points = design("dependent", 1)
    found = gram.spectrum(ArrayRows(points), np.zeros(len(points), bool), np.zeros(3))
    assert found.whitening.rank == 2
    assert len(found.whitening.dropped) == 1
    dummy = np.eye(3)[np.arange(12) % 3]
    found = gram.spectrum(ArrayRows(dummy, True), np.zeros(12, bool), np.zeros(4))
    assert found.whitening.rank == 3


def test_condition_1e12_keeps_all_directions() -> None:
    points = design("ill-conditioned", 1)
    found = gram.spectrum(ArrayRows(points), np.zeros(len(points), bool), np.zeros(3))
    assert found.whitening.rank == 3
    assert found.floor > 0.9


def test_nothing_but_zeros() -> None:
    with pytest.raises(RankZero):
        gram.spectrum(ArrayRows(np.zeros((3, 2))), np.zeros(3, bool), np.zeros(2))


def _nearly_singular(seed: int, size: int = 6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((size, size - 1))
    whole = factor @ factor.T  # of rank size - 1 but for its rounding, of either sign
    return np.asarray((whole + whole.T) / 2)


def test_a_proof_of_definiteness_is_never_wrong() -> None:
    proved = wrong_without_bound = 0
    for seed in range(300):
        matrix = _nearly_singular(seed) + (seed % 5) * 1e-16 * np.eye(6)
        truth = semidefinite(exact(mirrored(matrix)))
        if rounding.proved_semidefinite(matrix, 0.0):
            proved += 1
            assert truth
        try:
            np.linalg.cholesky(matrix)
            wrong_without_bound += not truth
        except np.linalg.LinAlgError:
            pass
        assert rounding.proved_semidefinite(matrix + 1e-12 * np.eye(6), 0.0)
    assert wrong_without_bound > 0  # so that the test can fail: a plain Cholesky does


def test_no_proof_from_numbers_that_are_not_finite() -> None:
    matrix = np.eye(2)
    matrix[1, 0] = np.nan
    assert not rounding.proved_semidefinite(matrix, 0.0)
    assert not rounding.proved_semidefinite(np.full((2, 2), np.inf), 0.0)
    assert not rounding.proved_semidefinite(np.eye(2), np.inf)
    assert gamma(2**53) == np.inf


def test_blocks_and_a_mapped_file_are_the_same_rows(tmp_path: object) -> None:
    points = design("gauss", 0, 40)
    whole = ArrayRows(points, True)
    name = f"{tmp_path}/x.npy"
    np.save(name, points)
    mapped = ArrayRows(np.load(name, mmap_mode="r"), True, block_bytes=100)
    assert whole.fingerprint() == mapped.fingerprint()
    assert whole.fingerprint() != ArrayRows(points[::-1], True).fingerprint()
    indices = np.array([7, 3, 7])
    assert mapped.take(indices).tolist() == whole.take(indices).tolist()


def test_the_end_of_a_spectrum_when_the_routine_for_one_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seen on a table of heavy tails, whose T^T G T is the identity to the last bits."""
    matrix = np.diag([3.0, 1.0, 2.0])
    assert rounding.end_of_spectrum(matrix) == 1.0
    assert rounding.end_of_spectrum(matrix, largest=True) == 3.0

    def give_up(*_: object, **__: object) -> None:
        raise linalg.LinAlgError("Internal Error.")

    monkeypatch.setattr(linalg, "eigvalsh", give_up)
    assert rounding.end_of_spectrum(matrix) == 1.0
    assert rounding.end_of_spectrum(matrix, largest=True) == 3.0


def _starved(work: Callable[[], object]) -> float:
    """The longest time that another thread had to wait, relative to the call."""
    waits: list[float] = []
    over = threading.Event()

    def watch() -> None:
        last = time.perf_counter()
        while not over.wait(0.002):
            now = time.perf_counter()
            waits.append(now - last)
            last = now

    thread = threading.Thread(target=watch)
    thread.start()
    started = time.perf_counter()
    work()
    taken = time.perf_counter() - started
    over.set()
    thread.join()
    return max(waits, default=taken) / taken


def test_large_matrices_do_not_keep_an_interrupt_waiting() -> None:
    """The thread that hears a signal runs beside each call; beside SciPy's LAPACK it waits."""
    size = rounding.LARGE
    points = np.random.default_rng(0).standard_normal((2 * size, size))
    matrix = points.T @ points
    factor = np.linalg.cholesky(matrix).T
    calls: list[Callable[[], object]] = [
        lambda: [rounding.proved_semidefinite(matrix, 0.0) for _ in range(5)],
        lambda: rounding.end_of_spectrum(matrix),
        lambda: rounding.relative_spectrum(matrix, matrix),
        lambda: rounding.triangular_inverse(factor),
    ]
    for call in calls:
        assert any(_starved(call) < 0.5 for _ in range(3))
    assert any(_starved(lambda: linalg.eigvalsh(matrix)) > 0.5 for _ in range(3))


def test_large_matrices_are_decided_as_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy's routines at a size where SciPy's are the usual ones."""
    monkeypatch.setattr(rounding, "LARGE", 2)
    for matrix in (np.diag([3.0, 1.0, 2.0]), np.array([[2.0, 1.0, 0], [1, 2, 1], [0, 1, 2]])):
        lowest, highest = np.linalg.eigvalsh(matrix)[[0, -1]]
        assert rounding.end_of_spectrum(matrix) == lowest
        assert rounding.end_of_spectrum(matrix, largest=True) == highest
        assert rounding.proved_semidefinite(matrix, 0.99 * lowest)
        assert not rounding.proved_semidefinite(matrix, 1.01 * lowest)


def test_blocks_are_short_however_wide_the_rows_are() -> None:
    sizes: list[int] = []
    for width in (5, 200, 2000):
        rows = ArrayRows(np.zeros((20_000, width)))
        for _, size in rows.over_blocks(lambda _start, block: len(block)):
            assert size * width**2 <= 5e8
            sizes.append(size)
    assert sum(sizes) == 60_000
