"""The numbers of one whitening, each by hand: slack, g and its bounds, the fit, what binds."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from asura_verify.oracle.truth import one_whitening
from asura_verify.oracle.truth.one_whitening import (
    Measured,
    Slack,
    State,
    Whitening,
    deviations,
    fitted,
    gradients,
    measured,
    slack,
    steps_to_measure,
    whitening,
)
from asura_verify.oracle.truth.stated import Doubles, Norms, Seen

E = 2.0**-53


def near(values: Any) -> Any:
    return pytest.approx(values, rel=1e-12, abs=0.0)


def norms(**facts: float | list[float]) -> Norms:
    known: dict[str, Any] = {
        "step": 3.0, "upper": 8.0, "lower": -8.0, "inverse": 0.5, "both": 0.75, "trace": 5.0,
        "size": 2.0, "heaviest": 3.0, "potential": 0.25,
    }  # fmt: skip
    return Norms(**{name: np.atleast_1d(value) for name, value in (known | facts).items()})


def grant(eta: Any = 2.0**-20, rho: Any = 2.0**-22, unit: float = 2.0**-24) -> Any:
    """What is granted to a step, chosen."""
    return SimpleNamespace(
        unit=unit, roundings=lambda _at: (np.atleast_1d(eta), np.atleast_1d(rho))
    )


# -- slack ---------------------------------------------------------------------------------------


def test_slack_by_hand() -> None:
    zeta = 2.0**-10
    found = slack(grant(), norms(), zeta)
    assert found is not None
    theta, rho, w = 2.0**-20 * 0.5 * 1.001, 2.0**-22, zeta * math.sqrt(3.0)
    assert found.roundings.tolist() == near([theta + rho])
    assert found.nu.tolist() == near([(1 + rho) / (1 - theta) * (1 + 2.0**-21) - 1 + 2.0**-50])
    assert found.a.tolist() == near([zeta * math.sqrt(0.75) * 1.001])
    assert found.t.tolist() == near([2 * w * (math.sqrt(2.0) + w) * 0.5 * 1.001])
    assert found.b.tolist() == near([w * w * 0.75 * 1.001])


def test_no_slack_where_a_step_is_beyond_the_theorem() -> None:
    """t above 1/16, theta or nu from 1/4 on: of one step, or of all."""
    once = {"size": 0.0, "heaviest": 1.0}
    inverse = 1 / 32 / 1.001
    found = slack(grant(0.0, 0.0, 0.0), norms(inverse=inverse, **once), 1.0)
    assert found is not None
    assert found.t.tolist() == [1 / 16]
    beyond = norms(inverse=[1e-3, inverse * (1 + 1e-9)], size=[0.0, 0.0], heaviest=[1.0, 1.0])
    assert slack(grant(0.0, 0.0, 0.0), beyond, 1.0) is None
    # theta, with which nu would be above 1/4 in any case: both are said by themselves.
    for theta, expected in ((0.19, True), (0.21, False)):
        at = norms(inverse=1.0)
        assert (slack(grant(theta / 1.001, 0.0, 0.0), at, 0.0) is not None) is expected
    assert slack(grant([0.0, 0.3], [0.0, -0.3], 0.0), norms(inverse=1.0), 0.0) is None
    # nu, exactly: 1/4 is too much.
    assert slack(grant(0.0, 0.25 - 2.0**-50, 0.0), norms(), 0.0) is None
    assert slack(grant(0.0, 0.25 - 2.0**-49, 0.0), norms(), 0.0) is not None
    assert slack(grant([0.0, 0.0], [0.0, 0.3], 0.0), norms(), 0.0) is None


def test_theta_of_a_quarter_is_beyond_the_theorem() -> None:
    """Even where rho, which is never negative, would make up for it in nu."""
    quarter = 0.25 / 1.001
    while quarter * 1.001 < 0.25:
        quarter = math.nextafter(quarter, 1.0)
    assert quarter * 1.001 == 0.25
    at = norms(inverse=1.0)
    assert slack(grant(quarter, -0.25, 0.0), at, 0.0) is None
    assert slack(grant(quarter * (1 - 1e-9), -0.25, 0.0), at, 0.0) is not None


def test_top_and_rest_by_hand() -> None:
    """(5/4) (sqrt m + a)^2, and R(m) of the theorem."""
    found = Slack(*(np.array([x]) for x in (0.0, 0.0, 0.5, 0.25, 0.125)))
    masses = np.array([[4.0, 0.0]])
    assert found.top(masses).tolist() == [[1.25 * 2.5**2, 1.25 * 0.25]]
    assert found.rest(masses).tolist() == [
        [1.25 * ((0.5 + 0.25 * 2.5) ** 2 + 0.125 * 2.5**2), 1.25 * (0.625**2 + 0.125 * 0.25)]
    ]


# -- g and its bounds ----------------------------------------------------------------------------


def seen(masses: Any, off: Any, potential: Any, potential_off: Any, at: Norms) -> Seen:
    table, none = np.array(masses, dtype=np.float64), np.zeros(1)
    return Seen(
        np.array(potential), np.array(potential_off), table, np.array(off) + 0 * table, none, none,
        at,
    )  # fmt: skip


@pytest.mark.parametrize("zeta", [0.0, 2.0**-12])
@pytest.mark.parametrize("off", [0.0, 2.0**-40])
@pytest.mark.parametrize("tiny", [0.0, 2.0**-60])
def test_g_and_its_bounds_by_hand(zeta: float, off: float, tiny: float) -> None:
    at = norms(
        inverse=[0.5, 0.25], both=[0.75, 0.5], size=[2.0, 3.0], heaviest=[3.0, 1.5],
    )  # fmt: skip
    given = grant([0.0, 2.0**-30], [0.0, 2.0**-31], 0.0)
    table, q = [[0.5, -(2.0**-45), 0.25], [1.0, 2.0, 0.0]], [[0.5, 0.125, 0.375], [0.25, 0.75, 0.0]]
    potential, potential_off = [0.7, 2.9], [2.0**-42, 2.0**-41]
    found = measured(given, seen(table, off, potential, potential_off, at), np.array(q), zeta, tiny)
    small = slack(given, at, zeta)
    assert found is not None
    assert small is not None
    n = 3
    for k in range(2):
        nu, a, t, b = (float(x[k]) for x in (small.nu, small.a, small.t, small.b))
        m = [max(x, 0.0) for x in table[k]]
        s = sum(m)
        whole = n * off + n * E * s

        def rest(mass: float, a: float = a, t: float = t, b: float = b) -> float:
            root = math.sqrt(mass) + a
            return 1.25 * ((a + t * root) ** 2 + b * root**2)

        for i in range(3):
            top = 1.25 * (math.sqrt(m[i] + off) + a) ** 2
            own = 2 * nu / (1 - nu) * top + off + q[k][i] * whole
            written = 2 * E * (q[k][i] * (2 * n + 8) + 4) + 64 * tiny
            moved = rest(m[i] + off) + q[k][i] * rest(s + whole)
            assert found.values[k, i] == near(m[i] / s - q[k][i])
            assert found.noise[k, i] == near(own * 1.001 / s + written)
            assert found.bounds[k, i] == near((own + moved) * 1.001 / s + written)
        reach = math.sqrt(at.both[k] / s)
        weight = 2 * math.sqrt(at.heaviest[k] * at.size[k]) * at.inverse[k]
        assert found.size[k] == near(4 * n * (reach + weight))
        one = (nu + 8 * E) * 1.25 * (1 + a / math.sqrt(s)) ** 2
        assert found.potential_bound[k] == near(
            one + 1.25 * (rest(s + whole) + whole + potential_off[k]) / s
        )
        assert found.total[k] == s
    assert found.potential.tolist() == potential
    assert found.roundings.tolist() == small.roundings.tolist()


def test_the_second_mass_is_not_lost() -> None:
    """`part` takes the same steps of everything."""
    table = np.arange(12.0).reshape(4, 3)
    whole = Measured(table, table + 20, table + 40, *(np.arange(4.0) + 100 * k for k in range(5)))
    part = whole.part(slice(1, 3))
    for name in Measured.__slots__:
        assert getattr(part, name).tolist() == getattr(whole, name)[1:3].tolist()


def sharp(masses: Any, off: Any, potential_off: float = 0.0, **facts: Any) -> bool:
    """Whether doubles suffice."""
    at = norms(**facts)
    count = len(masses)
    found = seen(masses, off, [1.0] * count, [0.0] * (count - 1) + [potential_off], at)
    shares = np.full((count, len(masses[0])), 1 / len(masses[0]))
    return measured(grant(0.0, 0.0, 0.0), found, shares, 0.0, 0.0) is not None


def test_where_doubles_do_not_suffice_nothing_is_measured() -> None:
    """Masses off by 2^-20 of their sum, a potential by 2^-34, or no mass at all."""
    assert sharp([[1.0]], 2.0**-20 - 2 * E)
    assert not sharp([[1.0]], 2.0**-20 - E)
    assert not sharp([[1.0], [1.0]], [[0.0], [2.0**-20]])
    assert sharp([[1.0], [1.0]], [[0.0], [2.0**-21]])
    assert sharp([[1.0]], 0.0, math.nextafter(2.0**-34, 0.0))
    assert not sharp([[1.0]], 0.0, 2.0**-34)
    assert not sharp([[1.0], [1.0]], 0.0, 2.0**-33)
    assert not sharp([[1.0], [0.0]], 0.0)
    assert not sharp([[1.0], [-1.0]], 0.0)


def test_beyond_the_theorem_nothing_is_measured() -> None:
    found = seen([[1.0]], 0.0, [1.0], [0.0], norms())
    assert measured(grant(), found, np.array([[1.0]]), 2.0**-10, 0.0) is not None
    assert measured(grant(), found, np.array([[1.0]]), 1.0, 0.0) is None


# -- derivatives ---------------------------------------------------------------------------------


def test_one_point_by_hand() -> None:
    """d = 1: m = v^2 F with F = 1/(u - W v^2) + 1/(W v^2 - l), and both derivatives."""
    v, weight, upper, lower = 0.5, 2.0, 4.0, -3.0
    found = gradients(np.array([[v]]), State(np.array([weight]), upper, lower))
    above, below = 1 / (upper - weight * v * v), 1 / (weight * v * v - lower)
    slope = 2 * weight * v * (above**2 - below**2)
    assert found.potential == near(above + below)
    assert found.trace.tolist() == near([slope])
    assert found.masses.tolist() == near([v * v * (above + below)])
    assert found.rows.tolist() == [near([2 * v * (above + below) + v * v * slope])]


def test_g_and_its_derivative_by_differences() -> None:
    """Two steps, one after the other, at rows in the plane."""
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((4, 2))
    states = [
        State(np.array([0.5, 0.0, 1.0, 0.25]), 9.0, -4.0),
        State(np.array([0.5, 2.0, 1.0, 0.0]), 30.0, -2.0),
    ]
    shares = np.array([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]])
    values, slopes = deviations(rows, states, shares)
    for k, state in enumerate(states):
        masses = gradients(rows, state).masses
        expected = (masses - shares[k] * masses.sum()) / masses.sum()
        assert values[4 * k : 4 * k + 4].tolist() == near(expected.tolist())
    move = rng.standard_normal((4, 2)) * 2.0**-12
    totals = np.concatenate([[gradients(rows, state).masses.sum()] * 4 for state in states])

    def scaled(at: Doubles) -> Doubles:
        """m - q s, of which the derivative is taken, over the s of `rows`."""
        found = [gradients(at, state).masses for state in states]
        parts = [m - q * m.sum() for m, q in zip(found, shares, strict=True)]
        return np.asarray(np.concatenate(parts) / totals)

    # Central differences of a smooth function: what is left is of third order.
    change = (scaled(rows + move) - scaled(rows - move)) / 2
    assert np.max(np.abs(change - slopes @ move.ravel())) < 2.0**-12 * np.max(np.abs(change))


# -- the fit -------------------------------------------------------------------------------------


def scripted(monkeypatch: pytest.MonkeyPatch, sizes: list[float]) -> tuple[float, int]:
    """Where a fit ends whose deviations are these, one number and slope 1; and after how many."""
    given = iter(sizes)

    def answers(_rows: Doubles, _states: object, _shares: object) -> tuple[Doubles, Doubles]:
        return np.array([-next(given), 0.0]), np.array([[1.0], [0.0]])

    monkeypatch.setattr(one_whitening, "deviations", answers)
    found = fitted(np.array([[8.0]]), [], np.zeros(0))
    return float(found[0, 0]), len(sizes) - len(list(given))


@pytest.mark.parametrize(
    ("sizes", "end", "calls"),
    [
        ([1.0, 0.4, 0.1, 0.04, 0.01, 9.0], 9.54, 5),  # four corrections, and a last look
        ([1.0, 0.4, 0.1, 0.04, 0.04, 9.0], 9.5, 5),  # the last one was no better
        ([1.0, 0.5, 0.5, 9.0], 9.0, 3),  # a half is too little to go on, but better than before
        ([1.0, 0.49, 0.3, 0.3, 9.0], 9.49, 4),
        ([1.0, 2.0, 2.0, 9.0], 8.0, 3),  # worse: back to where it began
        ([1.0, 1.0, 1.0, 9.0], 8.0, 3),
        ([math.nan, math.nan, 9.0], 8.0, 2),
    ],
)
def test_a_fit_goes_on_while_it_gains(
    monkeypatch: pytest.MonkeyPatch, sizes: list[float], end: float, calls: int
) -> None:
    assert scripted(monkeypatch, sizes) == (near(end), calls)


def test_a_direction_that_no_step_shows_is_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Singular values below 2^-26 of the largest are noise."""
    ends = []
    for small in (2.0**-25, 2.0**-27):
        rounds = iter([np.array([0.0, 1.0])] + [np.zeros(2)] * 3)

        def answers(
            *_given: object, values: Any = rounds, small: float = small
        ) -> tuple[Doubles, Doubles]:
            return next(values), np.diag([1.0, small])

        monkeypatch.setattr(one_whitening, "deviations", answers)
        ends.append(fitted(np.array([[0.0], [0.0]]), [], np.zeros(0)).ravel().tolist())
    assert ends == [[0.0, -(2.0**25)], [0.0, 0.0]]


