r"""One whitening serves a whole run: what a few steps show of it binds all the others.

A program that whitens once has rows U' = U + E at every step, with one E. Each of its steps has
roundings of its own, but no conditioning of the data enters them. So a few steps measure U', and
every other step has to follow from the same U'.

**Theorem.** Let V be any n by d matrix. In a state (weights W, barriers u and l) let
A = sum_i W_i V_i V_i^T, M = u - A and N = A - l positive definite, F = M^-1 + N^-1,
m_i = V_i^T F V_i and s = sum_i m_i. Let q_i be reported with sum 1, g_i = (m_i - q_i s)/s, and J_i
the gradient of m_i - q_i s by V, divided by s. A step and a point is a place k of g and a row
of J. Suppose that a program has rows V + z, |z| <= zeta (Frobenius), and that its q_i are its own
masses m_i', each up to a factor between 1 - nu and 1 + nu, divided by their sum. Then

    |g_k + J_k z| <= n_k + r_k,      n_k = 2 nu/(1 - nu) m_i'/s,   r_k = (R(m_i) + q_i R(s))/s,
    m_i' <= (5/4) (sqrt m_i + a)^2,  R(m) = (5/4) ((a + t (sqrt m + a))^2 + b (sqrt m + a)^2),
    a = zeta sqrt(|M^-1| + |N^-1|),  w = zeta sqrt(max W),  b = w^2 (|M^-1| + |N^-1|),
    t = 2 w (sqrt|A| + w) max(|M^-1|, |N^-1|) <= 1/16.

Hence, with g_0 and J_0 of some steps, any matrices B and C with |C| <= 1, and y = J_k B,

    |g_k| <= n_k + r_k + |y| | |g_0| + n_0 + r_0 | + |J_k - y C^T J_0| zeta.

Proof. Along V + x z, 0 <= x <= 1, the form A has A' = sum W (V z^T + z V^T) and
A'' = 2 sum W z z^T, so that |A'| <= 2 w (sqrt|A| + w) and |A''| <= 2 w^2 by Cauchy and Schwarz.
With v the row of the point, half of the second derivative of v^T M^-1 v is

    z^T M^-1 z + 2 z^T M^-1 A' M^-1 v + v^T M^-1 A' M^-1 A' M^-1 v + v^T M^-1 A'' M^-1 v/2,

at most (|M^-1/2 z| + t |M^-1/2 v|)^2 + |M^-1| w^2 |M^-1/2 v|^2; N is the same with -A'. On the way
M and N stay above 15/16 of themselves, and (16/15)^3 < 5/4; the two sides, and the points of a sum,
add up by Minkowski. That is R, and the bound of m_i'. The program's q_i s' is m_i' up to a factor
between 1 - 2 nu/(1 - nu) and 1 + 2 nu/(1 - nu), with which Taylor's formula is the first line. For
the second, J_k z = y C^T J_0 z + (J_k - y C^T J_0) z, and |J_0 z| is at most |g_0| + n_0 + r_0 at
every place, by the first line. QED. The trace Tr F has the same remainder, and so phi is
judged in the same way: as a trace, or as the sum of the masses.

With B and C from the singular vectors of J_0 the last term is small if the chosen steps determine
U' up to a rotation, which changes nothing. If they do not, it is large, and nothing is said.

**For whom.** Orthogonal factorisations of X, with scaled columns or without, have |E| <= tau, and
nu from the roundings of one step (`stated`): with zeta = tau + |V - U| the theorem proves that such
a program has made a mistake. A program that whitens sums of raw points, or works with the normal
equations, may lose digits anew at every step, up to the conditioning of the data, and may lose none
in others: in those before it picks a far point, say. So a step that follows from no whitening is
left open, not accused, and nothing is said at all unless the steps that are measured follow from
one V up to the roundings of an orthogonal method. `STEADY` times the largest |g_0| is granted
besides, and zeta is tau + `BEYOND` |V - U|, so that fewer programs of the other kinds, and those
that compute U(x) twice with other roundings, are left open; no accusation rests on either number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from asura_verify.oracle.truth.stated import UNIT, Doubles, Grant, Norms, Seen

#: How much louder than in the steps that are measured the roundings of a run may be in others.
STEADY = 2.0**14
#: How much farther from V than V from U the rows of a program may be, beyond tau.
BEYOND = 4.0
#: Entries of U' beyond which fitting takes too long.
MOST_ENTRIES = 320
#: Singular values that count, as a share of the largest.
_KEPT = 2.0**-26
#: What products of a handful of factors in doubles are off, as a share of their norms.
_GRADIENTS = 2.0**-30
#: Corrections of the rows; each one squares the error.
_CORRECTIONS = 4


@dataclass(frozen=True, slots=True)
class State:
    """What a step depends on: the sums of weights before it, and its barriers."""

    totals: Doubles
    upper: float
    lower: float


def steps_to_measure(dimension: int) -> int:
    """How many steps measure U': twice as many values as unknowns."""
    return 2 * dimension + 2


