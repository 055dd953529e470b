"""The theorem of one whitening: exact masses of moved rows against the bounds, and what breaks."""

import numpy as np
import pytest
from flint import arb, arb_mat, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from asura_verify.oracle.truth.allowance import Conditioning
from asura_verify.oracle.truth.one_whitening import (
    Measured,
    Slack,
    State,
    Whitening,
    deviations,
    fitted,
    gradients,
    measured,
    steps_to_measure,
    whitening,
)
from asura_verify.oracle.truth.stated import Doubles, Grant, StatedTruth

BITS = 256


class Run:
    """A run at exact rows V + z, and what is known of it at V."""

    def __init__(
        self, seed: int, size: float, *, steps: int = 12, d: int | None = None, light: float = 6.0
    ) -> None:
        rng = np.random.default_rng([17, seed])
        d = int(rng.integers(1, 4)) if d is None else d
        n = d + int(rng.integers(1, 6))
        rows = rng.standard_normal((n, d)) * 10 ** rng.uniform(-light, 0, (n, 1))
        rows[:d] += np.eye(d)
        self.rows: Doubles = np.linalg.qr(rows)[0]
        moved = rng.standard_normal((n, d))
        self.moved: Doubles = moved * size / np.linalg.norm(moved)
        self.grant = Grant(53, Conditioning(1.0, 1.0, (1.0,) * n, d), n)
        self.steps = []
        upper, lower, totals = 6.0 * d, -6.0 * d, np.zeros(n)
        self.states = []
        with ctx.workprec(BITS):
            program = StatedTruth(arb_mat((self.rows + self.moved).tolist()))
            shares = []
            for j in range(steps):
                potential, masses, _ = program.exactly(arb(upper), arb(lower))
                index = int(rng.integers(0, n))
                weight = 0.3 / max(float(masses[index]), 0.02)
                shares.append([float(mass / sum(masses, arb(0))) for mass in masses])
                self.steps.append((j, index, upper, lower, weight))
                self.states.append(State(totals.copy(), upper, lower))
                totals[index] += weight
                program.add(index, arb(weight))
                upper += 0.6 / float(potential)
                lower += 0.2 / float(potential)
        self.shares: Doubles = np.array(shares)

    def found(self, zeta: float, rows: Doubles | None = None) -> Measured | None:
        """All steps, seen from V or other rows."""
        with ctx.workprec(BITS):
            chosen = self.rows if rows is None else rows
            seen = StatedTruth(arb_mat(chosen.tolist())).look(self.steps)
        assert seen is not None
        return measured(self.grant, seen, self.shares, zeta, 0.0)


def off(run: Run) -> float:
    """The largest |g + J z| in units of its bound."""
    found = run.found(float(np.linalg.norm(run.moved)))
    assert found is not None
    _, slopes = deviations(run.rows, run.states, run.shares)
    left = found.values.ravel() + slopes @ run.moved.ravel()
    return float(np.max(np.abs(left) / found.bounds.ravel()))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(-12.0, -2.5))
def test_the_first_line_of_the_theorem(seed: int, decade: float) -> None:
    assert off(Run(seed, 10**decade)) <= 1


def test_the_remainder_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slack, "rest", lambda _self, masses: 0 * masses)
    assert any(off(Run(seed, 1e-3)) > 1 for seed in range(4))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(-10.0, -4.0))
def test_the_second_line_binds_every_other_step(seed: int, decade: float) -> None:
    """|g_k| of steps that were not measured, whatever the rows of the program are."""
    run = Run(seed, 10**decade, steps=20)
    count = steps_to_measure(run.rows.shape[1])
    zeta = float(np.linalg.norm(run.moved)) * 1.001
    found = run.found(zeta)
    assert found is not None
    _, slopes = deviations(run.rows, run.states, run.shares)
    entries = run.rows.size
    first = slopes.reshape(len(run.steps), -1, entries)[:count].reshape(-1, entries)
    known = whitening(run.rows, zeta, first, found.part(slice(0, count)))
    assert known is not None
    every = np.repeat(found.size, run.rows.shape[0])
    bounds = found.bounds.ravel() + known.unexplained(slopes, every)
    assert np.all(np.abs(found.values.ravel()) <= bounds)


def test_what_is_left_of_the_gradient_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without |J_k - y C^T J_0| zeta, rows that one step cannot measure are taken as known."""

    def careless(self: Whitening, slopes: Doubles, _size: Doubles) -> Doubles:
        return np.asarray(np.linalg.norm(slopes @ self.right, axis=1) * self.radius)

    def exceeded() -> bool:
        run = Run(5, 1e-6, steps=20, d=3)
        rows = fitted(run.rows, run.states[:1], run.shares[:1])
        zeta = 1.001 * float(np.linalg.norm(run.rows + run.moved - rows))
        found = run.found(zeta, rows)
        assert found is not None
        _, slopes = deviations(rows, run.states, run.shares)
        known = whitening(rows, zeta, slopes[: len(rows)], found.part(slice(0, 1)))
        assert known is not None
        every = np.repeat(found.size, run.rows.shape[0])
        bounds = found.bounds.ravel() + known.unexplained(slopes, every)
        return bool(np.any(np.abs(found.values.ravel()) > bounds))

    assert not exceeded()
    monkeypatch.setattr(Whitening, "unexplained", careless)
    assert exceeded()


@pytest.mark.parametrize("seed", range(4))
def test_the_fit_finds_the_rows_up_to_a_rotation(seed: int) -> None:
    run = Run(seed, 1e-5, d=2, light=0.0)
    rows = fitted(run.rows, run.states, run.shares)
    true = run.rows + run.moved
    assert np.abs(run.rows @ run.rows.T - true @ true.T).max() > 1e-7
    assert np.abs(rows @ rows.T - true @ true.T).max() < 1e-9


def test_gradients_are_those_of_differences() -> None:
    run = Run(3, 1e-7, d=3)
    state = run.states[-1]
    here, there = gradients(run.rows, state), gradients(run.rows + run.moved, state)
    change = run.moved.ravel()
    assert np.max(np.abs(there.masses - here.masses - here.rows @ change)) < 1e-12
    assert abs(there.potential - here.potential - here.trace @ change) < 1e-12


def test_far_rows_are_beyond_the_theorem() -> None:
    run = Run(1, 1e-5)
    assert run.found(1.0) is None