def test_twice_as_many_values_as_unknowns() -> None:
    assert [steps_to_measure(d) for d in (1, 2, 5)] == [4, 6, 12]


# -- what some steps determine -------------------------------------------------------------------


def first(values: Any, bounds: Any, size: Any) -> Measured:
    none = np.zeros(1)
    return Measured(
        np.array(values), np.array(bounds), none, np.array(size), none, none, none, none
    )


def test_what_some_steps_determine_by_hand() -> None:
    """J_0 = 2 e_1 e_1^T + e_2 e_2^T, at two steps of two points."""
    slopes = np.zeros((4, 3))
    slopes[0, 0], slopes[1, 1] = 2.0, 1.0
    start = first([[0.5, -0.25], [0.0, 0.125]], [[1.0, 2.0], [3.0, 4.0]], [16.0, 32.0])
    rows, zeta = np.array([[1.0], [2.0], [3.0]]), 2.0**10
    known = whitening(rows, zeta, slopes, start)
    assert known is not None
    assert known.rows is rows
    assert known.zeta == zeta
    # B C^T J_0 is the projection on what is determined, and C^T J_0 has the singular values.
    assert (known.right @ known.left).ravel().tolist() == near([1, 0, 0, 0, 1, 0, 0, 0, 0])
    assert np.linalg.norm(known.left, axis=1).tolist() == near([2.0, 1.0])
    assert np.linalg.norm(slopes @ known.right, axis=0).tolist() == near([1.0, 1.0])
    doubt = 2.0**-30 * 2.0**10
    lengths = [1.5 + 16 * doubt, 2.25 + 16 * doubt, 3 + 32 * doubt, 4.125 + 32 * doubt]
    assert known.radius == near(1.001 * math.sqrt(sum(x * x for x in lengths)))
    assert known.loudest == 0.5