@dataclass(frozen=True, slots=True)
class Gradients:
    """The masses of one step, and their derivatives by the entries of the rows."""

    masses: Doubles
    potential: float
    rows: Doubles  # points by entries
    trace: Doubles  # of the potential, by entries


def gradients(rows: Doubles, state: State) -> Gradients:
    """The masses at some rows, as good as doubles give them.

    >>> at = State(np.array([0.25, 0.0]), 4.0, -4.0)
    >>> rows, moved = np.array([[0.8], [0.6]]), np.array([[0.8 + 1e-6], [0.6]])
    >>> here, there = gradients(rows, at), gradients(moved, at)
    >>> bool(abs((there.masses - here.masses)[0] - 1e-6 * here.rows[0, 0]) < 1e-11)
    True
    """
    size, d = rows.shape
    form = (rows * state.totals[:, None]).T @ rows
    one = np.eye(d)
    above = np.linalg.inv(state.upper * one - form)
    below = np.linalg.inv(form - state.lower * one)
    up, down = rows @ above, rows @ below
    masses = np.sum((up + down) * rows, axis=1)
    moved: Doubles = (
        2
        * state.totals[None, :, None]
        * (
            (up @ rows.T)[:, :, None] * up[:, None, :]
            - (down @ rows.T)[:, :, None] * down[:, None, :]
        )
    )
    each = np.arange(size)
    moved[each, each] += 2 * (up + down)
    trace = 2 * state.totals[:, None] * (up @ above - down @ below)
    return Gradients(
        masses, float(np.trace(above + below)), moved.reshape(size, size * d), trace.ravel()
    )


def deviations(rows: Doubles, states: Sequence[State], shares: Doubles) -> tuple[Doubles, Doubles]:
    """g and J of some steps, one after the other."""
    values, slopes = [], []
    for state, share in zip(states, shares, strict=True):
        found = gradients(rows, state)
        total = found.masses.sum()
        values.append(found.masses / total - share)
        slopes.append((found.rows - share[:, None] * found.rows.sum(axis=0)) / total)
    return np.concatenate(values), np.concatenate(slopes)


def fitted(rows: Doubles, states: Sequence[State], shares: Doubles) -> Doubles:
    """V: rows near U from which some steps follow, by Gauss and Newton."""
    best, least = rows, np.inf
    for _ in range(_CORRECTIONS):
        values, slopes = deviations(rows, states, shares)
        size = float(np.max(np.abs(values)))
        if not size < least / 2:
            break
        best, least = rows, size
        rows = rows - np.linalg.lstsq(slopes, values, rcond=_KEPT)[0].reshape(rows.shape)
    values, _ = deviations(rows, states, shares)
    return rows if float(np.max(np.abs(values))) < least else best


@dataclass(frozen=True, slots=True)
class Slack:
    """n and r of every step, as factors of (sqrt m + a)^2 and the like."""

    roundings: Doubles  # theta + rho
    nu: Doubles
    a: Doubles
    t: Doubles
    b: Doubles

    def top(self, masses: Doubles) -> Doubles:
        """At most m'."""
        return np.asarray(1.25 * (np.sqrt(masses) + self.a[:, None]) ** 2)

    def rest(self, masses: Doubles) -> Doubles:
        """R(m)."""
        a, most = self.a[:, None], np.sqrt(masses) + self.a[:, None]
        return np.asarray(1.25 * ((a + self.t[:, None] * most) ** 2 + self.b[:, None] * most**2))


def slack(grant: Grant, at: Norms, zeta: float) -> Slack | None:
    """For rows within zeta; None where the theorem does not hold."""
    eta, rho = grant.roundings(at)
    theta = eta * at.inverse * 1.001
    a = zeta * np.sqrt(at.both)
    w = zeta * np.sqrt(at.heaviest)
    t = 2 * w * (np.sqrt(at.size) + w) * at.inverse * 1.001
    nu = (1 + rho) / (1 - theta) * (1 + 8 * grant.unit) - 1 + 8 * UNIT
    if not (np.all(t <= 1 / 16) and np.all(theta < 1 / 4) and np.all(nu < 1 / 4)):
        return None
    return Slack(theta + rho, nu, a * 1.001, t, w**2 * at.both * 1.001)


