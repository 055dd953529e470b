r"""How far an honest method may be from what follows from a state whose barriers move along D.

**Theorem.** Let P, Q > 0, and let a program have P' = P + S + H with |S| <= eta and -F <= H <= F,
the same for Q, and points U' = U + e_x with |e_x| <= tau, together sum |e_x|^2 <= tau^2. Put
theta = max over P and Q of eta |P^-1| + |P^(-1/2) F P^(-1/2)| < 1, E = P^-1 + Q^-1 (Q^-1 alone
without an upper barrier), s = tau sqrt|E|, m = U^T E U, and Phi = Tr(D E) with
D = sum over X_1 of U U^T. With E' and D' the program's,

    max(0, sqrt Phi - s)^2/(1 + theta) <= Tr(D' E') <= (sqrt Phi + s)^2/(1 - theta),
    max(0, sqrt m - s)^2/(1 + theta) <= U'^T E' U' <= (sqrt m + s)^2/(1 - theta).

Proof. -theta P <= S + H <= theta P, since P >= 1/|P^-1| and F <= |P^(-1/2) F P^(-1/2)| P. So
(1 - theta) P <= P' <= (1 + theta) P, and inverses turn that around; the same for Q; add. It is left
to compare with E in place of E'. Tr(D' E) = |E^(1/2) U_1'|^2 (Frobenius) for the matrix U_1' of the
points of X_1, and |E^(1/2) (U_1' - U_1)| <= sqrt|E| tau. A single point is the same. QED.

With D = I the potential is Tr E, which needs no points: that is the theorem of the paper's traces
(`oracle.truth.stated`). What D costs besides is s in the first line, and its part of eta.

**eta, tau and the rest** for a unit e, in Frobenius norms, at step j; f is the largest factor of
D in a barrier (upper sigma), `span` the larger of |P|, |Q| and c + f |D|, W the largest weight:

- sums: j terms of A, e (j |A| + 4 Tr A), and n_1 of D, e (n_1 + 4) f Tr D;
- factorisation and the sum of the three parts: e (8 d^2 + 4) span;
- whitening by an orthogonal factorisation: tau = 2 sqrt(d) d (n + 8) e kappa as for the paper's
  traces; A moves by 2 tau sqrt(|A| W) + tau^2 W, and f D by f (2 tau sqrt|D| + tau^2);
- normal equations, that is G, G_1 and B: kappa^2 e ((j + 4) Tr A + (n + 8 + 8d) d span +
  (n_1 + 4) f Tr D), and tau = 4 e;
- c is a multiple of R = Tr D = |U_1|^2, which moves by 2 tau sqrt R + tau^2 and n_1 + d + 4
  roundings; by normal equations, Tr(G^-1 G_1), by a share of
  kappa^2 e ((n + 8 + 8d) d + sqrt(d) (n_1 + 4 + 4 d^2)). K1's goal is a multiple of R, too.

Evaluation: rho = e (n + 4d + 8 + 4d K^(3/2)) with K = |P| |P^-1| for an explicit inverse, as there.
Tr(D E) is a sum of products whose signs may differ: 4 d^2 + n_1 + 4 roundings of |D| |E|, for
normal equations kappa^2 times as many.

Nothing is chosen here. A value is judged by the union over the methods that would show a mistake of
a sixteenth (`near`); between that and the union over all (`far`) it is left open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from asura.scalars import rational
from asura_verify.oracle.kept.scheme import Scheme
from asura_verify.oracle.kept.state import Seen
from asura_verify.oracle.truth.allowance import GROSS, Conditioning, fine
from asura_verify.oracle.views.relations import tiniest
from asura_verify.oracle.views.stated import Interval

_ZERO, _INFINITY = arb(0), arb("inf")


@dataclass(frozen=True, slots=True)
class Method:
    """An honest way to compute, on some data: how far it moves points, and how much R."""

    tau: arb
    amplified: arb  # what the roundings of sums and factors are multiplied by
    normal: bool  # works with G, G_1 and B
    spared: bool  # granted only while it shows something
    rank: arb  # the share by which its R may be off


@dataclass(frozen=True, slots=True)
class Around:
    """What the theorem grants to one method in one state."""

    theta: arb
    reach: arb  # s
    rho: arb
    potential_rho: arb
    shows: bool
    granted: bool  # whether it excuses a value at all

    def _factors(self, rho: arb) -> tuple[arb, arb]:
        known = self.theta.is_finite() and rho < 1
        low = (1 - rho) / (1 + self.theta) if known else _ZERO
        high = (1 + rho) / (1 - self.theta) if self.theta < 1 else _INFINITY
        return low, high

    def ends(self, mass: arb, rho: arb) -> tuple[arb, arb]:
        """Between which numbers a computed form lies."""
        low, high = self._factors(rho)
        root = mass.max(_ZERO).sqrt()
        least = (root - self.reach).max(_ZERO)
        most = (root + self.reach) ** 2
        return least * least * low, most * high if high.is_finite() else _INFINITY


class Granted:
    """The theorem in one state, for every method."""

    def __init__(self, around: tuple[Around, ...], seen: Seen, precision: int) -> None:
        self._around, self.seen = around, seen
        self._written = arb(2) ** (2 - precision)
        self._tiny = arb(tiniest(precision))

    @property
    def share(self) -> float:
        """How far a sum of probabilities may be off by the methods that show something."""
        return max((self._summed(each) for each in self._around if each.shows), default=1.0)

    @property
    def most(self) -> float:
        """How far it may be off by all methods."""
        return max(self._summed(each) for each in self._around if each.granted)

    def _summed(self, each: Around) -> float:
        """The points are off by s each, and their masses by Cauchy and Schwarz over the pool."""
        light = each.reach * (len(self.seen.masses) / self.seen.potential).sqrt()
        share = each.theta + each.rho + each.potential_rho
        total = 4 * share + 2 * light + light * light
        return min(1.0, float(total.upper())) if share < GROSS else 1.0

    def potential(self) -> Interval:
        """Phi."""
        true = self.seen.potential
        return self._joined(true, lambda a: a.ends(true, a.potential_rho))

    def mass(self, index: int) -> Interval:
        """U^T E U of one point."""
        true = self.seen.masses[index]
        return self._joined(true, lambda a: a.ends(true, a.rho))

    def chance(self, index: int) -> Interval:
        """The probability mass/phi of one point, both by the same method."""
        mass, whole = self.seen.masses[index], self.seen.potential

        def ends(each: Around) -> tuple[arb, arb]:
            low, high = each.ends(mass, each.rho)
            least, most = each.ends(whole, each.potential_rho)
            bottom = low / most if most.is_finite() else _ZERO
            return bottom, high / least  # not finite where the potential may be 0

        return self._joined(mass / whole, ends)

    def _joined(self, true: arb, ends: Callable[[Around], tuple[arb, arb]]) -> Interval:
        found = [(ends(each), each) for each in self._around]
        near = [pair for pair, each in found if each.shows]
        far = [pair for pair, each in found if each.granted]
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
        self._fine = min(arb(GROSS / 4), arb(2) ** -fine(precision))
        self._scheme, self._known, self._size, self._d = scheme, known, size, known.dimension
        self._terms, self._defect = terms, arb(defect)
        self.rank = arb(rational(scheme.rank))
        self.methods = self._methods()

    def _methods(self) -> tuple[Method, ...]:
        d, n, e, one = self._d, self._size, self.unit, arb(1)
        if self._terms is not None:  # one method, and its error is computed
            tau = 2 * d * e * arb(self._terms)
            return (Method(tau, one, False, False, self._rank_of(tau) + self._defect),)
        reflected = 2 * arb(d).sqrt() * d * (n + 8) * e
        scaled = arb(self._known.equilibrated)
        plain = scaled.max(arb(self._known.plain))
        return (
            *(
                Method(reflected * kappa, one, False, False, self._rank_of(reflected * kappa))
                for kappa in (scaled, plain)
            ),
            *(
                Method(4 * e, kappa * kappa, True, spared, self._rank_by_gram(kappa * kappa))
                for kappa, spared in ((scaled, False), (plain, True))
            ),
        )

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
        """By which share R may be off: by methods that leave fifteen sixteenths of it, by all."""
        off = [method.rank for method in self.methods]
        shown = [
            share
            for share, method in zip(off, self.methods, strict=True)
            if share < (self._fine if method.normal else GROSS)
        ]
        kept = [
            share
            for share, method in zip(off, self.methods, strict=True)
            if share < GROSS or not method.spared
        ]
        return _most(shown) if shown else _INFINITY, _most(kept)

    def summed(self, seen: Seen, target_size: arb) -> float:
        """By which share Tr(D E) and the sum of the masses may differ, of one program."""
        d, pool = self._d, self._scheme.pool
        terms = (pool + 2 * d + 8) * self.rank + 4 * d * d * target_size
        return min(1.0, float((self.unit * terms * seen.energy / seen.potential).upper()))

    def at(self, seen: Seen, step: int, target_size: arb) -> Granted:
        """The theorem in one state."""
        around = tuple(self._around(method, seen, step, target_size) for method in self.methods)
        return Granted(around, seen, self.precision)

    def _around(self, method: Method, seen: Seen, step: int, target_size: arb) -> Around:
        scheme, d, n, e = self._scheme, self._d, self._size, self.unit
        distance, reach, pool = arb(rational(scheme.distance)), seen.reach, scheme.pool
        span = distance + reach * target_size
        for side in seen.sides:
            span = span.max(side.size)
        moved = e * (pool + 4) * reach * self.rank
        if method.normal:
            eta = e * ((step + 4) * seen.trace + (n + 8 + 8 * d) * d * span) + moved
        else:
            eta = e * (step * seen.size + 4 * seen.trace + (8 * d * d + 4) * span) + moved
        tau, heavy = method.tau, seen.heaviest
        eta = eta * method.amplified
        eta += 2 * tau * (seen.size * heavy).sqrt() + tau * tau * heavy
        eta += reach * (2 * tau * target_size.sqrt() + tau * tau)
        off = method.rank + e * arb(rational(scheme.roundings.distance))
        eta += distance * off if off.is_finite() else _INFINITY
        theta, narrow = arb(0), arb(0)
        for side in seen.sides:
            theta = theta.max(side.doubt + eta * side.inverse)
            narrow = narrow.max(side.size * side.inverse)
        theta = theta if theta.is_finite() else _INFINITY
        rho = e * (n + 4 * d + 8 + 4 * d * narrow * narrow.sqrt()) + self._defect
        summed = e * (4 * d * d + pool + 4) * target_size * seen.energy / seen.potential
        potential_rho = rho + summed * method.amplified
        s = tau * seen.energy.sqrt()
        light = s * (max(pool, 1) / seen.potential).sqrt()
        whole = theta + potential_rho + 2 * light
        shows = bool(whole < (self._fine if method.normal else GROSS / 4))
        granted = bool(whole < GROSS / 4) or not method.spared
        return Around(theta, s, rho, potential_rho, shows, granted)
