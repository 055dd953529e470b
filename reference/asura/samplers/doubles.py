"""The samplers in doubles, for data beyond the exact ones: the same laws up to rounding.

Volume sampling of size s is a sample of size d and s - d of the other points, each set of them
equally likely (note volume-normaliser), so that nothing is removed one by one: with an orthonormal
basis Q of the columns, T is drawn in d steps of n d operations, about the price of Q itself. The
determinantal processes choose eigenvectors first, then points in the same way.

Sensible up to some 10^7 numbers for everything. What is known of the errors: a choice among given
masses m_1, ..., m_n has its cut points, sums of nonnegative doubles over their total, off by at
most (2 n + 2) 2^-53 to first order, so that its law is off by at most n (2 n + 2) 2^-53 in total
variation. Of the masses themselves there is no proved bound, because the factorisation has none
here, and ranks are decided by doubles: on small points the law that these doubles denote is
compared with the exact one, and `asura conform-sampler` judges the draws.

>>> import numpy as np
>>> from asura.randomness import Seed
>>> points = np.random.default_rng(0).standard_normal((1000, 3))
>>> picks, weights = draw("volume", points, len(points), 5, Seed(1))
>>> len(set(picks)), weights.tolist()
(5, [1.0, 1.0, 1.0, 1.0, 1.0])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from asura.arithmetic import EXACT
from asura.dataset import Dataset
from asura.errors import NeverAccepted, RandomnessExhausted, RankZero, UnknownName
from asura.randomness import FIRST_BITS, Chooser, FixedPick
from asura.samplers.decisions import ExactSample, require_size
from asura.samplers.volume import MOST_POOLS
from asura.scalars import rational

Doubles = NDArray[np.float64]
Picks = NDArray[np.int64]
Drawn = tuple[Picks, Doubles]

#: Draws with repetitions, one after the other: some seconds.
MOST_DRAWS = 1_000_000

#: An eigenvalue of K that is as large as 1 is taken in any case.
_SURE = 1 - 1e-12


@dataclass(slots=True)
class Stream:
    """The draws of a chooser as doubles, one after the other."""

    chooser: Chooser
    made: int = 0

    def uniform(self) -> float:
        """The first 53 bits of the next draw."""
        drawn = self.chooser.draw(self.made)
        if isinstance(drawn, FixedPick):
            raise RandomnessExhausted(
                "samplers in doubles need a seed or uniforms, not picks", value=drawn
            )
        self.made += 1
        numerator, denominator, _ = drawn.interval(FIRST_BITS)
        return numerator / denominator

    def among(self, masses: Doubles) -> int:
        """An index with probability proportional to its mass."""
        return int(self.draws(masses, 1)[0])

    def draws(self, masses: Doubles, count: int) -> Picks:
        """So many independent indices by their masses."""
        sums = np.cumsum(masses)
        wanted = np.array([self.uniform() for _ in range(count)]) * sums[-1]
        places = np.searchsorted(sums, wanted, side="right")
        return np.asarray(np.minimum(places, np.flatnonzero(masses)[-1]), dtype=np.int64)

    def coins(self, chances: Doubles) -> NDArray[np.bool_]:
        """One coin per point."""
        return np.array([self.uniform() < p for p in chances], dtype=np.bool_)

    def subset(self, count: int, size: int) -> list[int]:
        """Every set of so many of 0, ..., count - 1 with the same probability (Floyd)."""
        chosen: dict[int, None] = {}
        for last in range(count - size, count):
            place = min(int(self.uniform() * (last + 1)), last)
            chosen[last if place in chosen else place] = None
        return list(chosen)


def basis(points: Doubles) -> Doubles:
    """An orthonormal basis of the column space, as many columns as the rank."""
    orthonormal, triangle = np.linalg.qr(points)
    left, values, _ = np.linalg.svd(triangle)
    if not len(values) or values[0] == 0:
        raise RankZero("every point is zero: expected data of rank at least 1")
    rank = int(np.sum(values > values[0] * max(points.shape) * 2.0**-52))
    return np.asarray(orthonormal @ left[:, :rank], dtype=np.float64)


def projection(orthonormal: Doubles, stream: Stream) -> list[int]:
    """As many points as there are columns: P(T) = det(Q_T)^2, by the chain rule."""
    count, rank = orthonormal.shape
    masses = np.einsum("ni,ni->n", orthonormal, orthonormal)
    columns = np.empty((count, rank))
    chosen: list[int] = []
    for step in range(rank):
        index = stream.among(masses)
        chosen.append(index)
        column = orthonormal @ orthonormal[index]
        column -= columns[:, :step] @ columns[index, :step]
        column /= math.sqrt(masses[index])
        columns[:, step] = column
        masses = np.maximum(masses - column * column, 0.0)
        masses[chosen] = 0.0
    return chosen


def leverage_scores(points: Doubles) -> Doubles:
    """|U(x)|^2 for every point."""
    orthonormal = basis(points)
    return np.asarray(np.einsum("ni,ni->n", orthonormal, orthonormal), dtype=np.float64)


def _volume_of(points: Doubles, size: int, stream: Stream) -> Picks:
    orthonormal = basis(points)
    count, rank = orthonormal.shape
    require_size(size, rank, count, "from the rank to the number of points")
    first = projection(orthonormal, stream)
    others = np.setdiff1d(np.arange(count), first)
    return np.sort(np.concatenate([first, others[stream.subset(len(others), size - rank)]]))


def _uniform(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    require_size(size, 1, len(points), "without replacement a point is taken once")
    picks = np.array(stream.subset(len(points), size))
    return picks, np.full(size, len(points) / size)


def _replaced(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    require_size(size, 1, MOST_DRAWS, "the number of draws")
    picks = np.array([int(stream.uniform() * len(points)) for _ in range(size)])
    return picks, np.full(size, len(points) / size)


def _iid(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    require_size(size, 1, MOST_DRAWS, "the number of draws")
    scores = leverage_scores(points)
    picks = stream.draws(scores, size)
    return picks, scores.sum() / (size * scores[picks])


def _coins(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    require_size(size, 1, MOST_DRAWS, "the expected number of points")
    scores = leverage_scores(points)
    chances = np.minimum(1.0, size / scores.sum() * scores)
    picks = np.flatnonzero(stream.coins(chances))
    return picks, 1 / chances[picks]


def _kept(points: Doubles, unlabelled: int, picks: Picks, weights: Doubles) -> Drawn:
    rest = np.arange(unlabelled, len(points))
    return np.concatenate([picks, rest]), np.concatenate([weights, np.ones(len(rest))])


def _ridge_coins(points: Doubles, unlabelled: int, size: int, stream: Stream) -> Drawn:
    require_size(size, 1, MOST_DRAWS, "the expected number of points")
    scores = leverage_scores(points)[:unlabelled]
    total = scores.sum()
    chances = np.minimum(1.0, size / total * scores) if total > 0 else scores
    picks = np.flatnonzero(stream.coins(chances))
    return _kept(points, unlabelled, picks, 1 / chances[picks])


def _volume(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    return _volume_of(points, size, stream), np.ones(size)


def _leveraged(points: Doubles, _: int, size: int, stream: Stream) -> Drawn:
    orthonormal = basis(points)
    scores = np.einsum("ni,ni->n", orthonormal, orthonormal)
    rank = orthonormal.shape[1]
    require_size(size, rank, MOST_DRAWS, "at least the rank")
    pool_size = max(size, 4 * rank**2)
    for _ in range(MOST_POOLS):
        pool = stream.draws(scores, pool_size)
        rows = orthonormal[pool] * np.sqrt(rank / (pool_size * scores[pool]))[:, None]
        if stream.uniform() < np.linalg.det(rows.T @ rows):
            picks = pool[_volume_of(rows, size, stream)]
            return picks, rank / (size * scores[picks])
    raise NeverAccepted(
        f"{MOST_POOLS} pools were refused: expected a larger pool", value=MOST_POOLS
    )


def _spectrum(points: Doubles, unlabelled: int) -> tuple[Doubles, Doubles]:
    """The eigenvectors of K, and its eigenvalues between 0 and 1."""
    vectors, values, _ = np.linalg.svd(basis(points)[:unlabelled], full_matrices=False)
    squares = np.minimum(values * values, 1.0)
    kept = squares > 2.0**-48
    return vectors[:, kept], squares[kept]


def _process(points: Doubles, unlabelled: int, _: int, stream: Stream) -> Drawn:
    vectors, squares = _spectrum(points, unlabelled)
    chances = (vectors * vectors) @ squares
    taken = vectors[:, stream.coins(squares)]
    picks = np.array(sorted(projection(taken, stream)) if taken.size else [], dtype=np.int64)
    return _kept(points, unlabelled, picks, 1 / chances[picks])


def _fixed(points: Doubles, unlabelled: int, size: int, stream: Stream) -> Drawn:
    vectors, squares = _spectrum(points, unlabelled)
    sure = squares >= _SURE
    require_size(size, int(sure.sum()), len(squares), "sizes that have a probability")
    odds = squares[~sure] / (1 - squares[~sure])
    odds = odds / odds.max() if odds.size else odds
    rest = size - int(sure.sum())
    table = _elementary(odds, rest)
    inside = sure.astype(np.float64)
    places = np.flatnonzero(~sure)
    inside[places] = [
        odds[j] * _elementary(np.delete(odds, j), rest - 1)[-1, -1] / table[-1, -1] if rest else 0.0
        for j in range(len(odds))
    ]
    chosen = sure.copy()
    for j in range(len(odds), 0, -1):
        if rest and stream.uniform() * table[j, rest] < odds[j - 1] * table[j - 1, rest - 1]:
            chosen[places[j - 1]] = True
            rest -= 1
    taken = vectors[:, chosen]
    picks = np.array(sorted(projection(taken, stream)) if size else [], dtype=np.int64)
    chances = (vectors * vectors) @ inside
    return _kept(points, unlabelled, picks, 1 / chances[picks])


def _elementary(values: Doubles, size: int) -> Doubles:
    """e_k of the first j values, at [j, k]."""
    table = np.zeros((len(values) + 1, max(size, 0) + 1))
    table[:, 0] = 1.0
    for j, value in enumerate(values):
        table[j + 1, 1:] = table[j, 1:] + value * table[j, :-1]
    return table if size >= 0 else np.zeros((1, 1))


SAMPLERS: dict[str, Callable[[Doubles, int, int, Stream], Drawn]] = {
    "uniform": _uniform,
    "uniform-replaced": _replaced,
    "leverage": _coins,
    "leverage-iid": _iid,
    "ridge-leverage": _ridge_coins,
    "volume": _volume,
    "leveraged-volume": _leveraged,
    "k-dpp": _fixed,
    "ridge-dpp": _process,
}


def draw(name: str, points: Doubles, unlabelled: int, size: int, chooser: Chooser) -> Drawn:
    """The picks and weights of a sampler by name; `ridge-dpp` takes no notice of the size."""
    if name not in SAMPLERS:
        raise UnknownName(
            f"procedure {name!r} in doubles: expected one of {', '.join(SAMPLERS)}", value=name
        )
    return SAMPLERS[name](points, unlabelled, size, Stream(chooser))


def in_doubles(data: Dataset) -> Doubles:
    """The points, each number rounded."""
    scales = np.sqrt([float(c) for c in data.squared_scales])
    return np.asarray(scales[:, None] * np.array(data.points, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class DoubleSampling:
    """A sampling procedure for Algorithm 1; its weights are the doubles that came out."""

    name: str
    size: int = 0

    def sample(self, data: Dataset, chooser: Chooser) -> ExactSample:
        """Drawn in doubles, handed on exactly."""
        picks, weights = draw(self.name, in_doubles(data), data.unlabelled, self.size, chooser)
        exact: list[fmpq] = [rational(Fraction(float(w))) for w in weights]
        return ExactSample(EXACT, tuple(int(i) for i in picks), tuple(exact))
