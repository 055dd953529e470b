"""P(G) for coins, exactly: every set of points that can be bought, with its probability.

The points are decided one after the other. M grows with the set and so does the number of
labels, so whole branches are decided at once: nothing below is accepted when even buying all
that is left fails the spectral test, or when the budget is exceeded already; everything is when
the present set passes and all that is left can be afforded.

>>> from asura.dataset import dataset
>>> from asura.kept.coins import coins
>>> from asura.kept.screening import screen
>>> data = dataset([[1], [1], [1]], unlabelled=2)
>>> acceptance(data, coins(data, "1/3"), screen("1/2"))       # some label, and weights of 2
Fraction(3, 4)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from asura.dataset import Dataset
from asura.errors import EnumerationTooLarge
from asura.kept.coins import Coins
from asura.kept.screening import Screen
from asura.kept.spectrum import Spectrum

#: Beyond, the number of sets may be out of reach.
MOST_POINTS = 16


def _possible(coins: Coins) -> list[int]:
    possible = [index for index, p in enumerate(coins.probabilities) if p]
    if len(possible) > MOST_POINTS:
        raise EnumerationTooLarge(
            f"{len(possible)} points can be bought: expected at most {MOST_POINTS}, or trials",
            value=len(possible),
        )
    return possible


def acceptance(data: Dataset, coins: Coins, screen: Screen) -> Fraction:
    """P(G), exactly."""
    possible = _possible(coins)
    spectrum = Spectrum(data)
    budget = len(possible) if screen.budget is None else screen.budget

    def passes(bought: list[int]) -> bool:
        weights = {index: 1 / coins.probabilities[index] for index in bought}
        return spectrum.with_kept(weights).at_least(screen.least).holds

    def mass(bought: list[int], position: int) -> Fraction:
        left = possible[position:]
        if len(bought) > budget or not passes(bought + left):
            return Fraction(0)
        if len(bought) + len(left) <= budget and passes(bought):
            return Fraction(1)
        chance = coins.probabilities[left[0]]
        return chance * mass([*bought, left[0]], position + 1) + (1 - chance) * mass(
            bought, position + 1
        )

    return mass([], 0)


def outcomes(coins: Coins) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Every set that can be bought, with its probability."""
    possible = _possible(coins)
    for bits in range(1 << len(possible)):
        probability, bought = Fraction(1), []
        for place, index in enumerate(possible):
            chance = coins.probabilities[index]
            if bits >> place & 1:
                bought.append(index)
                probability *= chance
            else:
                probability *= 1 - chance
        if probability:
            yield probability, tuple(bought)


def outlook(
    data: Dataset, coins: Coins, levels: Sequence[Fraction]
) -> list[tuple[Fraction, int, int]]:
    """For every set: its probability, its size, and how many of the levels M reaches."""
    spectrum = Spectrum(data)
    return [
        (
            probability,
            len(bought),
            spectrum.with_kept({i: 1 / coins.probabilities[i] for i in bought}).reached(levels),
        )
        for probability, bought in outcomes(coins)
    ]
