"""Bets on the uniforms behind picks: echoes of earlier ones, periods, dependence in cells, groups.

What a pick shows of its uniform, and why a bet on uniforms is a fair one, is in `uniforms`.
Here are the measures that are bet on, in six kinds:
- an *echo*: the uniform some draws before again, mirrored (1 - r) or moved by a constant. Of the
  earlier one its interval I is known; with M the image of I, f is 1/|M| on M, mixed with the
  constant 1;
- *cells*: a stochastic matrix C of [0, 1)^2 cut into squares; f has the mean of the rows of C that
  I meets. Gaussian copulas, and matrices learned from the draws before;
- a *shape* of every uniform alone: a step, or a lattice (`shapes`);
- *groups* of draws that fill [0, 1) evenly, or are sorted (`strata`);
- *periods*: echoes after T draws, for every T up to 32768. After a mismatch or some more a period
  is dismissed, so that few are left to watch.

Echoes and copulas are of the uniform 1 to 16 draws before, with stakes in proportion to 1/lag^2.
Nobody bets that a uniform is that of the same iteration in an earlier trace: equal seeds are the
choice of who runs a program.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import NormalDist

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks import shapes, strata
from asura_verify.oracle.picks.experts import Places, advanced, before, log_mean, watched
from asura_verify.oracle.picks.uniforms import (
    Uniforms,
    intervals,
    lagged,
    odds,
    overlap,
    portions,
    shared,
)

#: What an echo leaves to the constant density.
DOUBT = 2.0**-6
#: Echoes of an earlier uniform that are mixed with more of the constant.
FAINT = (0.5, 0.9)
#: How many draws before the uniform may be that is echoed, or that one is correlated with.
LAGS = np.arange(1, 17)
#: Constants by which additive sequences move on: the golden section, roots.
MOVES = np.array([(math.sqrt(5) - 1) / 2, (3 - math.sqrt(5)) / 2, 2**0.5 - 1, 3**0.5 - 1])
#: What the second of a pair may be: mirrored, or moved by a half.
IMAGES = {"antithetic": "1 minus", "moved": "by a half from"}
#: When it may stand: one lag is without, and one with.
TURNS = ("even draws", "odd draws", "even iterations", "odd iterations", "every draw")
#: Correlations of the Gaussian copulas.
CORRELATIONS = (-0.95, -0.7, -0.5, -0.3, -0.15, 0.15, 0.3, 0.5, 0.7, 0.95)
#: Cells of a Gaussian copula, and of what is learned.
CELLS, COARSE = 16, 8
#: Lags that are learned from; 0 is the distribution of a uniform alone.
LEARNED = (0, 1, 2)
#: Pseudo-counts of a cell that is learned.
CAUTION = 1.0
#: Periods that are watched.
PERIODS = np.arange(1, 2**15 + 1)
#: Uniforms that are remembered.
_LONGEST = int(PERIODS[-1])
#: Draws that periods and groups are watched for at once.
_STRIDE = 64


def _proportional(weights: Doubles) -> Doubles:
    """Stakes that are one together."""
    return np.asarray(weights / np.sum(weights))


#: The stakes in each kind, one together; the kinds have the same.
STAKES: dict[str, Doubles] = {
    "echo": _proportional(
        np.append(
            np.tile(1 / LAGS**2, len(IMAGES) * len(TURNS) + len(FAINT)), np.ones(2 + len(MOVES))
        )
    ),
    "copula": _proportional(np.repeat(1 / LAGS**2, len(CORRELATIONS))),
    "learned": _proportional(np.ones(len(LEARNED))),
    "shape": _proportional(np.ones(shapes.COUNT)),
    "period": _proportional(1 / PERIODS),
    "group": strata.WEIGHTS,
}


def _logarithms(factors: Doubles) -> Doubles:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(factors))


@cache
def copulas() -> Doubles:
    """Stochastic matrices of Gaussian copulas: previous cells x correlations x next cells."""
    normal, parts = NormalDist(), 8
    inner = [normal.inv_cdf((k + 0.5) / (CELLS * parts)) for k in range(CELLS * parts)]
    edges = [normal.inv_cdf(k / CELLS) for k in range(1, CELLS)]
    found = np.zeros((CELLS, len(CORRELATIONS), CELLS))
    for c, rho in enumerate(CORRELATIONS):
        narrow = math.sqrt(1 - rho * rho)
        below = np.array([[normal.cdf((e - rho * z) / narrow) for e in edges] for z in inner])
        ends = np.hstack([np.zeros((len(inner), 1)), below, np.ones((len(inner), 1))])
        found[:, c] = np.diff(ends, axis=1).reshape(CELLS, parts, CELLS).mean(axis=1)
    return found


def echo_factors(
    image: tuple[Doubles, Doubles],
    now: tuple[Doubles, Doubles],
    chances: Doubles,
    doubt: float = DOUBT,
) -> Doubles:
    """q/p for the density of an image, taken modulo 1; 1 where the image has no length."""
    (a, b), (c, d) = image, now
    length = b - a
    met = overlap(a, b, c, d)
    if np.any(b > 1):
        met = met + overlap(a - 1, b - 1, c, d)
    known = (length > 0) & (chances > 0)
    scale = np.where(known, length * chances, 1.0)
    return np.asarray(np.where(known, (1 - doubt) * met / scale + doubt, 1.0))


#: Bets on some draws, the first one at a place of what is known.
Stride = Callable[[Uniforms, Doubles, int], Doubles]


@dataclass
class Serial:
    """The logarithmic capitals of the bets on uniforms, and the uniforms before."""

    capitals: dict[str, Doubles]
    counts: Doubles  # lags x cells x cells
    groups: strata.State
    past: Uniforms  # the last ones, of all traces
    draws: int = 0  # how many there were
    trace: int = 0  # traces begun
    earlier: Uniforms = field(default_factory=Uniforms.none)  # the trace before this one
    current: Uniforms = field(default_factory=Uniforms.none)  # this trace

    @classmethod
    def new(cls) -> Serial:
        """Before the first draw."""
        return cls(
            {kind: np.zeros(len(stakes)) for kind, stakes in STAKES.items()},
            np.zeros((len(LEARNED), COARSE, COARSE)),
            strata.State.new(),
            Uniforms.none(),
        )

    def copied(self) -> Serial:
        """An independent copy; arrays are replaced, never changed."""
        return replace(self, capitals=dict(self.capitals))

    def begin(self) -> None:
        """A new trace."""
        self.trace += 1
        self.earlier, self.current = self.current, Uniforms.none()

    def play(self, probabilities: Doubles, picks: Places) -> Doubles:
        """Bet on some draws of the trace; the logarithm of the mixture after each."""
        first = len(self.current)
        rows = np.arange(len(picks))
        starts, ends = intervals(probabilities, picks)
        fresh = Uniforms(starts, ends, first + rows, np.full(len(picks), self.trace))
        chances = np.asarray(probabilities[rows, picks])
        whole = self.past.followed_by(fresh)
        self.current = self.current.followed_by(fresh)
        always = np.ones((len(picks), 1), dtype=np.bool_)
        paths = {
            "echo": self._advance("echo", self._echo(whole, chances)),
            "copula": self._advance("copula", self._copula(whole, chances)),
            "learned": self._advance("learned", self._learn(whole, chances)),
            "shape": self._advance("shape", odds(shapes.bets(starts, ends), chances, always)),
            "period": self._watch(whole, chances, self._period),
            "group": self._watch(whole, chances, self._group),
        }
        self.past = whole.last(_LONGEST)
        self.draws += len(picks)
        mixed = np.stack([paths[kind] for kind in STAKES], axis=1)
        return log_mean(mixed, np.full(len(STAKES), 1 / len(STAKES)))

    def _advance(self, kind: str, factors: Doubles) -> Doubles:
        """Experts that all bet at every draw."""
        path = advanced(self.capitals[kind], _logarithms(factors))
        self.capitals[kind] = path[-1]
        return log_mean(path, STAKES[kind])

    def _watch(self, whole: Uniforms, chances: Doubles, stride: Stride) -> Doubles:
        """Experts that are dismissed one after the other, in strides that no block moves."""
        offset, count = len(whole) - len(chances), len(chances)
        cuts = [0, *range(_STRIDE - self.draws % _STRIDE, count, _STRIDE), count]
        return np.concatenate(
            [stride(whole, chances[a:b], offset + a) for a, b in itertools.pairwise(cuts)]
        )

    # -- echoes ------------------------------------------------------------------------------

    def _echo(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Earlier uniforms, mirrored, moved or faintly the same: draws x bets."""
        fresh = len(chances)
        now, wide = (whole.starts[-fresh:, None], whole.ends[-fresh:, None]), chances[:, None]
        place, numbers = whole.places[-fresh:, None], self.draws + np.arange(fresh)[:, None]
        starts, ends, there = lagged(whole, fresh, LAGS)
        inside = there & (place >= LAGS)
        turns = (
            *(there & (numbers // LAGS % 2 == parity) for parity in (0, 1)),
            *(inside & (place // LAGS % 2 == parity) for parity in (0, 1)),
            there,
        )
        found = []
        for image in ((1 - ends, 1 - starts), (starts + 0.5, ends + 0.5)):
            echo = echo_factors(image, now, wide)
            found += [np.where(active, echo, 1.0) for active in turns]
        for doubt in FAINT:
            echo = echo_factors((starts, ends), now, wide, doubt)
            found.append(np.where(there, echo, 1.0))
        earlier = self.earlier if len(self.earlier) else ALL
        twin, own = place < len(self.earlier), np.minimum(place, len(earlier) - 1)
        across = echo_factors((1 - earlier.ends[own], 1 - earlier.starts[own]), now, wide)
        found += [np.where(twin & (self.trace % 2 == parity), across, 1.0) for parity in (0, 1)]
        moved = echo_factors((starts[:, :1] + MOVES, ends[:, :1] + MOVES), now, wide)
        return np.hstack([*found, np.where(there[:, :1], moved, 1.0)])

    # -- cells -------------------------------------------------------------------------------

    def _copula(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Gaussian copulas with earlier uniforms: draws x bets."""
        fresh = len(chances)
        met = shared(whole.starts[-fresh:], whole.ends[-fresh:], CELLS)
        rows = CELLS * np.einsum("kel,tl->tke", copulas(), met, optimize=True)
        starts, ends, there = lagged(whole, fresh, LAGS)
        seen = portions(shared(starts, ends, CELLS))
        return odds(seen @ rows, chances, there[:, :, None]).reshape(fresh, -1)

    def _learn(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Cells whose frequencies were seen so far: draws x bets."""
        fresh = len(chances)
        met = shared(whole.starts[-fresh:], whole.ends[-fresh:], COARSE)
        hit, found = portions(met), []
        counts = []
        for lag, known in zip(LEARNED, self.counts, strict=True):
            starts, ends, there = lagged(whole, fresh, np.array([lag]))
            seen = portions(shared(starts, ends, COARSE))[:, 0] * there
            if lag == 0:  # always the same row
                seen = np.tile(np.eye(COARSE)[0], (fresh, 1))
            tables = before(known, seen[:, :, None] * hit[:, None, :])
            rows = (tables + CAUTION) / (tables.sum(axis=2, keepdims=True) + CAUTION * COARSE)
            density = COARSE * np.einsum("tk,tkl->tl", seen, rows)
            found.append(odds(np.sum(density * met, axis=1), chances, there[:, 0]))
            counts.append(known + np.einsum("tk,tl->kl", seen, hit))
        self.counts = np.array(counts)
        return np.stack(found, axis=1)

    # -- groups and periods ------------------------------------------------------------------

    def _group(self, whole: Uniforms, chances: Doubles, offset: int) -> Doubles:
        """Groups of draws that fill [0, 1) evenly or are sorted, the first draw at a place."""
        here = np.arange(offset, offset + len(chances))
        moving = np.flatnonzero(np.isfinite(self.capitals["group"]))
        begins = whole.places[here], here + self.draws - len(self.past)
        if begins[1][0] % _STRIDE == 0:
            self.groups = self.groups.led(self.capitals["group"])
        known = whole.starts, whole.ends
        bets, self.groups = strata.bets(moving, self.groups, known, here, begins)
        gains = _logarithms(odds(bets, chances, np.ones((len(here), 1), dtype=np.bool_)))
        path, self.capitals["group"] = watched(
            self.capitals["group"], STAKES["group"], moving, gains
        )
        return path

    def _period(self, whole: Uniforms, chances: Doubles, offset: int) -> Doubles:
        """Every period that is not dismissed, the first draw at a place."""
        rows = np.arange(offset, offset + len(chances))
        capital = self.capitals["period"]
        moving = np.flatnonzero(np.isfinite(capital) & (rows[-1] >= PERIODS))
        source = rows[:, None] - PERIODS[moving]
        safe = np.maximum(source, 0)
        same = (whole.places[safe] == whole.places[rows, None]) & (
            whole.traces[safe] != whole.traces[rows, None]
        )
        factors = echo_factors(
            (whole.starts[safe], whole.ends[safe]),
            (whole.starts[rows, None], whole.ends[rows, None]),
            chances[:, None],
        )
        gains = _logarithms(np.where((source >= 0) & ~same, factors, 1.0))
        path, self.capitals["period"] = watched(capital, STAKES["period"], moving, gains)
        return path

    # -- the best explanation ----------------------------------------------------------------

    def best(self) -> tuple[float, str]:
        """Who has gained most, weighed by its stake, and in words."""
        worth = {
            kind: self.capitals[kind] + np.log(stakes / len(STAKES))
            for kind, stakes in STAKES.items()
        }
        kind = max(worth, key=lambda name: float(np.max(worth[name])))
        place = int(np.argmax(worth[kind]))
        return float(worth[kind][place]), words(kind)[place]


#: The whole interval, of which nothing follows.
ALL = Uniforms(np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp), np.zeros(1, dtype=np.intp))


def _ago(lag: int) -> str:
    return "the one before" if lag == 1 else f"the one {lag} draws before"


def _echo_words() -> Iterator[str]:
    for name, image in IMAGES.items():
        for turn in TURNS:
            yield from (f"uniforms-{name} ({image} {_ago(lag)}: {turn})" for lag in LAGS.tolist())
    for doubt in FAINT:
        chance = f"with chance {1 - doubt:.1f}"
        yield from (f"uniforms-repeated ({chance} {_ago(lag)})" for lag in LAGS.tolist())
    for turn in ("even", "odd"):
        yield f"uniforms-antithetic (1 minus those of the trace before: {turn} traces)"
    yield from (f"uniforms-moved (by {move:.3f} from one to the next)" for move in MOVES)


def words(kind: str) -> tuple[str, ...]:
    """What each bet of a kind says."""
    return {
        "echo": lambda: tuple(_echo_words()),
        "copula": lambda: tuple(
            f"uniforms-correlated (by {rho:g} with {_ago(lag)})"
            for lag in LAGS.tolist()
            for rho in CORRELATIONS
        ),
        "learned": lambda: (
            "uniforms-uneven (not uniform on [0, 1))",
            "uniforms-dependent (on the one before)",
            "uniforms-dependent (on the last but one)",
        ),
        "shape": shapes.words,
        "period": lambda: tuple(
            f"uniforms-periodic (the same again after {period} draws)" for period in PERIODS
        ),
        "group": strata.words,
    }[kind]()
