"""Bets on the uniforms behind picks: echoes of earlier ones, short periods, dependence in cells.

The contract says how a uniform picks: r_j lies in J = [p_0 + ... + p_{i-1}, p_0 + ... + p_i) when
point i is picked. So a trace without uniforms shows an interval for each of them, and a bet on the
next uniform with a density f becomes a bet on the next pick:

    q(i) = integral of f over J_i,   gain q(i)/p(i).

**Why the game is fair.** f is chosen from the past alone, f >= 0 and its integral over [0, 1) is at
most 1; the J_i of all points are disjoint. So sum_i q(i) <= 1, and given the past the mean of
q(i)/p(i) under the algorithm is sum_i p(i) q(i)/p(i) <= 1: a nonnegative supermartingale, whatever
the densities are, how the uniforms really come about and even if no uniforms were used at all.

**Why rounding does not matter.** The ends of the J_i are doubles, increasing from 0 to 1, each end
shared by two neighbours: they need not be the true sums, for any partition of [0, 1) will do. What
is rounded after that is a sum of nonnegative products, so q is off by a share below 2^-44, and the
margin of every draw (`MARGIN` in `distribution`) is larger.

Four kinds of densities:
- an *echo*: an earlier uniform again, mirrored (1 - r) or moved by a constant. Of the earlier one
  its interval I is known; with M the image of I, f is 1/|M| on M, mixed with the constant 1;
- *cells*: a stochastic matrix C of [0, 1)^2 cut into squares; f has the mean of the rows of C that
  I meets. Gaussian copulas, and matrices learned from the draws before;
- *strata*: of some draws in a row, one in each part of [0, 1) (`strata`);
- *periods*: echoes after T draws, for every T up to 1024 and some larger ones. After a mismatch or
  some more a period is dismissed, so that few are left to watch. Nobody bets that a uniform is that
  of the same iteration in an earlier trace: equal seeds are the choice of who runs a program.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import NormalDist

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles
from asura_verify.oracle.picks import strata
from asura_verify.oracle.picks.experts import Flags, Places, advanced, before, log_mean

#: What an echo leaves to the constant density.
DOUBT = 2.0**-6
#: Echoes of the uniform before that are mixed with more of the constant.
FAINT = (0.5, 0.9)
#: Constants by which additive sequences move on: the golden section, roots, a half.
MOVES = ((math.sqrt(5) - 1) / 2, (3 - math.sqrt(5)) / 2, math.sqrt(2) - 1, math.sqrt(3) - 1, 0.5)
#: When a mirrored uniform may stand: who is second of a pair, of draws or of traces.
MIRRORS = (
    "even draws",
    "odd draws",
    "even iterations",
    "odd iterations",
    "every draw",
    "even traces",
    "odd traces",
)
#: Correlations of the Gaussian copulas.
CORRELATIONS = (-0.95, -0.7, -0.5, -0.3, -0.15, 0.15, 0.3, 0.5, 0.7, 0.95)
#: Cells of a Gaussian copula, and of what is learned.
CELLS, COARSE = 16, 8
#: Lags that are learned from; 0 is the distribution of a uniform alone.
LAGS = (0, 1, 2)
#: Pseudo-counts of a cell that is learned.
CAUTION = 1.0
#: Periods that are watched.
PERIODS = np.array([*range(1, 1025), 2000, 2048, 4096, 5000, 8192, 10_000, 16_384, 32_767, 32_768])
#: A period that lost more, in logarithms, is dismissed.
_DISMISSED = -60.0
#: Uniforms that are remembered.
_LONGEST = int(PERIODS[-1])
#: Draws that periods are watched for at once.
_STRIDE = 128
#: The stakes of the kinds, one together.
STAKES = {
    "echo": 15 / 64, "copula": 15 / 64, "learned": 15 / 64, "period": 15 / 64, "strata": 4 / 64,
}  # fmt: skip
_ECHOES = len(MIRRORS) + len(MOVES) + len(FAINT)


def intervals(probabilities: Doubles, picks: Places) -> tuple[Doubles, Doubles]:
    """Where the uniform of each pick lies, draws x points: disjoint intervals that fill [0, 1).

    >>> starts, ends = intervals(np.array([[0.25, 0.5, 0.25]] * 3), np.array([0, 1, 2]))
    >>> starts.tolist(), ends.tolist()
    ([0.0, 0.25, 0.75], [0.25, 0.75, 1.0])
    """
    sums = np.cumsum(probabilities, axis=1)
    sums = sums / sums[:, -1:]
    rows = np.arange(len(picks))
    starts = np.where(picks > 0, sums[rows, picks - 1], 0.0)
    return starts, sums[rows, picks]


def overlap(a: Doubles, b: Doubles, c: Doubles, d: Doubles) -> Doubles:
    """The length of the intersection of [a, b) and [c, d)."""
    return np.asarray(np.maximum(np.minimum(b, d) - np.maximum(a, c), 0.0))


def shared(starts: Doubles, ends: Doubles, cells: int) -> Doubles:
    """The length of an interval in each of some equal cells: draws x cells.

    >>> shared(np.array([0.125]), np.array([0.75]), 4).tolist()
    [[0.125, 0.25, 0.25, 0.0]]
    """
    edges = np.arange(cells + 1) / cells
    return overlap(starts[:, None], ends[:, None], edges[:-1], edges[1:])


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


@dataclass(frozen=True, slots=True)
class Uniforms:
    """What is known of some uniforms in a row: intervals, and where in which trace they stand."""

    starts: Doubles
    ends: Doubles
    places: Places  # j
    traces: Places  # the number of the trace

    @classmethod
    def none(cls) -> Uniforms:
        """Nothing yet."""
        empty, counts = np.zeros(0), np.zeros(0, dtype=np.intp)
        return cls(empty, empty, counts, counts)

    def __len__(self) -> int:
        return len(self.starts)

    def followed_by(self, more: Uniforms) -> Uniforms:
        """These and some more."""
        return Uniforms(
            np.append(self.starts, more.starts),
            np.append(self.ends, more.ends),
            np.append(self.places, more.places),
            np.append(self.traces, more.traces),
        )

    def last(self, count: int) -> Uniforms:
        """At most so many."""
        cut = max(len(self) - count, 0)
        return Uniforms(self.starts[cut:], self.ends[cut:], self.places[cut:], self.traces[cut:])


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


@dataclass
class Serial:
    """The logarithmic capitals of the bets on uniforms, and the uniforms before."""

    echoes: Doubles
    copulas: Doubles
    learned: Doubles
    periods: Doubles
    strata: Doubles
    counts: Doubles  # lags x cells x cells
    past: Uniforms  # the last ones, of all traces
    draws: int = 0  # how many there were
    trace: int = 0  # traces begun
    earlier: Uniforms = field(default_factory=Uniforms.none)  # the trace before this one
    current: Uniforms = field(default_factory=Uniforms.none)  # this trace

    @classmethod
    def new(cls) -> Serial:
        """Before the first draw."""
        return cls(
            np.zeros(_ECHOES),
            np.zeros(len(CORRELATIONS)),
            np.zeros(len(LAGS)),
            np.zeros(len(PERIODS)),
            np.zeros(strata.COUNT),
            np.zeros((len(LAGS), COARSE, COARSE)),
            Uniforms.none(),
        )

    def copied(self) -> Serial:
        """An independent copy; arrays are replaced, never changed."""
        return replace(self)

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
        paths = {
            "echo": self._echo(whole, chances),
            "copula": self._copula(whole, chances),
            "learned": self._learn(whole, chances),
            "period": self._period(whole, chances),
            "strata": self._strata(whole, chances),
        }
        self.past = whole.last(_LONGEST)
        self.draws += len(picks)
        mixed = np.stack([paths[name] for name in STAKES], axis=1)
        return log_mean(mixed, np.array(list(STAKES.values())))

    # -- echoes ------------------------------------------------------------------------------

    def _echo(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """The uniform before, mirrored, moved or faintly the same."""
        fresh, rows = len(chances), np.arange(len(chances))
        now = whole.starts[-fresh:], whole.ends[-fresh:]
        place, numbers = whole.places[-fresh:], self.draws + rows
        starts, ends, there = lagged(whole, fresh, 1)
        mirrored = echo_factors((1 - ends, 1 - starts), now, chances)
        own = np.minimum(place, max(len(self.earlier) - 1, 0))
        twin = place < len(self.earlier)
        earlier = self.earlier if len(self.earlier) else ALL
        across = echo_factors((1 - earlier.ends[own], 1 - earlier.starts[own]), now, chances)
        inside = there & (place > 0)
        when = (
            (mirrored, there & (numbers % 2 == 0)),
            (mirrored, there & (numbers % 2 == 1)),
            (mirrored, inside & (place % 2 == 0)),
            (mirrored, inside & (place % 2 == 1)),
            (mirrored, there),
            (across, twin & (self.trace % 2 == 0)),
            (across, twin & (self.trace % 2 == 1)),
            *((echo_factors((starts + c, ends + c), now, chances), there) for c in MOVES),
            *((echo_factors((starts, ends), now, chances, e), there) for e in FAINT),
        )
        factors = np.stack([np.where(active, found, 1.0) for found, active in when], axis=1)
        path = advanced(self.echoes, _logarithms(factors))
        self.echoes = path[-1]
        return log_mean(path, np.full(_ECHOES, 1 / _ECHOES))

    # -- cells -------------------------------------------------------------------------------

    def _copula(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Gaussian copulas of neighbours."""
        fresh = len(chances)
        starts, ends, there = lagged(whole, fresh, 1)
        seen = portions(shared(starts, ends, CELLS))
        met = shared(whole.starts[-fresh:], whole.ends[-fresh:], CELLS)
        matrices = copulas()
        rows = (seen @ matrices.reshape(CELLS, -1)).reshape(fresh, -1, CELLS)
        found = CELLS * np.einsum("tel,tl->te", rows, met)
        path = advanced(self.copulas, _logarithms(_factors(found, chances, there[:, None])))
        self.copulas = path[-1]
        return log_mean(path, np.full(len(CORRELATIONS), 1 / len(CORRELATIONS)))

    def _learn(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Cells whose frequencies were seen so far."""
        fresh = len(chances)
        met = shared(whole.starts[-fresh:], whole.ends[-fresh:], COARSE)
        hit, found = portions(met), []
        counts = []
        for lag, known in zip(LAGS, self.counts, strict=True):
            starts, ends, there = lagged(whole, fresh, lag) if lag else _anywhere(fresh)
            seen = portions(shared(starts, ends, COARSE)) * there[:, None]
            tables = before(known, seen[:, :, None] * hit[:, None, :])
            rows = (tables + CAUTION) / (tables.sum(axis=2, keepdims=True) + CAUTION * COARSE)
            density = COARSE * np.einsum("tk,tkl->tl", seen, rows)
            found.append(_factors(np.sum(density * met, axis=1), chances, there))
            counts.append(known + np.einsum("tk,tl->kl", seen, hit))
        self.counts = np.array(counts)
        path = advanced(self.learned, _logarithms(np.stack(found, axis=1)))
        self.learned = path[-1]
        return log_mean(path, np.full(len(LAGS), 1 / len(LAGS)))

    def _strata(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Groups of draws that fill [0, 1) evenly."""
        fresh = len(chances)
        known = [(whole.last(fresh + parts), parts) for parts in strata.PARTS]
        cells = [shared(past.starts, past.ends, parts) for past, parts in known]
        begins = whole.places[-fresh:], self.draws + np.arange(fresh)
        bets = strata.bets(cells, [portions(lengths) for lengths in cells], begins)
        factors = _factors(bets, chances, np.ones((fresh, 1), dtype=np.bool_))
        path = advanced(self.strata, _logarithms(factors))
        self.strata = path[-1]
        return log_mean(path, np.full(strata.COUNT, 1 / strata.COUNT))

    # -- periods -----------------------------------------------------------------------------

    def _period(self, whole: Uniforms, chances: Doubles) -> Doubles:
        """Every period that is not dismissed, in strides."""
        offset = len(whole) - len(chances)
        paths = [
            self._stride(whole, chances[k : k + _STRIDE], offset + k)
            for k in range(0, len(chances), _STRIDE)
        ]
        return np.concatenate(paths)

    def _stride(self, whole: Uniforms, chances: Doubles, offset: int) -> Doubles:
        """Some draws in a row, the first one at a place of what is known."""
        rows = np.arange(offset, offset + len(chances))
        alive = np.isfinite(self.periods)
        moving = np.flatnonzero(alive & (rows[-1] >= PERIODS))
        resting = np.count_nonzero(alive & (rows[-1] < PERIODS))
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
        path = self.periods[moving] + np.cumsum(gains, axis=0)
        path = np.where(np.minimum.accumulate(path, axis=0) < _DISMISSED, -np.inf, path)
        after = self.periods.copy()
        after[moving] = path[-1]
        self.periods = after
        even = 1 / len(PERIODS)
        rest = np.full((len(path), 1), math.log(resting * even) if resting else -np.inf)
        total = log_mean(path, np.full(len(moving), even))
        return np.asarray(np.logaddexp(total, rest[:, 0]))

    # -- the best explanation ----------------------------------------------------------------

    def best(self) -> tuple[float, str]:
        """Who has gained most, weighed by its stake, and in words."""
        echo, copula, learned, period, stratum = (
            int(np.argmax(x))
            for x in (self.echoes, self.copulas, self.learned, self.periods, self.strata)
        )
        found = [
            (_share("echo", _ECHOES) + float(self.echoes[echo]), _ECHO_WORDS[echo]),
            (
                _share("copula", len(CORRELATIONS)) + float(self.copulas[copula]),
                f"uniforms-correlated (by {CORRELATIONS[copula]:g} with the one before)",
            ),
            (_share("learned", len(LAGS)) + float(self.learned[learned]), _LEARNED_WORDS[learned]),
            (
                _share("period", len(PERIODS)) + float(self.periods[period]),
                f"uniforms-periodic (the same again after {PERIODS[period]} draws)",
            ),
            (_share("strata", strata.COUNT) + float(self.strata[stratum]), strata.words()[stratum]),
        ]
        return max(found)


#: The whole interval, of which nothing follows.
ALL = Uniforms(np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp), np.zeros(1, dtype=np.intp))
_ECHO_WORDS = (
    *(f"uniforms-antithetic (1 minus the one before: {when})" for when in MIRRORS[:-2]),
    *(f"uniforms-antithetic (1 minus those of the trace before: {when})" for when in MIRRORS[-2:]),
    *(f"uniforms-moved (by {move:.3f} from one to the next)" for move in MOVES),
    *("uniforms-repeated (often the one before)" for _ in FAINT),
)
_LEARNED_WORDS = (
    "uniforms-uneven (not uniform on [0, 1))",
    "uniforms-dependent (on the one before)",
    "uniforms-dependent (on the last but one)",
)


