r"""What follows from the state that a trace reports, and how far an honest method may be from it.

The reported weights make A = sum_i W_i U_i U_i^T exactly (W_i their sum at point i), and u and l
are reported: so M = u - A, N = A - l, Phi = Tr(M^-1 + N^-1) and the masses U^T (M^-1 + N^-1) U are
known at every step by themselves. Nothing accumulates from step to step.

**Theorem.** Let M, N > 0, and let a program have M' = M + S, N' = N + T with |S|, |T| <= eta, and
points U' = U + e_x with |e_x| <= tau. Put theta = eta max(|M^-1|, |N^-1|) < 1, E = M^-1 + N^-1,
s = tau sqrt|E| and m = U^T E U. Then

    Phi/(1 + theta) <= Tr(M'^-1 + N'^-1) <= Phi/(1 - theta),
    max(0, sqrt m - s)^2/(1 + theta) <= U'^T (M'^-1 + N'^-1) U' <= (sqrt m + s)^2/(1 - theta).

Proof. -theta M <= S <= theta M, since |S| <= eta <= theta/|M^-1| and M >= 1/|M^-1|. So
(1 - theta) M <= M' <= (1 + theta) M, and inverses turn that around; the same for N. Sum, and take
the trace: the first line. For the second, |E^(1/2) U'| is within |E^(1/2) e_x| <= s of sqrt m. QED.
(In Coq: perturbed_step, perturbed_state, moved_points and frobenius_within of SpecModel.v.)
With m >= 4 |U|^2/gap this is nu = s/sqrt m <= sqrt(d chi) tau/|U|, chi = Phi gap/(4d). No mass is
known better than up to s^2: the floor of light points.

**Corollary.** Let E be all e_x together, |E| <= sigma (Frobenius), and let a program evaluate trace
and forms up to factors between 1 - rho and 1 + rho. With light = sigma sqrt(|M^-1 + N^-1|/Phi) < 1
and x = theta + rho < 1 its potential P and the sum S of its masses have

    |S/P - 1| and |P/S - 1| <= (1 + x)/((1 - x) (1 - light)^2) - 1.

Proof. Before its evaluation P lies between Phi/(1 + theta) and Phi/(1 - theta), and S within the
same factors of |(U + E) F^(1/2)|^2 with F = M^-1 + N^-1. As |U F^(1/2)|^2 = Phi, that is between
(1 - light)^2 and (1 + light)^2 <= (1 - light)^-2 times Phi. The quotient has all factors twice,
(1 + theta)(1 + rho)/((1 - theta)(1 - rho)) <= (1 + x)/(1 - x), since artanh theta + artanh rho <=
artanh x. QED. A mass that is computed twice from the same U' lies twice within the same factors of
one number: the quotient is within (1 + x)/(1 - x), too. This is how far apart values of one program
may be that are one in exact arithmetic: weight phi p and gamma, the sum of the probabilities and 1,
p and its entry in the list (`views/relations.py`).

**eta and tau** for arithmetic of unit e = 2^-p, |.| the Frobenius norm, at step j:

- sums: A gains j terms, each rounded: e (j |A| + 4 Tr A), as |A_i| <= |A_j| for i <= j;
- factorisation (elimination, Cholesky, eigenvalues): 8 d^2 roundings of what is factored, of norm
  at most u + |l|: 8 d^2 e (u + |l|);
- whitening by an orthogonal factorisation: d reflections or rotations over n rows move the columns
  of X by d (n + 8) roundings each, so that the factor with orthonormal columns moves by at most
  tau = 2 sqrt(d) d (n + 8) e kappa, with kappa the condition number of X with scaled columns
  (QR), or as it is (SVD). It is the same at every point and every step; A moves by at most
  2 tau sqrt(|A| W) + tau^2 W, W the largest W_i, by Cauchy and Schwarz;
- normal equations: G, B and their factors are entry by entry so many roundings off, and all is
  multiplied by kappa^2: kappa^2 e ((j + 4) Tr A + (n + 8 + 8 d) d (u + |l|)).

Evaluation costs a factor 1 + rho: sums over n points and d entries, and for an explicit inverse Z
of M, with M Z = 1 - R, |R| <= 4 d e K and K = gap |M^-1| >= |M| |M^-1|:
|U^T (Z - M^-1) U| = |U^T M^-1 R U| <= |M^-1 U| |R| |U| <= sqrt(|M^-1| m) |R| sqrt(|M| m), so
rho = e (n + 4 d + 8 + 4 d K^(3/2)).

A value is judged by the widest of these methods that would still show a mistake of a sixteenth,
and by the normal equations if they keep a third of the declared bits (`near`). Those of columns as
they are have to keep more, by the factor that the units of the columns cost: the condition number
of X by that of X with scaled columns. If a value is farther off, but not farther than by a method
whose bound shows less on these data (`far`), it is left open, and one such value leaves the trace
undecided. From theta = 1 on the theorem says nothing: such a method may have values of any size and
sign, and states beyond their barriers.

For the corollary: columns that are orthonormal by construction (reflections, singular vectors) are
so up to d (n + 8) roundings each, whatever the data. That, and the roundings of a step, is `own`.
Columns that are X times an inverse factor lose tau; it is granted while half of the bits are kept.
Normal equations are granted with scaled columns; those of columns as they are only leave open.

A trace may report its whitening R. Then U(x) = R^T x is known, tau is what the d roundings of each
entry cost (A moves by all points together, sqrt n times that), and how far U^T U is from 1 is
judged once and added to rho: nothing is granted to the conditioning of the data at any step.
Without it tau is granted to every step by itself here; `one_whitening` asks whether all steps
together follow from one whitening.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, fmpq_mat
from numpy.typing import NDArray

from asura.coordinates import Coordinates
from asura.dataset import Dataset
from asura.definiteness import ball_positive_definite
from asura.errors import Undecided
from asura.scalars import rational
from asura_verify.oracle.truth.allowance import GROSS, Conditioning, Defects, digits_kept

Doubles = NDArray[np.float64]
#: One rounding of a double.
UNIT = 2.0**-53
#: Lines that are judged at once.
BLOCK = 64
_NONE: Doubles = np.zeros(0)


def isometric_rows(coordinates: Coordinates) -> arb_mat:
    """U: rows with U^T U = 1, in balls."""
    gram = arb_mat(coordinates.gram())
    factor = _cholesky(gram)
    size, d = coordinates.size, coordinates.dimension
    rows = arb_mat(coordinates.rows)
    solved = factor.solve(rows.transpose(), algorithm="lu")  # L^-1 X^T
    roots = [arb(scale).sqrt() for scale in coordinates.squared_scales]
    return arb_mat(size, d, [solved[k, i] * roots[i] for i in range(size) for k in range(d)])


def given_rows(data: Dataset, whitening: Sequence[Sequence[Fraction]]) -> arb_mat:
    """U(x) = R^T x for the whitening R that a trace reports; R has as many rows as X columns."""
    matrix = fmpq_mat([[rational(x) for x in row] for row in whitening])
    points = fmpq_mat([[rational(x) for x in row] for row in data.points])
    rows = arb_mat(points * matrix)
    roots = [arb(rational(scale)).sqrt() for scale in data.squared_scales]
    d = matrix.ncols()
    return arb_mat(
        data.size, d, [rows[i, k] * roots[i] for i in range(data.size) for k in range(d)]
    )


def longest_terms(data: Dataset, whitening: Sequence[Sequence[Fraction]]) -> float:
    """The largest norm of |R|^T |x|: U(x) is a sum of such terms, each rounded."""
    absolute = np.abs(np.array([[float(x) for x in row] for row in whitening]))
    points = np.abs(np.array([[float(x) for x in row] for row in data.points]))
    roots = np.sqrt(np.array([float(scale) for scale in data.squared_scales]))
    return float(np.max(np.linalg.norm(roots[:, None] * points @ absolute, axis=1)))


def defect(rows: arb_mat) -> float:
    """|U^T U - 1|, at most."""
    gram = rows.transpose() * rows
    d = gram.nrows()
    one = arb_mat(fmpq_mat(d, d, [int(i == k) for i in range(d) for k in range(d)]))
    return _norm(gram - one)


def _cholesky(gram: arb_mat) -> arb_mat:
    """L with L L^T = G."""
    size = gram.nrows()
    lower = [[arb(0)] * size for _ in range(size)]
    for i in range(size):
        for k in range(i + 1):
            rest = gram[i, k] - sum((lower[i][q] * lower[k][q] for q in range(k)), arb(0))
            if i == k:
                if not rest > 0:
                    raise Undecided
                lower[i][i] = rest.sqrt()
            else:
                lower[i][k] = rest / lower[k][k]
    return arb_mat(lower)


@dataclass(frozen=True, slots=True)
class Bounds:
    """theta and tau, of the methods that show something and of all."""

    near_theta: Doubles
    near_tau: Doubles
    far_theta: Doubles
    far_tau: Doubles
    rho: Doubles
    shows: NDArray[np.bool_]  # whether any method shows something


@dataclass(frozen=True, slots=True)
class Norms:
    """What the bounds depend on, at every step of a block."""

    step: Doubles  # j
    upper: Doubles
    lower: Doubles
    inverse: Doubles  # max(|M^-1|, |N^-1|)
    both: Doubles  # |M^-1| + |N^-1|
    trace: Doubles  # Tr A
    size: Doubles  # |A|
    heaviest: Doubles  # max W_i
    potential: Doubles


@dataclass(frozen=True, slots=True)
class _Method:
    """An honest method: how far its points and forms may be off."""

    tau: float  # of every point
    together: float  # of all points, beyond what reflections cost
    eta: Doubles
    limit: float  # from which bound of a value on it only leaves open
    tied: float  # and from which bound of the corollary on

    def theta(self, at: Norms) -> Doubles:
        """At every step."""
        moved = 2 * self.together * np.sqrt(at.size * at.heaviest)
        moved = moved + self.together**2 * at.heaviest
        return at.inverse * (self.eta + moved)


class Grant:
    """What is granted to honest methods of some precision on some data."""

    def __init__(
        self,
        precision: int,
        known: Conditioning,
        size: int,
        *,
        terms: float | None = None,
        defect: float = 0.0,
    ) -> None:
        """With a reported whitening, `terms` bounds |R|^T |x|, and `defect` is its |U^T U - 1|."""
        self.unit = 2.0 ** -min(precision, 1000)
        self._known, self._size, self._d = known, size, known.dimension
        self._terms, self._defect = terms, defect
        #: What reflections cost orthonormal columns.
        self._reflected = 2 * np.sqrt(self._d) * self._d * (size + 8) * self.unit
        self._fine, self._half, self._plainly = digits_kept(precision, known)

    def _whitenings(self) -> tuple[tuple[float, float], ...]:
        """A quarter of what U^T U may be off from 1 by each method, and up to which it is right."""
        d, n, scaled = self._d, self._size, self._known.equilibrated
        normal, plain = (n + 8 + 8 * d) * d * self.unit, max(self._known.plain, scaled)
        return (
            (self._reflected * scaled, math.inf),
            (self._reflected * plain, self._fine),
            (normal * scaled**2, self._fine),
            (normal * plain**2, self._plainly),
        )

    def whitening(self) -> float:
        """How far U^T U of an honest whitening may be from 1; without limit if no digit is left."""
        most = max(4 * cost for cost, _ in self._whitenings())
        return most if most < 1 else math.inf

    def kept_whitening(self) -> float:
        """The same by methods that keep enough digits."""
        return max(4 * cost for cost, limit in self._whitenings() if cost < limit)

    def _methods(self, own: Doubles, normal: Doubles) -> tuple[_Method, ...]:
        """Every method that is granted."""
        d, n, e = self._d, self._size, self.unit
        if self._terms is not None:  # one method, and its error is computed
            tau = 2 * d * e * self._terms
            return (_Method(tau, np.sqrt(n) * tau, own, GROSS / 4, GROSS / 4),)
        plain, scaled = self._known.plain, self._known.equilibrated
        taus = (
            (self._reflected * scaled, GROSS / 4),
            (self._reflected * max(plain, scaled), self._fine),
        )
        return (
            *(_Method(tau, tau, own, limit, self._half) for tau, limit in taus),
            *(
                _Method(4 * e, 4 * e, normal * kappa**2, limit, tied)
                for kappa, limit, tied in (
                    (scaled, self._fine, self._fine),
                    (max(plain, scaled), self._plainly, 0.0),
                )
            ),
        )

    @property
    def squares_keep(self) -> bool:
        """Whether the normal equations of scaled columns keep enough bits at the first step.

        There u = -l, and |M^-1| = sqrt(d)/u.
        """
        d, n, kappa = self._d, self._size, self._known.equilibrated
        whole = 2 * np.sqrt(d) * (n + 8 + 8 * d) * d * self.unit * kappa**2
        return bool(whole < self._fine)

    @property
    def orthogonal(self) -> float | None:
        """tau of the orthogonal factorisations; None where the whitening is reported."""
        return None if self._terms is not None else self._methods(_NONE, _NONE)[1].tau

    def roundings(self, at: Norms) -> tuple[Doubles, Doubles]:
        """eta of sums and factorisations, and rho: what every step costs, whatever the data."""
        d, n, e = self._d, self._size, self.unit
        span, gap = at.upper + np.abs(at.lower), at.upper - at.lower
        rho = e * (n + 4 * d + 8 + 4 * d * (gap * at.inverse) ** 1.5) + self._defect
        return e * (at.step * at.size + 4 * at.trace + 8 * d * d * span), rho

    def _granted(self, at: Norms) -> tuple[Doubles, tuple[_Method, ...]]:
        """rho, and every method at every step."""
        d, n, e = self._d, self._size, self.unit
        own, rho = self.roundings(at)
        span = at.upper + np.abs(at.lower)
        normal = e * ((at.step + 4) * at.trace + (n + 8 + 8 * d) * d * span)
        return rho, self._methods(own, normal)

    def bounds(self, at: Norms) -> Bounds:
        """At every step."""
        with np.errstate(over="ignore", invalid="ignore"):
            rho, methods = self._granted(at)
            near_theta = near_tau = far_theta = far_tau = np.zeros_like(rho)
            shows = np.zeros(len(rho), dtype=np.bool_)
            for method in methods:
                theta, tau = method.theta(at), method.tau
                light = tau * np.sqrt(at.both * self._size / at.potential)
                shown = theta + rho + 2 * light < method.limit
                near_theta = np.where(shown, np.maximum(near_theta, theta), near_theta)
                near_tau = np.where(shown, np.maximum(near_tau, tau), near_tau)
                shows = shows | shown
                far_theta, far_tau = np.maximum(far_theta, theta), np.maximum(far_tau, tau)
        return Bounds(near_theta, near_tau, far_theta, far_tau, rho, shows)

    def defects(self, at: Norms) -> list[Defects]:
        """How far sum and trace of one program may differ, at every step."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            rho, methods = self._granted(at)
            reach = np.sqrt(at.both / at.potential)
            steps = at.inverse * self.roundings(at)[0] + rho
            far = _apart(steps, self._reflected * reach)
            own = near = np.where(np.isfinite(far), far, 0.0)  # no digit is left where it is not
            for method in methods:
                share, light = method.theta(at) + rho, method.together * reach
                bound = _apart(share, light)
                shown = share + 2 * light < method.tied
                near = np.where(shown, np.maximum(near, bound), near)
                far = np.maximum(far, bound)
        columns = (own.tolist(), near.tolist(), far.tolist())
        return [Defects(*each) for each in zip(*columns, strict=True)]


