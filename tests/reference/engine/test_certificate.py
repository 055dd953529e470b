"""The certificate is never wrong: exact arithmetic judges what it proves of any sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from flint import fmpq_mat
from numpy.typing import NDArray

from asura.arithmetic import DoubleArithmetic
from asura.dataset import dataset
from asura.engine import certificate as module
from asura.engine import gram
from asura.engine.certificate import SampleCertificate, certify
from asura.engine.rounding import proved_semidefinite as honest_proof
from asura.engine.rows import ArrayRows
from asura.errors import RaggedData
from asura.run import run
from tests.reference.engine.designs import KINDS, Matrix, design, exact, rational, semidefinite

#: Damaged samples in the suite; `python -m tests.reference.engine.test_certificate` makes 1000.
DAMAGED = 100


def _truth(
    points: Matrix,
    known: NDArray[np.bool_],
    penalty: NDArray[np.float64],
    picks: NDArray[np.intp],
    weights: NDArray[np.float64],
    columns: list[int],
) -> tuple[fmpq_mat, fmpq_mat]:
    """G and the sample, exactly, restricted to some columns."""
    rows = exact(points[:, columns])
    size = len(columns)
    whole = rows.transpose() * rows + exact(np.diag(penalty[columns]))
    mask = np.zeros(len(points))
    mask[known] = 1.0
    both = exact(np.diag(penalty[columns]))
    for i in range(len(points)):
        factor = rational(mask[i])
        for pick, weight in zip(picks, weights, strict=True):
            if pick == i:
                factor += rational(weight)
        row = fmpq_mat(1, size, [rational(x) for x in points[i, columns].tolist()])
        both += row.transpose() * row * factor
    return whole, both


def _kept_columns(points: Matrix, penalty: NDArray[np.float64]) -> list[int]:
    dropped = gram.whiten(ArrayRows(points), penalty).dropped
    return [k for k in range(points.shape[1]) if k not in dropped]


def _holds(whole: fmpq_mat, sample: fmpq_mat, delta: float) -> bool:
    room = whole * rational(delta)
    return semidefinite(room - (sample - whole)) and semidefinite(room + (sample - whole))


Sample = tuple[
    Matrix, NDArray[np.bool_], NDArray[np.float64], NDArray[np.intp], NDArray[np.float64]
]


def _sample(kind: str, seed: int) -> Sample:
    rng = np.random.default_rng([seed, 77])
    points = design(kind, seed, rows=14)
    known = rng.random(14) < 0.2
    penalty = np.full(3, 0.5 if seed % 2 else 0.0)
    pool = np.flatnonzero(~known)
    picks = pool[rng.random(len(pool)) < 0.7]
    return points, known, penalty, picks, rng.uniform(0.5, 2, len(picks))


def _certified(
    points: Matrix,
    known: NDArray[np.bool_],
    penalty: NDArray[np.float64],
    picks: NDArray[np.intp],
    weights: NDArray[np.float64],
) -> SampleCertificate:
    return certify(ArrayRows(points, block_bytes=96), known, penalty, picks, weights)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proved_is_true_and_nearly_sharp(kind: str) -> None:
    for seed in range(6):
        parts = _sample(kind, seed)
        found = _certified(*parts)
        if found.delta is None:
            assert kind in {"ill-conditioned", "heavy"}
            continue
        whole, sample = _truth(*parts, _kept_columns(parts[0], parts[2]))
        assert _holds(whole, sample, found.delta)
        slack = 0.05 if kind == "ill-conditioned" else 1e-4
        if found.delta > slack:
            assert not _holds(whole, sample, found.delta - slack)


def test_condition_1e12_is_proved_within_a_percent() -> None:
    """Columns that agree to twelve digits: G has condition 1e24 and no Cholesky factor."""
    points = design("ill-conditioned", 3, rows=60)
    known = np.zeros(60, bool)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(points.T @ points)
    picks = np.arange(60)
    found = _certified(points, known, np.zeros(3), picks, np.full(60, 1.25))
    assert found.delta is not None
    assert 0.25 <= found.delta <= 0.26
    assert _holds(
        *_truth(points, known, np.zeros(3), picks, np.full(60, 1.25), [0, 1, 2]), found.delta
    )


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_coordinates_are_given_what_is_proved_is_true(kind: str) -> None:
    """T from another table, or any matrix at all: nothing false is ever proved."""
    rng = np.random.default_rng(9)
    proved = 0
    for seed in range(4):
        parts = _sample(kind, seed)
        points, known, penalty, picks, weights = parts
        other = gram.whiten(ArrayRows(points * rng.uniform(0.9, 1.1, points.shape)), penalty)
        wild = gram.Whitening(rng.standard_normal((3, 3)), np.ones(3), ())
        for basis in (other, wild):
            with np.errstate(over="ignore", invalid="ignore"):
                found = certify(ArrayRows(points), known, penalty, picks, weights, whitening=basis)
            if found.delta is not None and basis.rank == 3:
                proved += 1
                assert _holds(*_truth(*parts, [0, 1, 2]), found.delta)
    if kind in {"gauss", "integers", "heavy"}:
        assert proved >= 4


def test_the_certificate_of_a_sample_of_asura() -> None:
    """All rows may be sampled, none is kept: what Algorithm 2 gives is certified the same way."""
    points = np.round(design("gauss", 6, rows=40), 3)
    done = run(dataset(points.tolist()), "1/8", arithmetic=DoubleArithmetic())
    picks, weights = np.array(done.picks), np.array(done.scaled_weights, dtype=float)
    nobody = np.zeros(40, bool)
    found = _certified(points, nobody, np.zeros(3), picks, weights)
    assert found.delta is not None
    assert found.delta < 0.75
    whole, sample = _truth(points, nobody, np.zeros(3), picks, weights, [0, 1, 2])
    assert _holds(whole, sample, found.delta)
    assert not _holds(whole, sample, found.delta - 1e-4)


def test_it_says_so_when_it_cannot_prove_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = _sample("gauss", 0)
    monkeypatch.setattr(module, "proved_semidefinite", lambda *_: False)
    found = _certified(*parts)
    assert found.delta is None
    assert "nothing is proved" in found.sentence


@dataclass(frozen=True)
class Damage:
    """A sample that was good and then damaged: its old delta, the new one, and the truth."""

    seed: int
    what: str
    honest: float
    found: float
    still_true: bool

    @property
    def refused(self) -> bool:
        """The damaged sample is not given the delta of the good one."""
        return self.found > self.honest


def damaged(seed: int) -> Damage:
    """One weight changed, one row lost, or one row taken for another."""
    rng = np.random.default_rng([seed, 5])
    points = rng.standard_normal((30, 3))
    known = rng.random(30) < 0.2
    pool = np.flatnonzero(~known)
    weights = np.ones(len(pool))
    honest = _certified(points, known, np.zeros(3), pool, weights)
    assert honest.delta is not None
    kind = seed % 3
    victim = int(rng.integers(len(pool)))
    picks = pool.copy()
    if kind == 0:
        factor = 1 + 10.0 ** rng.integers(-4, 3)
        weights[victim] *= factor
        what = f"weight times {factor:g}, leverage {_leverage(points, pool[victim]):.1e}"
    elif kind == 1:
        weights[victim] = 0.0
        what = f"row lost, leverage {_leverage(points, pool[victim]):.1e}"
    else:
        picks[victim] = picks[(victim + 1) % len(picks)]
        what = "row taken for another"
    found = _certified(points, known, np.zeros(3), picks, weights)
    whole, sample = _truth(points, known, np.zeros(3), picks, weights, [0, 1, 2])
    assert found.delta is not None
    assert _holds(whole, sample, found.delta)
    return Damage(seed, what, honest.delta, found.delta, _holds(whole, sample, honest.delta))


def _leverage(points: Matrix, row: int) -> float:
    return float(points[row] @ np.linalg.solve(points.T @ points, points[row]))


def test_damaged_samples_are_refused_their_delta() -> None:
    outcomes = [damaged(seed) for seed in range(DAMAGED)]
    for each in outcomes:  # a sample keeps its delta only where exact arithmetic finds it true
        assert each.refused or each.still_true, each
    assert sum(each.refused for each in outcomes) >= 0.9 * DAMAGED


def test_a_certificate_that_forgets_half_of_the_proof_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted mistake: only the upper inequality is proved."""
    calls = iter(range(10**6))
    monkeypatch.setattr(
        module, "proved_semidefinite", lambda m, e: next(calls) % 2 == 0 or honest_proof(m, e)
    )
    monkeypatch.setattr(module, "relative_spectrum", lambda *_: np.zeros(1))
    samples = [_sample("gauss", seed) for seed in range(20)]
    assert not all(_true(parts, _certified(*parts)) for parts in samples)


def _true(parts: Sample, found: SampleCertificate) -> bool:
    return found.delta is None or _holds(*_truth(*parts, [0, 1, 2]), found.delta)


def test_a_delta_beyond_one_is_not_sold_as_a_bound_from_below() -> None:
    points, known, penalty, picks, weights = _sample("gauss", 0)
    found = _certified(points, known, penalty, picks, 9 * weights)
    assert found.delta is not None
    assert found.delta > 1
    assert "nothing from below" in found.sentence
    assert "every direction" in SampleCertificate(0.5, "", 3).sentence


def test_weights_and_rows_that_cannot_be() -> None:
    points, known, penalty, picks, weights = _sample("gauss", 1)
    for bad in (-weights, weights * np.nan):
        assert _certified(points, known, penalty, picks, bad).delta is None
    assert _certified(points, known, penalty, np.array([99]), np.ones(1)).delta is None
    free = np.flatnonzero(known)[:1]
    assert "known" in _certified(points, known, penalty, free, np.ones(1)).sentence
    with pytest.raises(RaggedData):
        _certified(points, known, penalty, picks, weights[1:])
