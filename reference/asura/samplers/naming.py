"""The samplers by name, as the command line and `asura.front_door.regress` take them.

>>> named("volume", 3)
VolumeSampling(size=3)
>>> named("ridge-dpp")
RidgeProcess()
>>> named("leverage", "5/2").expected_size
Fraction(5, 2)

Deterministic BSS has no name here: it is a sparsifier, and no way to choose labels
(`asura.samplers.barrier`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asura.errors import ConflictingOptions, SizeOutOfRange, UnknownName
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
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
}

#: Without a size: the data determine it.
UNSIZED: dict[str, Callable[[], Procedure]] = {"ridge-dpp": RidgeProcess}

NAMES = (*SIZED, *UNSIZED)


def named(name: str, size: object = None) -> Procedure:
    """The sampler of this name and size."""
    if name not in NAMES:
        raise UnknownName(
            f"procedure {name!r}: expected one of {', '.join(NAMES)}, or asura", value=name
        )
    if name in UNSIZED:
        if size is not None:
            raise ConflictingOptions(
                f"a size with procedure {name!r}: expected none, the data determine it", value=size
            )
        return UNSIZED[name]()
    if size is None:
        raise ConflictingOptions(f"procedure {name!r} without a size: expected one", value=name)
    return SIZED[name](size)
