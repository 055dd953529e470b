"""The procedures that a plan can be made with, by name, and what each rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asura.engine.all_rows import open_pool
from asura.engine.barrier_draws import OneSidedFamily, TwoSidedFamily
from asura.engine.coin_draws import CoinFamily
from asura.engine.free_draws import Pool
from asura.engine.leverage_draws import LeverageFamily
from asura.engine.problem import Problem
from asura.engine.procedures import Family
from asura.engine.uniform_draws import UniformFamily
from asura.engine.volume_draws import VolumeFamily
from asura.errors import UnknownName

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Method:
    """A name, what chooses the rows, and the bound that its guarantee rests on."""

    name: str
    chooses: str
    rests_on: str
    samples_everything: bool = False


COINS = "coins"
METHODS = {
    method.name: method
    for method in (
        Method(COINS, "one coin per row", "theorem K6, free draws"),
        Method("kept", "two barriers, labelled rows kept", "theorem K1, redrawn"),
        Method("one-sided", "one barrier, labelled rows kept", "theorem K2, redrawn"),
        Method(
            "asura",
            "Algorithm 2 on all rows, labelled ones and the ridge included",
            "Algorithm 2 with the sure rule, redrawn",
            samples_everything=True,
        ),
        Method(
            "leverage",
            "independent draws by leverage, labelled rows kept",
            "independent draws by leverage, redrawn",
        ),
        Method(
            "uniform", "rows at random, all alike, labelled rows kept", "rows at random, redrawn"
        ),
        Method("volume", "volume sampling beside the labelled rows", ""),
    )
}


def method(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise UnknownName(f"--method {name}: expected one of {', '.join(METHODS)}", value=name)
    return METHODS[name]


def family(name: str, problem: Problem, pool: Pool, seed: int, progress: Progress) -> Family:
    """The procedures of a method for a pool."""
    chosen = method(name)
    if chosen.samples_everything:
        whole = open_pool(problem.rows, problem.known, problem.penalty, progress)
        return TwoSidedFamily(whole, seed, "overshoot")
    if name == "kept":
        return TwoSidedFamily(pool, seed, "coin")
    if name == "one-sided":
        return OneSidedFamily(pool, seed)
    if name == "leverage":
        return LeverageFamily(pool, seed)
    if name == "uniform":
        return UniformFamily(pool, seed)
    return VolumeFamily(pool, seed) if name == "volume" else CoinFamily(pool, seed)
