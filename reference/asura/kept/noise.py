"""How noisy a label-blind procedure is: a bound on E|v|^2, relative to OPT or OPT_1.

For weights w, v = sum over X of (w - 1) e U, and M (beta^ - beta*) = v. A procedure with such a
bound can be screened (`asura.kept.screening`): E[excess | G] <= noise/(a^2 P(G)).

| procedure | E|v|^2 at most | times |
| --- | --- | --- |
| coins with threshold tau | tau | OPT_1 |
| N independent draws by leverage, X_2 kept | R/N | OPT_1 |
| K1, sure rule with level T | (gamma^2/k)(rbar + delta rbar^2/2)/T^2 | OPT_1 |
| K2 with N = R/x | x + delta nu^2/(2(1 - nu^2)) | OPT_1 |
| leverage scores with p = min(1, (m/d) l), all of X sampled | d/m | OPT |
| ASURA, sure rule with level T, all of X sampled | gamma^2 k (rbar + rbar^2/2)/T^2 | OPT |

The other samplers of the field have theirs in `asura.samplers.noise`.

>>> from asura.dataset import ridge
>>> from asura.kept.screening import promises, screen
>>> data = ridge([[1, 0], [1, 1], [0, 2], [2, 1]], 2)
>>> candidate = one_sided_candidate(data, 6, "1/4", screen("1/2", 4))
>>> (promise,) = promises(data, [candidate], trials=30)
>>> promise.candidate.noise < Fraction(1, 3), promise.accepted
(True, 29)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from asura.arithmetic import Arithmetic
from asura.dataset import Dataset
from asura.errors import DrawsOutOfRange
from asura.formulas import curvature
from asura.kept.bounds import ONE, one_sided_noise, two_sided_clock
from asura.kept.coins import coins
from asura.kept.iid import IidLeverage
from asura.kept.measures import measured
from asura.kept.runs import one_sided_sampling, two_sided_sampling
from asura.kept.screening import Candidate, Screen
from asura.kept.variants import Ending, read_ending, read_nu
from asura.rates import PAPER_RATES
from asura.sampling import leverage_sampling, randomized_bss
from asura.scalars import read_scalar, write_scalar
from asura.stopping import sure


def two_sided_noise(
    rank: Fraction, gamma: Fraction, level: Fraction, ending: Ending, norm: Fraction = ONE
) -> Fraction:
    """K1 under the sure rule, relative to OPT_1."""
    rbar = two_sided_clock(rank, gamma, level, ending, norm)
    return gamma**2 / curvature(gamma) * (rbar + norm * rbar**2 / 2) / level**2


def asura_noise(dimension: int, gamma: Fraction, level: Fraction) -> Fraction:
    """ASURA under the sure rule at the paper's rates, relative to OPT.

    Its weights are w'/mid with mid = (d/gamma^2) r_m, k times those of K1.
    """
    return curvature(gamma) ** 2 * two_sided_noise(Fraction(dimension), gamma, level, "overshoot")


def _positive(number: Fraction, name: str) -> Fraction:
    if number <= 0:
        raise DrawsOutOfRange(f"{name} = {write_scalar(number)}: expected > 0", value=number)
    return number


def coin_candidate(data: Dataset, threshold: object, screen: Screen) -> Candidate:
    """K6, to be screened."""
    thrown = coins(data, threshold)
    return Candidate(thrown, thrown.noise, screen)


def iid_candidate(data: Dataset, draws: int, screen: Screen) -> Candidate:
    """N independent draws by leverage with X_2 kept, to be screened."""
    number = _positive(Fraction(draws), "draws")
    return Candidate(IidLeverage(draws), measured(data).rank / number, screen)


def two_sided_candidate(
    data: Dataset,
    gamma: object,
    level: object,
    screen: Screen,
    *,
    ending: str = "coin",
    arithmetic: Arithmetic[Any, Any] | None = None,
) -> Candidate:
    """K1 under the sure rule, to be screened."""
    g, rule, end, size = (
        PAPER_RATES.read_gamma(gamma),
        sure(level),
        read_ending(ending),
        measured(data),
    )
    noise = two_sided_noise(size.rank, g, rule.level, end, size.norm) if size.rank else Fraction(0)
    procedure = two_sided_sampling(g, stopping=rule, ending=end, arithmetic=arithmetic)
    return Candidate(procedure, noise, screen)


def one_sided_candidate(
    data: Dataset,
    draws: object,
    nu: object,
    screen: Screen,
    *,
    ending: str = "coin",
    arithmetic: Arithmetic[Any, Any] | None = None,
) -> Candidate:
    """K2, to be screened."""
    number, size = _positive(read_scalar(draws), "draws"), measured(data)
    noise = one_sided_noise(size.rank / number, read_nu(nu), size.norm)
    procedure = one_sided_sampling(number, nu, ending=ending, arithmetic=arithmetic)
    return Candidate(procedure, noise, screen)


def leverage_candidate(data: Dataset, expected_size: object, screen: Screen) -> Candidate:
    """Section 3 of the paper, to be screened; relative to OPT."""
    number = _positive(read_scalar(expected_size), "expected size")
    return Candidate(leverage_sampling(number), data.dimension / number, screen)


def asura_candidate(
    data: Dataset,
    gamma: object,
    level: object,
    screen: Screen,
    *,
    arithmetic: Arithmetic[Any, Any] | None = None,
) -> Candidate:
    """ASURA under the sure rule, to be screened; relative to OPT."""
    g, rule = PAPER_RATES.read_gamma(gamma), sure(level)
    procedure = randomized_bss(g, level=rule.level, arithmetic=arithmetic)
    return Candidate(procedure, asura_noise(data.dimension, g, rule.level), screen)