@dataclass(frozen=True, slots=True)
class Measured:
    """How far g of the points of a block may be from -J z, and g itself."""

    values: Doubles  # steps by points
    bounds: Doubles  # n + r, and what doubles are off
    noise: Doubles  # the same without r
    size: Doubles  # at most |J_k|, for what the gradients are off
    potential: Doubles
    total: Doubles
    potential_bound: Doubles  # of the potential and of the total, as shares
    roundings: Doubles  # theta + rho of a step

    def part(self, where: slice) -> Measured:
        """Some of the steps."""
        return Measured(
            self.values[where],
            self.bounds[where],
            self.noise[where],
            self.size[where],
            self.potential[where],
            self.total[where],
            self.potential_bound[where],
            self.roundings[where],
        )


def measured(
    grant: Grant, seen: Seen, shares: Doubles, zeta: float, tiny: float
) -> Measured | None:
    """g and its bounds at some steps, rigorously; None where doubles do not suffice."""
    granted = slack(grant, seen.norms, zeta)
    masses = np.maximum(seen.masses, 0.0)
    total = masses.sum(axis=1)
    if granted is None:
        return None
    n = masses.shape[1]
    off = seen.masses_off.sum(axis=1) + n * UNIT * total
    sharp = seen.potential_off < seen.potential * 2.0**-34
    if not (np.all(off < total * 2.0**-20) and np.all(sharp)):  # also where there is no mass
        return None
    values = masses / total[:, None] - shares
    above = masses + seen.masses_off
    whole = granted.rest((total + off)[:, None])
    noise = 2 * granted.nu / (1 - granted.nu)
    own = noise[:, None] * granted.top(above) + seen.masses_off + shares * off[:, None]
    moved = granted.rest(above) + shares * whole
    written = (shares * (2 * n + 8) + 4) * UNIT * 2 + 64 * tiny
    scale = 1.001 / total[:, None]
    bounds = (own + moved) * scale + written
    # |D m z| <= 2 sqrt(|F| m) |z| + t m, with t <= 2 w sqrt|A| |F|.
    reach = np.sqrt(seen.norms.both)
    weight = 2 * np.sqrt(seen.norms.heaviest * seen.norms.size) * seen.norms.inverse
    size = 4 * n * (reach / np.sqrt(total) + weight)
    one = (granted.nu + 8 * UNIT) * 1.25 * (1 + granted.a / np.sqrt(total)) ** 2
    potential_bound = one + (whole[:, 0] + off + seen.potential_off) / total * 1.25
    return Measured(
        values, bounds, own * scale + written, size, seen.potential, total, potential_bound,
        granted.roundings,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Whitening:
    """V, and what some steps say about the rows of the program near it."""

    rows: Doubles
    zeta: float
    right: Doubles  # B
    left: Doubles  # C^T J_0
    radius: float  # at least |C^T J_0 z|
    loudest: float  # the largest |g_0|

    def unexplained(self, slopes: Doubles, size: Doubles) -> Doubles:
        """At most |J_k z|, for some rows J_k."""
        y = slopes @ self.right
        known = np.linalg.norm(y, axis=1)
        left = np.linalg.norm(slopes - y @ self.left, axis=1)
        doubt = _GRADIENTS * (size + known * np.linalg.norm(self.left))
        return np.asarray(1.001 * (known * self.radius + (left + doubt) * self.zeta))


def whitening(rows: Doubles, zeta: float, slopes: Doubles, first: Measured) -> Whitening | None:
    """What some steps determine."""
    turned, sizes, back = np.linalg.svd(slopes, full_matrices=False)
    kept = sizes > sizes[0] * _KEPT
    if not np.any(kept):
        return None
    turned, sizes, back = turned[:, kept], sizes[kept], back[kept]
    # C has orthonormal columns but for roundings, which 1.001 in the radius covers.
    if not np.linalg.norm(turned.T @ turned - np.eye(len(sizes))) < 2.0**-20:
        return None
    known = np.abs(first.values) + first.bounds
    doubt = _GRADIENTS * np.repeat(first.size, first.values.shape[1]) * zeta
    radius = 1.001 * float(np.linalg.norm(known.ravel() + doubt))
    return Whitening(
        rows, zeta, back.T / sizes, turned.T @ slopes, radius, float(np.max(np.abs(first.values)))
    )