def determined(*sizes: float) -> int | None:
    """How many directions are taken as determined."""
    start = first([[0.0] * len(sizes)], [[1.0] * len(sizes)], [1.0])
    known = whitening(np.zeros((len(sizes), 1)), 1.0, np.diag(sizes), start)
    return None if known is None else known.right.shape[1]


def test_which_directions_are_determined() -> None:
    assert determined(1.0, 2.0**-26) == 1
    assert determined(1.0, math.nextafter(2.0**-26, 1.0)) == 2
    assert determined(4.0, 3.0, 2.0) == 3
    assert determined(0.0, 0.0) is None


@pytest.mark.parametrize(("off", "taken"), [(2.0**-22, True), (2.0**-20, False), (0.5, False)])
def test_singular_vectors_must_be_orthonormal(
    monkeypatch: pytest.MonkeyPatch, off: float, taken: bool
) -> None:
    """A decomposition that is off by 2^-20 is not relied on."""

    def skewed(_matrix: Doubles, **_options: Any) -> tuple[Doubles, Doubles, Doubles]:
        turned = np.eye(2)
        turned[0, 0] = math.sqrt(1 + off)
        return turned, np.ones(2), np.eye(2)

    monkeypatch.setattr(np.linalg, "svd", skewed)
    start = first([[0.0, 0.0]], [[1.0, 1.0]], [1.0])
    assert (whitening(np.zeros((2, 1)), 1.0, np.eye(2), start) is not None) is taken


def test_what_is_not_explained_by_hand() -> None:
    """|y| times the radius, what is left of J_k times zeta, and what the gradients are off."""
    right, left = np.array([[0.5], [0.0]]), np.array([[2.0, 0.25]])
    known = Whitening(np.zeros((2, 1)), 2.0**6, right, left, 7.0, 0.0)
    slopes = np.array([[4.0, 3.0], [0.0, 1.0]])
    y = [2.0, 0.0]
    rest = [math.hypot(4 - 4, 3 - 0.5), 1.0]
    length = math.hypot(2.0, 0.25)
    for size in (0.0, 2.0**20):
        expected = [
            1.001 * (y[k] * 7 + (rest[k] + 2.0**-30 * (size + y[k] * length)) * 2.0**6)
            for k in range(2)
        ]
        assert known.unexplained(slopes, np.full(2, size)).tolist() == near(expected)
