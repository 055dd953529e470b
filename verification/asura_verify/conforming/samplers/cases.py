"""What a sampler is asked for: small points, a size, and the exact law of every answer.

>>> [case.name for case in cases("volume")][:2]
['parabola-2', 'parabola-3']
>>> {len(subset) for subset in cases("volume")[0].law()}
{2}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from asura.dataset import dataset, ridge
from asura.errors import UnknownName
from asura.samplers.decisions import Decided, distribution
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.leverage import IidLeverageSampling
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import VolumeSampling
from asura.sampling import LeverageSampling
from asura_verify.conforming.samplers.betting import Subset
from asura_verify.trees.sampler_laws import coins_law

#: In general position, with equal points, with a zero point, of rank one, and badly scaled.
POINTS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "parabola": ((1, 0), (1, 1), (1, 2), (1, 3), (1, 5)),
    "pairs": ((1, 0), (1, 0), (0, 1), (0, 1), (1, 1)),
    "zero": ((1, 2), (0, 0), (3, 1), (1, 1)),
    "line": ((1,), (2,), (2,), (3,)),
    "uneven": ((50, 1), (1, 0), (0, 1), (1, 1), (1, -1)),
}

#: What each name means, and the sizes that it is asked for.
MEANINGS: Mapping[str, str] = {
    "uniform": "k different points, every set with the same probability",
    "uniform-replaced": "k independent points, each with the same probability",
    "leverage": "every point on its own, with probability min{1, (k/d) l}",
    "leverage-iid": "k independent points by l/d",
    "volume": "k points, P(S) proportional to det(X_S^T X_S)",
    "dpp": "P(S) = det(L_S)/det(I + L) with L = X X^T, no size",
    "k-dpp": "k points, P(S) proportional to det(L_S) with L = X X^T",
}


@dataclass(frozen=True)
class SamplerCase:
    """One question; `size` is 0 for a process without one."""

    sampler: str
    points_name: str
    size: int

    @property
    def name(self) -> str:
        """The points and the size."""
        return f"{self.points_name}-{self.size}" if self.size else self.points_name

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """The rows."""
        return POINTS[self.points_name]

    def law(self) -> dict[Subset, Fraction]:
        """P(S) for every sorted multiset of points that has a chance, exactly."""
        plain, penalised = dataset(self.points), ridge(self.points, 1)
        if self.sampler == "leverage":
            found: dict[Subset, Fraction] = {}
            for p, weights in coins_law(LeverageSampling(Fraction(self.size)), plain):
                found[tuple(i for i, _ in weights)] = p
            return found
        procedures: dict[str, Decided] = {
            "uniform": UniformSampling(self.size),
            "uniform-replaced": UniformSampling(self.size, replacement=True),
            "leverage-iid": IidLeverageSampling(self.size),
            "volume": VolumeSampling(self.size),
            "dpp": RidgeProcess(),
            "k-dpp": FixedSizeProcess(self.size),
        }
        ridged = self.sampler in {"dpp", "k-dpp"}
        whole = distribution(procedures[self.sampler], penalised if ridged else plain)
        count = len(self.points)
        return {tuple(i for i in picks if i < count): p for picks, p in whole.items()}


def cases(sampler: str) -> tuple[SamplerCase, ...]:
    """The cases of a sampler by name."""
    if sampler not in MEANINGS:
        raise UnknownName(
            f"sampler {sampler!r}: expected one of {', '.join(MEANINGS)}", value=sampler
        )
    found = []
    for name, rows in POINTS.items():
        rank = dataset(rows).dimension
        sizes = {
            "volume": (rank, rank + 1),
            "k-dpp": (1, rank) if rank > 1 else (1,),
            "dpp": (0,),
        }.get(sampler, (2,))
        found += [SamplerCase(sampler, name, size) for size in sizes]
    return tuple(found)
