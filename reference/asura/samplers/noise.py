"""The samplers of the field, drawn for free and checked before anything is paid (K6's wrapper).

A bound on E|v|^2 = E|sum (w - 1) e U|^2, v = M (beta^ - beta*), makes a candidate of a sampler
(`asura.kept.screening`): E[excess | G] <= noise/(a^2 P(G)) times OPT, or OPT_1 where X_2 is kept.
Coins and draws of Section 3, ASURA, K1, K2 and K6 have theirs in `asura.kept.noise`.

| sampler | E|v|^2 at most | times |
| --- | --- | --- |
| uniform, k draws | (n/k) max l; without replacement times (n - k)/(n - 1) | OPT |
| leverage, k independent draws | d/k | OPT |
| ridge leverage, coins, X_2 kept | max l (1 - p)/p | OPT_1 |
| volume, weights 1, P_i = P(i in S) | the smaller of max P_i and 1 - min P_i | OPT |
| determinantal process of ridge regression, X_2 kept | 1 | OPT_1 |

Proofs. The residual is orthogonal to X, so sum e U = 0: draws are deviations from the mean 0.
Volume: v = sum over S of e U = -(sum outside S), and |sum over S of e U|^2 <= sum over S of e^2.
Process: with K_ij = U_i U_j and P_ij = l_i l_j - K_ij^2, E|v|^2 is the sum of e^2 over X_1 less
the form of K^3, entry by entry, at e/l, which is not negative. No bound is known here for `k-dpp`
and `leveraged-volume`: screened, they hold a budget and a spectrum, and promise nothing more.

>>> from asura.dataset import ridge
>>> from asura.kept.screening import promises, screen
>>> data = ridge([[1, 0], [1, 1], [0, 2], [2, 1]], 2)
>>> candidate = process_candidate(data, screen("1/3", 3))
>>> (promise,) = promises(data, [candidate], trials=40)
>>> candidate.noise, promise.accepted > 20
(Fraction(1, 1), True)
"""

from __future__ import annotations

from fractions import Fraction

from asura.dataset import Dataset
from asura.dimensions import leverage_scores
from asura.kept.screening import Candidate, Screen
from asura.samplers.decisions import require_size
from asura.samplers.determinantal import RidgeProcess
from asura.samplers.leverage import IidLeverageSampling, ridge_leverage_sampling
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import VolumeSampling


def uniform_candidate(
    data: Dataset, size: int, screen: Screen, *, replacement: bool = False
) -> Candidate:
    """Uniform draws from all of X, to be screened; relative to OPT."""
    most = None if replacement else data.size
    require_size(size, 1, most, "without replacement a point is taken once")
    noise = Fraction(data.size, size) * max(leverage_scores(data))
    if not replacement:
        noise *= Fraction(data.size - size, max(1, data.size - 1))
    return Candidate(UniformSampling(size, replacement), noise, screen)


def iid_leverage_candidate(data: Dataset, size: int, screen: Screen) -> Candidate:
    """Independent draws by leverage from all of X, to be screened; relative to OPT."""
    require_size(size, 1, None, "the number of draws")
    return Candidate(IidLeverageSampling(size), Fraction(data.dimension, size), screen)


def ridge_leverage_candidate(data: Dataset, expected_size: object, screen: Screen) -> Candidate:
    """Coins by ridge leverage with X_2 kept, to be screened; relative to OPT_1."""
    procedure = ridge_leverage_sampling(expected_size)
    pairs = zip(leverage_scores(data), procedure.probabilities(data), strict=False)  # X_1 only
    noise = max((score * (1 - p) / p for score, p in pairs if p), default=Fraction(0))
    return Candidate(procedure, noise, screen)


def volume_candidate(data: Dataset, size: int, screen: Screen) -> Candidate:
    """Volume sampling from all of X at weight 1, to be screened; relative to OPT."""
    n, d = data.size, data.dimension
    require_size(size, d, n, "from the rank to the number of points")
    share = Fraction(size - d, n - d) if n > d else Fraction(1)
    chances = [share + (1 - share) * score for score in leverage_scores(data)]
    return Candidate(VolumeSampling(size), min(max(chances), 1 - min(chances)), screen)


def process_candidate(data: Dataset, screen: Screen) -> Candidate:
    """The determinantal process of ridge regression with X_2 kept; relative to OPT_1."""
    del data  # the bound is the same for all
    return Candidate(RidgeProcess(), Fraction(1), screen)
