"""Bets against an exact law: whoever wins a fortune has refuted it.

Before each draw the counts so far are mixed with the law, q = (N + kappa p)/(t + kappa), and the
wealth is multiplied by q(S)/p(S) for the set S that comes. If the draws are independent with law
p, the wealth is a martingale that starts at 1, so that it ever reaches 1/alpha with probability at
most alpha (Ville), however long one looks. Three kappas share the money: a small one learns a gross
mistake quickly, a large one a fine one. The wealth is a ball, and its lower end decides.

>>> from fractions import Fraction
>>> bets = Bets({(0,): Fraction(1, 2), (1,): Fraction(1, 2)}, Fraction(1, 1000))
>>> [bets.see((0,)) for _ in range(20)].index(True)                  # always the same point
15
>>> Bets({(0,): Fraction(1)}, Fraction(1, 1000)).see((1,)), bets.wealth > 1000
(True, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from flint import arb, ctx

from asura.scalars import rational

Subset = tuple[int, ...]

#: Relative errors of products of a million factors stay far below any decision.
_BITS = 128
#: The strengths kappa, in units of the number of sets that have a chance.
STRENGTHS = (1, 8, 64)


class Bets:
    """The wealth of a gambler who does not believe in a law."""

    def __init__(self, law: Mapping[Subset, Fraction], false_alarm: Fraction) -> None:
        self.law = {subset: p for subset, p in law.items() if p > 0}
        self.counts: Counter[Subset] = Counter()
        self.draws = 0
        self.impossible: Subset | None = None
        self._goal = 1 / false_alarm
        self._purses = [arb(1)] * len(STRENGTHS)
        self._chances = {subset: rational(p) for subset, p in self.law.items()}

    @property
    def wealth(self) -> arb:
        """The mean of the purses."""
        with ctx.workprec(_BITS):
            return sum(self._purses, arb(0)) / len(self._purses)

    @property
    def refuted(self) -> bool:
        """Whether the wealth certainly reached 1/alpha, or a set came that cannot."""
        return self.impossible is not None or bool(self.wealth >= arb(rational(self._goal)))

    def see(self, subset: Subset) -> bool:
        """One more draw; whether the law is refuted now."""
        self.draws += 1
        chance = self._chances.get(subset)
        if chance is None:
            self.impossible = self.impossible or subset
            return True
        seen = self.counts[subset]
        with ctx.workprec(_BITS):
            for place, strength in enumerate(STRENGTHS):
                kappa = strength * len(self.law)
                factor = (seen + kappa * chance) / ((self.draws - 1 + kappa) * chance)
                self._purses[place] *= arb(factor)
        self.counts[subset] += 1
        return self.refuted

    def furthest(self, most: int = 3) -> list[tuple[Subset, int, float]]:
        """The sets whose counts are furthest from what is expected, with both."""
        expected = {subset: float(p) * self.draws for subset, p in self.law.items()}
        order = sorted(
            expected,
            key=lambda s: -((self.counts[s] - expected[s]) ** 2) / max(expected[s], 1e-300),
        )
        return [(subset, self.counts[subset], expected[subset]) for subset in order[:most]]
