r"""How far an honest method may be from what follows from a state whose barriers move along D.

**Theorem.** Let P, Q > 0, and let a program have P' = P + S + H with |S| <= eta and -F <= H <= F,
the same for Q, and points U' = U + e_x with |e_x| <= tau, together sum |e_x|^2 <= tau_1^2. Put
theta = max over P and Q of eta |P^-1| + |P^(-1/2) F P^(-1/2)| < 1, E = P^-1 + Q^-1 (Q^-1 alone
without an upper barrier), s = tau sqrt|E|, s_1 = tau_1 sqrt|E|, m = U^T E U, and Phi = Tr(D E) with
D = sum over X_1 of U U^T. With E' and D' the program's,

    max(0, sqrt Phi - s_1)^2/(1 + theta) <= Tr(D' E') <= (sqrt Phi + s_1)^2/(1 - theta),
    max(0, sqrt m - s)^2/(1 + theta) <= U'^T E' U' <= (sqrt m + s)^2/(1 - theta).

Proof. -theta P <= S + H <= theta P, since P >= 1/|P^-1| and F <= |P^(-1/2) F P^(-1/2)| P. So
(1 - theta) P <= P' <= (1 + theta) P, and inverses turn that around; the same for Q; add. It is left
to compare with E in place of E'. Tr(D' E) = |E^(1/2) U_1'|^2 (Frobenius) for the matrix U_1' of the
points of X_1, and |E^(1/2) (U_1' - U_1)| <= sqrt|E| tau_1. A single point is the same. QED.

From theta = 1 on P' may be indefinite or singular, and values of any size and sign.

**Corollary.** Let the program evaluate trace and forms up to factors between 1 - rho and 1 + rho,
D' from points that are as near as its own, and put x = theta + rho < 1, light = s_1/sqrt Phi < 1
and a = (1 + x)/(1 - x) ((1 + light)/(1 - light))^2. Let V be its potential, S_K the sum of its
masses over a set K of points, S that over all, and q = sum over K of m/Phi. Then

    |S/V - 1|, |V/S - 1|, |S_K/V - q| and |S_K/S - q| <= a - 1.

Proof. S_K lies between (max(0, sqrt(q Phi) - s_1))^2 (1 - rho)/(1 + theta) and
(sqrt(q Phi) + s_1)^2 (1 + rho)/(1 - theta), by the theorem for the points of K; V and S lie there
with q = 1; and (1 + theta)(1 + rho)/((1 - theta)(1 - rho)) <= (1 + x)/(1 - x), as in
`oracle.truth.stated`. So both quotients are at most
(1 + x)/(1 - x) ((sqrt q + light)/(1 - light))^2 and at least
(1 - x)/(1 + x) (max(0, sqrt q - light)/(1 + light))^2. How far these are from q grows with q, and
at q = 1 it is a - 1 and 1 - 1/a <= a - 1. QED.

**Corollary** (what stays between the barriers). A step of a weight step/m' with potential V has
P, Q > 0 after it, too, if step m/m' < 1 and lower step Phi/V < 1. Proof. The weight takes at most
(step/m') U U^T <= (step m/m') P from P, since U U^T <= (U^T P^-1 U) P, and Q loses
(lower step/V) D <= (lower step Phi/V) Q, since D <= Tr(D Q^-1) Q. QED.

With D = I the potential is Tr E, which needs no points: that is the theorem of the paper's traces
(`oracle.truth.stated`). What D costs besides is s_1 in the first line, and its part of eta.

**eta, tau and the rest** for a unit e, in Frobenius norms, at step j; f is the largest factor of
D in a barrier (upper sigma), `span` the larger of |P|, |Q| and c + f |D|, W the largest weight:

- sums: j terms of A, e (j |A| + 4 Tr A), and n_1 of D, e (n_1 + 4) f Tr D;
- factorisation and the sum of the three parts: e (8 d^2 + 4) span;
- whitening by an orthogonal factorisation: tau = tau_1 = 2 sqrt(d) d (n + 8) e kappa as for the
  paper's traces; A moves by 2 tau_1 sqrt(|A| W) + tau_1^2 W, and f D by
  f (2 tau_1 sqrt|D| + tau_1^2); of a reported whitening every point is rounded by itself, so that
  tau_1 = sqrt(n) tau;
- normal equations, that is G, G_1 and B: kappa^2 e ((j + 4) Tr A + (n + 8 + 8d) d span +
  (n_1 + 4) f Tr D), and tau = tau_1 = 4 e;
- c is a multiple of R = Tr D = |U_1|^2, which moves by 2 tau_1 sqrt R + tau_1^2 and n_1 + d + 4
  roundings; by normal equations, Tr(G^-1 G_1), by a share of
  kappa^2 e ((n + 8 + 8d) d + sqrt(d) (n_1 + 4 + 4 d^2)). K1's goal is a multiple of R, too.

Evaluation: rho = e (n + 4d + 8 + 4d K^(3/2)) with K = |P| |P^-1| for an explicit inverse, as there.
Tr(D E) is a sum of products whose signs may differ: 4 d^2 roundings of |D| |E| and n_1 + 4 of
R |E|, for normal equations kappa^2 times as many.

A value beyond the union over all methods (`far`) is accused, and no number in that is chosen. One
beyond the union over those that keep enough digits (`near`) is left open; how many are enough is
chosen, as for the paper's traces (`digits_kept`). It is the same for the corollary: what a program
makes in two ways is right within the roundings of a step and of columns that are orthonormal by
construction (`own`) and within what methods cost that keep enough, and open within what any costs,
without end where one keeps no digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from asura.scalars import rational
from asura_verify.oracle.kept.scheme import Scheme
from asura_verify.oracle.kept.state import Seen
from asura_verify.oracle.truth.allowance import GROSS, Conditioning, Defects, digits_kept
from asura_verify.oracle.views.relations import tiniest
from asura_verify.oracle.views.stated import Interval

_ZERO, _INFINITY = arb(0), arb("inf")
_ANYTHING = -_INFINITY, _INFINITY


def above(value: arb) -> float:
    """The least double, or the next, that is no less than any number of a ball.

    >>> above(arb(1)), above(arb("inf")), arb(above(arb(1) / 3)) >= (arb(1) / 3).upper()
    (1.0, inf, True)
    """
    top = value.upper()
    found = float(top)
    return found if arb(found) >= top else math.nextafter(found, math.inf)


@dataclass(frozen=True, slots=True)
class Method:
    """An honest way to compute, on some data: how far it moves points, and how much R."""

    tau: arb  # of a point
    together: arb  # of all points
    amplified: arb  # what the roundings of sums and factors are multiplied by
    normal: bool  # works with G, G_1 and B
    limit: float  # from which bound of a value on it only leaves open
    tied: float  # and from which bound of the corollary on
    rank: arb  # the share by which its R may be off


@dataclass(frozen=True, slots=True)
class Around:
    """What the theorem grants to one method in one state."""

    theta: arb
    reach: arb  # s
    light: arb  # s_1/sqrt Phi
    rho: arb
    potential_rho: arb
    shows: bool
    ties: bool  # the same for what the corollary ties

    @property
    def apart(self) -> arb:
        """How far the corollary lets values of one program be apart."""
        return _apart(self.theta + self.potential_rho, self.light)

    def mass(self, true: arb) -> tuple[arb, arb]:
        """Between which numbers a computed U^T E U lies."""
        return self._ends(true, self.reach, self.rho)

    def potential(self, true: arb) -> tuple[arb, arb]:
        """The same for Tr(D E)."""
        return self._ends(true, self.light * true.sqrt(), self.potential_rho)

    def _ends(self, form: arb, reach: arb, rho: arb) -> tuple[arb, arb]:
        if not (self.theta < 1 and rho < 1):
            return _ANYTHING
        root = form.max(_ZERO).sqrt()
        least = (root - reach).max(_ZERO)
        most = (root + reach) ** 2
        return least * least * (1 - rho) / (1 + self.theta), most * (1 + rho) / (1 - self.theta)


def _apart(share: arb, light: arb) -> arb:
    """a - 1 of the corollary."""
    if not (share < 1 and light < 1):
        return _INFINITY
    return (1 + share) / (1 - share) * ((1 + light) / (1 - light)) ** 2 - 1


class Granted:
    """The theorem in one state, for every method."""

    def __init__(self, around: tuple[Around, ...], seen: Seen, precision: int, own: arb) -> None:
        """By the corollary `own` is what the roundings of a step cost."""
        self._around, self.seen = around, seen
        self._written = arb(2) ** (2 - precision)
        self._tiny = arb(tiniest(precision))
        self._own = own

    @property
    def defects(self) -> Defects:
        """How far values of one program may be apart that are one in exact arithmetic."""
        least = above(self._own)
        own = least if least < math.inf else 0.0  # no digit is left where it is not
        near = [above(each.apart) for each in self._around if each.ties]
        far = [above(each.apart) for each in self._around]
        return Defects(own, max(own, *near, 0.0), max(least, *far))

    @property
    def share(self) -> float:
        """How far a sum of probabilities may be off by the methods that show something."""
        shown = (above(each.apart) for each in self._around if each.shows)
        return min(1.0, max(shown, default=1.0))

    @property
    def most(self) -> float:
        """How far it may be off by all methods; where nothing is known it is within 0 and 1."""
        return min(1.0, max(above(each.apart) for each in self._around))

    def stays(self, index: int | None, step: arb, lower: arb) -> bool:
        """Whether every honest program is between its barriers after this step."""
        phi = self.potential()
        if not lower * step * phi.true < phi.far[0]:
            return False
        mass = None if index is None else self.mass(index)
        return mass is None or bool(step * mass.true < mass.far[0])

    def potential(self) -> Interval:
        """Phi."""
        true = self.seen.potential
        return self._joined(true, lambda each: each.potential(true))

    def mass(self, index: int) -> Interval:
        """U^T E U of one point."""
        true = self.seen.masses[index]
        return self._joined(true, lambda each: each.mass(true))

    def chance(self, index: int) -> Interval:
        """The probability mass/phi of one point, both by the same method."""
        mass, whole = self.seen.masses[index], self.seen.potential

        def ends(each: Around) -> tuple[arb, arb]:
            (low, high), (least, most) = each.mass(mass), each.potential(whole)
            if not (high.is_finite() and most.is_finite()):
                return _ANYTHING
            return low / most, high / least if least > 0 else _INFINITY

        return self._joined(mass / whole, ends)

    def _joined(self, true: arb, ends: Callable[[Around], tuple[arb, arb]]) -> Interval:
        found = [(ends(each), each) for each in self._around]
        near = [pair for pair, each in found if each.shows]
        far = [pair for pair, _ in found]
        return Interval(true, self._union(true, near), self._union(true, far))

    def _union(self, true: arb, pairs: list[tuple[arb, arb]]) -> tuple[arb, arb]:
        if not pairs:
            return _ZERO, _INFINITY
        low, high = _least([low for low, _ in pairs]), _most([high for _, high in pairs])
        return low * (1 - self._written), high * (1 + self._written) + 64 * self._tiny


def _least(values: list[arb]) -> arb:
    found = values[0]
    for value in values[1:]:
        found = found.min(value)
    return found


def _most(values: list[arb]) -> arb:
    if not all(value.is_finite() for value in values):
        return _INFINITY
    found = values[0]
    for value in values[1:]:
        found = found.max(value)
    return found


class Grants:
    """What is granted on some data, in some precision."""

    def __init__(
        self,
        scheme: Scheme,
        known: Conditioning,
        size: int,
        precision: int,
        *,
        terms: float | None = None,
        defect: float = 0.0,
    ) -> None:
        """With a reported whitening, `terms` bounds |R|^T |x|, and `defect` is its |U^T U - 1|."""
        self.unit = arb(2) ** -precision
        self.precision = precision
        self._keep = digits_kept(precision, known)
        self._scheme, self._known, self._size, self._d = scheme, known, size, known.dimension
        self._terms, self._defect = terms, arb(defect)
        self.rank = arb(rational(scheme.rank))
        self.methods = self._methods()

    def _methods(self) -> tuple[Method, ...]:
        d, n, e, keep = self._d, self._size, self.unit, self._keep
        if self._terms is not None:  # one method, and its error is computed
            tau = 2 * d * e * arb(self._terms)
            return (self._moving(tau, tau * arb(n).sqrt(), GROSS / 4, GROSS / 4),)
        scaled = arb(self._known.equilibrated)
        plain = scaled.max(arb(self._known.plain))
        return (
            *(
                self._moving(self._reflected * kappa, self._reflected * kappa, limit, keep.half)
                for kappa, limit in ((scaled, GROSS / 4), (plain, keep.fine))
            ),
            *(
                Method(
                    4 * e, 4 * e, kappa * kappa, True, limit, tied,
                    self._rank_by_gram(kappa * kappa),
                )
                for kappa, limit, tied in (
                    (scaled, keep.fine, keep.fine), (plain, keep.plainly, 0.0),
                )
            ),
        )  # fmt: skip

    def _moving(self, tau: arb, together: arb, limit: float, tied: float) -> Method:
        """A method that whitens, and then rounds as if nothing was ill conditioned."""
        rank = self._rank_of(together) + self._defect
        return Method(tau, together, arb(1), False, limit, tied, rank)

    @property
    def _reflected(self) -> arb:
        """What reflections cost orthonormal columns."""
        d, n = self._d, self._size
        return 2 * arb(d).sqrt() * d * (n + 8) * self.unit

    def _rank_of(self, tau: arb) -> arb:
        """The share by which R = |U_1|^2 moves; d is a count, and does not."""
        if not self._scheme.kept:
            return arb(0)
        if not self.rank > 0:
            return _INFINITY
        part = tau / self.rank.sqrt()
        return 2 * part + part * part + self.unit * (self._scheme.pool + self._d + 4)

    def _rank_by_gram(self, amplified: arb) -> arb:
        d, n = self._d, self._size
        if not self._scheme.kept:
            return arb(0)
        whole = amplified * self.unit * (n + 8 + 8 * d) * d
        part = amplified * self.unit * arb(d).sqrt() * (self._scheme.pool + 4 + 4 * d * d)
        return (whole + part) / (1 - whole) if whole < 1 else _INFINITY

    def rank_share(self) -> tuple[arb, arb]:
        """By which share R may be off: by methods that keep enough of it, by all.

        Infinite where one may have any R, and where none keeps enough.
        """
        kept = [each.rank for each in self.methods if each.rank < each.limit]
        return _most(kept) if kept else _INFINITY, _most([each.rank for each in self.methods])

    def at(self, seen: Seen, step: int, target_size: arb) -> Granted:
        """The theorem in one state."""
        around = tuple(self._around(method, seen, step, target_size) for method in self.methods)
        return Granted(around, seen, self.precision, self._own(seen, step, target_size))

    def _own(self, seen: Seen, step: int, target_size: arb) -> arb:
        """The corollary for the roundings of a step, and columns orthonormal by construction."""
        eta, theta = self._rounded(seen, step, target_size, normal=False), arb(0)
        for side in seen.sides:
            theta = theta.max(eta * side.inverse)
        share = theta + self._evaluated(seen) + self._summed(seen, target_size)
        return _apart(share, self._reflected * (seen.energy / seen.potential).sqrt())

    def _evaluated(self, seen: Seen) -> arb:
        """rho."""
        d, n, narrow = self._d, self._size, arb(0)
        for side in seen.sides:
            narrow = narrow.max(side.size * side.inverse)
        return self.unit * (n + 4 * d + 8 + 4 * d * narrow * narrow.sqrt()) + self._defect

    def _summed(self, seen: Seen, target_size: arb) -> arb:
        """What the sum Tr(D E) costs besides."""
        terms = (self._scheme.pool + 4) * self.rank + 4 * self._d * self._d * target_size
        return self.unit * terms * seen.energy / seen.potential

    def _rounded(self, seen: Seen, step: int, target_size: arb, *, normal: bool) -> arb:
        """eta of sums and factorisations, but for what amplifies it."""
        d, n, reach, pool = self._d, self._size, seen.reach, self._scheme.pool
        span = arb(rational(self._scheme.distance)) + reach * target_size
        for side in seen.sides:
            span = span.max(side.size)
        moved = (pool + 4) * reach * self.rank
        if normal:
            return self.unit * ((step + 4) * seen.trace + (n + 8 + 8 * d) * d * span + moved)
        return self.unit * (step * seen.size + 4 * seen.trace + (8 * d * d + 4) * span + moved)

    def _around(self, method: Method, seen: Seen, step: int, target_size: arb) -> Around:
        eta = method.amplified * self._rounded(seen, step, target_size, normal=method.normal)
        tau, heavy = method.together, seen.heaviest
        eta += 2 * tau * (seen.size * heavy).sqrt() + tau * tau * heavy
        eta += seen.reach * (2 * tau * target_size.sqrt() + tau * tau)
        scheme = self._scheme
        off = method.rank + self.unit * arb(rational(scheme.roundings.distance))
        eta += arb(rational(scheme.distance)) * off if off.is_finite() else _INFINITY
        theta = arb(0)
        for side in seen.sides:
            theta = theta.max(side.doubt + eta * side.inverse)
        theta = theta if theta.is_finite() else _INFINITY
        rho = self._evaluated(seen)
        potential_rho = rho + method.amplified * self._summed(seen, target_size)
        s, share = method.tau * seen.energy.sqrt(), theta + potential_rho
        light = method.together * (seen.energy / seen.potential).sqrt()
        whole = share + 2 * s * (max(scheme.pool, 1) / seen.potential).sqrt()
        return Around(
            theta, s, light, rho, potential_rho,
            shows=bool(whole < method.limit),
            ties=bool(share + 2 * light < method.tied),
        )  # fmt: skip