def _apart(share: Doubles, light: Doubles) -> Doubles:
    """The bound of the corollary, with room for the roundings of these doubles."""
    left = (1 - share) * (1 - light) ** 2  # 1 + share - left, without cancellation:
    bound = 1.001 * (2 * share + (1 - share) * light * (2 - light)) / left
    return np.where((share < 1) & (light < 1), bound, np.inf)


@dataclass(frozen=True, slots=True)
class Seen:
    """Phi and the masses of every step of a block, each with how far it is off at most."""

    potential: Doubles
    potential_off: Doubles
    masses: Doubles  # steps by points
    masses_off: Doubles
    above: Doubles  # the part of the picked point's mass from M^-1
    above_off: Doubles
    norms: Norms


class StatedTruth:
    """The state as reported, block by block; made and called inside one precision scope."""

    def __init__(self, rows: arb_mat) -> None:
        self.rows = rows
        self.size, self.dimension = rows.nrows(), rows.ncols()
        middle = [[float(self.rows[i, k]) for k in range(self.dimension)] for i in range(self.size)]
        self._rows: Doubles = np.array(middle)
        self._squares: Doubles = np.sum(self._rows**2, axis=1) * (1 + 2 * self.dimension * UNIT)
        self._diagonal = np.arange(self.dimension)
        self.weights = [arb(0)] * self.size  # W_i
        self._middles: Doubles = np.zeros(self.size)
        self.steps = 0

    def form(self) -> arb_mat:
        """A, rigorously."""
        d, n = self.dimension, self.size
        left = arb_mat(
            d, n, [self.rows[i, k] * self.weights[i] for k in range(d) for i in range(n)]
        )
        return left * self.rows

    def add(self, index: int, weight: arb) -> None:
        """One pick, with the weight that is reported."""
        self.steps += 1
        self.weights[index] += weight
        self._middles[index] = float(self.weights[index])

    def correct(self, index: int, change: arb) -> None:
        """Another weight for the last pick."""
        self.weights[index] += change
        self._middles[index] = float(self.weights[index])

    def look(self, steps: Sequence[tuple[int, int, float, float, float]]) -> Seen | None:
        """A block of (j, index, u, l, weight) in doubles, or None where they do not suffice.

        Adds no weights. With Z an approximate inverse of M and |1 - M Z| <= r < 1 the true inverse
        is within |Z| r/(1 - r) of it; M is the sum of the block on top of A, which is rounded once.
        """
        d = self.dimension
        j, index, upper, lower, weight = (np.array(x) for x in zip(*steps, strict=True))
        form = self.form()
        start = np.array([[float(form[i, k]) for k in range(d)] for i in range(d)])
        picked = self._rows[index.astype(int)]
        gained = weight[:, None, None] * picked[:, :, None] * picked[:, None, :]
        before = np.zeros_like(gained)
        before[1:] = np.cumsum(gained, axis=0)[:-1]
        forms = start + before
        trace = np.trace(forms, axis1=1, axis2=2)
        added = np.trace(before, axis1=1, axis2=2)
        if not (np.all(np.isfinite(trace)) and np.all(weight >= 0)):
            return None
        # A is rounded when it is made a double and when the block is added; terms of the block
        # are rounded four times and then added up.
        off = UNIT * (4 * trace + (len(steps) + 8) * added) + 4 * UNIT * np.abs(
            np.maximum(upper, -lower)
        )
        heaviest = self._heaviest(index.astype(int), weight)
        found = [
            self._inverse(side, off)
            for side in (self._shifted(-forms, upper), self._shifted(forms, -lower))
        ]
        if found[0] is None or found[1] is None:
            return None
        (above, above_norm, above_off), (below, below_norm, below_off) = found[0], found[1]
        bracket = above + below
        both = above_norm + below_norm
        doubt = above_off + below_off + (2 * d + 8) * UNIT * both
        potential = np.trace(bracket, axis1=1, axis2=2)
        masses = np.sum((self._rows @ bracket) * self._rows, axis=2)
        off_by = np.sqrt(d) * doubt
        if not np.all(off_by < potential):
            return None
        norms = Norms(  # outward, so that what is granted is no less than for the true inverses
            j, upper, lower, np.maximum(above_norm + above_off, below_norm + below_off),
            both + doubt, trace + off, np.linalg.norm(forms, axis=(1, 2)) + off, heaviest,
            potential - off_by,
        )  # fmt: skip
        part = np.einsum("ki,kij,kj->k", picked, above, picked)
        squares = self._squares * 1.001
        return Seen(
            potential, off_by, masses, doubt[:, None] * squares, part,
            doubt * squares[index.astype(int)], norms,
        )  # fmt: skip

    def _heaviest(self, index: NDArray[np.int64], weight: Doubles) -> Doubles:
        """The largest W_i before every step."""
        totals, heaviest = self._middles.copy(), np.zeros(len(index))
        top = float(np.max(totals))
        for k, (i, w) in enumerate(zip(index, weight, strict=True)):
            heaviest[k] = top
            totals[i] += w
            top = max(top, totals[i])
        return heaviest

    def _shifted(self, forms: Doubles, shift: Doubles) -> Doubles:
        shifted = forms.copy()
        shifted[:, self._diagonal, self._diagonal] += shift[:, None]
        return shifted

    def _inverse(self, matrices: Doubles, off: Doubles) -> tuple[Doubles, Doubles, Doubles] | None:
        """Inverses of positive definite matrices, their norms, and how far they are off at most."""
        d = self.dimension
        norms = np.linalg.norm(matrices, axis=(1, 2))
        try:
            # Cholesky succeeds only if the matrix plus its backward error is positive definite.
            margin = off + 2 * (d + 2) * d * UNIT * norms
            np.linalg.cholesky(self._shifted(matrices, -margin))
            inverses = np.linalg.inv(matrices)
        except np.linalg.LinAlgError:
            return None
        sizes = np.linalg.norm(inverses, axis=(1, 2))
        rest = matrices @ inverses
        rest[:, self._diagonal, self._diagonal] -= 1
        share = np.linalg.norm(rest, axis=(1, 2)) + ((2 * d + 4) * UNIT * norms + off) * sizes
        if not np.all(share < 0.5):
            return None
        return np.asarray(inverses), sizes, 1.001 * sizes * share / (1 - share)

    def exactly(self, upper: arb, lower: arb) -> tuple[arb, list[arb], Norms]:
        """Phi, all masses and the norms at one step, in balls; `Undecided` at a barrier."""
        d = self.dimension
        form = self.form()
        one = arb_mat(fmpq_mat(d, d, [int(i == k) for i in range(d) for k in range(d)]))
        sides = one * upper - form, form - one * lower
        if not all(ball_positive_definite(side).holds for side in sides):
            raise Undecided
        above, below = (side.solve(one, algorithm="lu") for side in sides)
        bracket = above + below
        product = self.rows * bracket
        masses = [
            sum((product[i, k] * self.rows[i, k] for k in range(d)), arb(0))
            for i in range(self.size)
        ]
        potential = bracket.trace()
        first, second = _norm(above), _norm(below)
        heaviest = max(float(weight) for weight in self.weights)
        facts = upper, lower, max(first, second), first + second, form.trace(), _norm(form)
        norms = Norms(
            np.array([float(self.steps)]),
            *(np.array([float(x)]) for x in (*facts, heaviest, potential)),
        )
        return potential, masses, norms


def _norm(matrix: arb_mat) -> float:
    return float(sum((x * x for x in matrix.entries()), arb(0)).upper().sqrt())
