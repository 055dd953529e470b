"""The samplers by name, as the command line and `asura.front_door.regress` take them.

>>> named("volume", 3)
VolumeSampling(size=3)
>>> named("ridge-dpp")
RidgeProcess()
>>> named("leverage", "5/2").expected_size
Fraction(5, 2)

What the field has and cannot run here is refused with the reason:

>>> named("perceptron")
Traceback (most recent call last):
    ...
asura.errors.UnknownName: procedure 'perceptron': it is a classifier and returns no weighted \
sample; asura experiment classifiers runs it
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asura.errors import ConflictingOptions, SizeOutOfRange, UnknownName
from asura.samplers.coreset import LabelCoreset
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.doubles import SAMPLERS as IN_DOUBLES
from asura.samplers.doubles import DoubleSampling
from asura.samplers.learners import GreedyInX, LargestVariance, NearestToBoundary
from asura.samplers.leverage import IidLeverageSampling, ridge_leverage_sampling
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import LeveragedVolumeSampling, VolumeSampling
from asura.sampling import SamplingProcedure, leverage_sampling
from asura.scalars import read_scalar, write_scalar

Procedure = SamplingProcedure[Any, Any]


def _leverage(size: object) -> Procedure:
    expected = read_scalar(size)
    if expected <= 0:
        raise SizeOutOfRange(
            f"expected size {write_scalar(expected)}: expected a positive number", value=expected
        )
    return leverage_sampling(expected)


def _whole(size: object) -> int:
    exact = read_scalar(size)
    if exact.denominator != 1:
        raise SizeOutOfRange(f"size {write_scalar(exact)}: expected an integer", value=exact)
    return int(exact)


#: With a size, which coins take as the expected number of points.
SIZED: dict[str, Callable[[object], Procedure]] = {
    "uniform": lambda size: UniformSampling(_whole(size)),
    "uniform-replaced": lambda size: UniformSampling(_whole(size), replacement=True),
    "leverage": _leverage,
    "leverage-iid": lambda size: IidLeverageSampling(_whole(size)),
    "ridge-leverage": ridge_leverage_sampling,
    "volume": lambda size: VolumeSampling(_whole(size)),
    "leveraged-volume": lambda size: LeveragedVolumeSampling(_whole(size)),
    "k-dpp": lambda size: FixedSizeProcess(_whole(size)),
    "largest-variance": lambda size: LargestVariance(_whole(size)),
    "greedy-x": lambda size: GreedyInX(_whole(size)),
    "uncertainty": lambda size: NearestToBoundary(_whole(size)),
}

#: Without a size: the data determine it.
UNSIZED: dict[str, Callable[[], Procedure]] = {"ridge-dpp": RidgeProcess}

#: With a size, the most points of X_1, or without: as many as loss <= 2 OPT needs.
EITHER: dict[str, Callable[[int | None], Procedure]] = {
    "coreset": lambda size: LabelCoreset(size=size)
}

#: What else the paper compares itself with, and why it is no procedure of its own here.
REFUSED: dict[str, str] = {
    "bss": "deterministic BSS is a sparsifier, and a set chosen without randomness is never a "
    "valid label procedure (asura claims bss-labels); asura.samplers.BarrierSparsifier runs it",
    "randomized-bss": "it is Algorithm 2 with --stopping sure",
    "chen-price": "it is Algorithm 2 with --stopping sure",
    "rls-nystrom": "it approximates the scores that ridge-leverage computes exactly",
    "kacham-woodruff": "only the abstract of their paper was at hand; coreset has its bound by "
    "another construction",
    "perceptron": "it is a classifier and returns no weighted sample; "
    "asura experiment classifiers runs it",
}

NAMES = (*SIZED, *UNSIZED, *EITHER)


def named(name: str, size: object = None, *, double: bool = False) -> Procedure:
    """The sampler of this name and size, exact or in doubles."""
    if name in REFUSED:
        raise UnknownName(f"procedure {name!r}: {REFUSED[name]}", value=name)
    if name not in NAMES:
        raise UnknownName(
            f"procedure {name!r}: expected one of {', '.join(NAMES)}, or asura", value=name
        )
    if name in EITHER and not double:
        return EITHER[name](None if size is None else _whole(size))
    if name in UNSIZED:
        if size is not None:
            raise ConflictingOptions(
                f"a size with procedure {name!r}: expected none, the data determine it", value=size
            )
        return _in_doubles(name, 0) if double else UNSIZED[name]()
    if size is None and name not in EITHER:
        raise ConflictingOptions(f"procedure {name!r} without a size: expected one", value=name)
    return _in_doubles(name, _whole(size or 0)) if double else SIZED[name](size)


def _in_doubles(name: str, size: int) -> Procedure:
    if name not in IN_DOUBLES:
        raise ConflictingOptions(
            f"procedure {name!r} in doubles: expected one of {', '.join(IN_DOUBLES)}", value=name
        )
    return DoubleSampling(name, size)