def _share(kind: str, count: int) -> float:
    return math.log(STAKES[kind] / count)


def lagged(whole: Uniforms, fresh: int, lag: int) -> tuple[Doubles, Doubles, Flags]:
    """The intervals so many draws before each of the last ones, and whether there are any."""
    source = np.arange(len(whole) - fresh, len(whole)) - lag
    safe = np.maximum(source, 0)
    return whole.starts[safe], whole.ends[safe], source >= 0


def _anywhere(fresh: int) -> tuple[Doubles, Doubles, Flags]:
    """In place of an earlier uniform, always the same cell."""
    return np.zeros(fresh), np.full(fresh, 1 / COARSE), np.ones(fresh, dtype=np.bool_)


def portions(lengths: Doubles) -> Doubles:
    """The share of an interval in each cell; an interval without length is everywhere.

    >>> portions(np.array([[0.125, 0.375], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    totals = lengths.sum(axis=1, keepdims=True)
    even = np.full_like(lengths, 1 / lengths.shape[1])
    return np.asarray(np.divide(lengths, totals, out=even, where=totals > 0))


def _factors(bets: Doubles, chances: Doubles, active: Flags) -> Doubles:
    """q/p, and 1 where nobody bets."""
    wide = chances.reshape((-1,) + (1,) * (bets.ndim - 1))
    playing = active & (wide > 0)
    return np.asarray(np.where(playing, bets / np.where(wide > 0, wide, 1.0), 1.0))
