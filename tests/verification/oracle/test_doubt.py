"""The doubt about the true state encloses it: with large doubts, and along whole runs."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from asura.arithmetic.ball import Undecided
from asura.dataset import Dataset, dataset
from asura.run import run
from asura.stopping import PAPER
from asura_verify.oracle.centred import CentredReplay
from asura_verify.oracle.doubt import Barrier, Doubt
from asura_verify.oracle.replay import Replay


def random_data(seed: int, dimension: int, size: int) -> Dataset:
    rows = np.random.default_rng(seed).integers(-9, 10, size=(size, dimension))
    return dataset(rows.tolist(), unlabelled=size // 2)


def test_a_large_doubt_bounds_every_matrix_within_it() -> None:
    """M_c + P for -Q <= P <= Q with Q a sizeable part of M_c."""
    rng = np.random.default_rng(7)
    for trial in range(200):
        size = int(rng.integers(1, 6))
        root, gram_root = rng.standard_normal((2, size, size))
        centre = root @ root.T + np.eye(size)
        gram = gram_root @ gram_root.T + np.eye(size)
        factor = rng.standard_normal((size, size))
        inverse = np.linalg.inv(centre)
        form = factor @ factor.T
        form *= rng.uniform(0.1, 0.9) / (np.linalg.norm(form) * np.linalg.norm(inverse))
        values, vectors = np.linalg.eigh(form)
        half = vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T
        rotation, _ = np.linalg.qr(rng.standard_normal((size, size)))
        signs = np.diag(rng.choice([-1.0, 1.0], size))
        change = half @ rotation @ signs @ rotation.T @ half  # extreme: |P| = Q in some basis
        true = np.linalg.inv(centre + change)
        barrier = Barrier(inverse, form, gram, arb(1))
        assert abs(np.sum(gram * true) - np.sum(gram * inverse)) <= barrier.trace, trial
        for row in rng.standard_normal((5, size)):
            off = abs(row @ true @ row - row @ inverse @ row)
            assert off <= barrier.mass(row)
            assert off <= barrier.relative * (row @ inverse @ row)


def test_a_doubt_as_large_as_the_distance_to_a_barrier_is_refused() -> None:
    with pytest.raises(Undecided):
        Barrier(np.eye(2), np.eye(2), np.eye(2), arb(1))


@pytest.mark.parametrize("kind", [Replay, CentredReplay])
@pytest.mark.parametrize(("dimension", "gamma"), [(1, "1/9"), (2, "1/12"), (4, "2/7"), (7, "1/5")])
def test_a_run_with_few_bits_encloses_the_same_run_with_many(
    dimension: int, gamma: str, kind: type[Replay]
) -> None:
    data = random_data(dimension, dimension, 2 * dimension + 3)
    share = Fraction(gamma)
    picks = [record.index for record in run(data, share).iterations]
    bits = 96, 400
    replays = []
    for count in bits:
        with ctx.workprec(count):
            # With many bits, always the simple one.
            chosen = kind if count == bits[0] else Replay
            replays.append(chosen(data, share, PAPER, count))
    few, many = replays
    for j, pick in enumerate(picks):
        found = []
        for count, replay in zip(bits, replays, strict=True):
            with ctx.workprec(count):
                replay.look()
                mass = replay.mass(pick)
                values = [replay.upper, replay.lower, replay.potential, mass]
                values += [replay.mass_before(pick), replay.mid(), replay.clock()]
                if j % 10 == 0:
                    replay.finish()
                    values += replay.masses() + replay.accumulated.entries()
                values.append(replay.advance(pick, mass))
                found.append(values)
        with ctx.workprec(max(bits)):
            assert all(a.contains(b) for a, b in zip(*found, strict=True)), j
    lost = 96 - few.potential.rel_accuracy_bits()
    assert lost < (1.5 if kind is CentredReplay else 0.8 * dimension) / share + 20
    assert many.potential.rel_accuracy_bits() > 300


def test_units_are_rounded_up() -> None:
    doubt = Doubt(np.eye(1), 100)
    with ctx.workprec(100):
        third = arb(2) ** -100 / 3
        assert arb(doubt.units(third)) * doubt.unit > third
