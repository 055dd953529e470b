"""An exhibit: the textbook with a line changed, and the name of its mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

Implementation = Callable[[dict[str, Any], Sequence[float]], list[str]]


@cache
def _text(name: str) -> str:
    return (resources.files("asura_verify.implementations") / name).read_text(encoding="utf-8")


class ExhibitDoesNotApply(ValueError):
    """A changed line is not, or not once, in the textbook."""


@dataclass(frozen=True)
class Exhibit:
    """A mistake: pairs of a line of the textbook and what stands there instead."""

    mistake: str
    changes: tuple[tuple[str, str], ...]
    sampling: bool = False
    textbook: str = "textbook.py"

    @cached_property
    def run(self) -> Implementation:
        """The implementation with the mistake in it."""
        text = _text(self.textbook)
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ExhibitDoesNotApply(f"{self.mistake}: {old!r} occurs {text.count(old)} times")
            text = text.replace(old, new)
        names: dict[str, Any] = {}
        exec(compile(text, f"<{self.mistake}>", "exec"), names)  # noqa: S102 - our own text
        made: Implementation = names["run"]
        return made


def wrong(mistake: str, *changes: str) -> Exhibit:
    """Lines and what stands there instead, in turns."""
    return Exhibit(mistake, tuple(zip(changes[::2], changes[1::2], strict=True)))


def picks(mistake: str, chance: str) -> Exhibit:
    """Another distribution of the picks."""
    return Exhibit(mistake, (("chance = p\n", f"chance = {chance}\n"),), sampling=True)


def uses(mistake: str, *changes: str) -> Exhibit:
    """Another use of the uniforms."""
    return Exhibit(mistake, tuple(zip(changes[::2], changes[1::2], strict=True)), sampling=True)


# Lines of the textbook.
PHI = "phi = float(np.trace(upper + lower))"
E = "E = upper + lower"
WEIGHT = "weight = gamma / phi / float(p[index])"
FACTOR = "factor = weight"
UP = "u = u + gamma / (1 - 2 * gamma) / phi"
LOW = "l = l + gamma / (1 + 2 * gamma) / phi"
FIRST = "u, l = 2 * d / gamma, -2 * d / gamma"
GAMMA = 'gamma = float(header["gamma"])'
D = "d = U.shape[1]"
CLOCK = "clock = (u - l) + total"
MID = "mid = (u + l) / 2"
ROOTS = "roots = np.sqrt(np.abs(weighting))"
CHOSEN = "chosen, weighting = picks, np.array(scaled)"
SVD = "U, values, _ = np.linalg.svd(X, full_matrices=False)"

INDEX = 'index = min(int(np.searchsorted(cumulative / cumulative[-1], r, side="right")), size - 1)'
CUMULATIVE = "cumulative = np.cumsum(np.maximum(chance, 0.0))"
UPDATE = "A = A + factor * np.outer(U[index], U[index])"
BOUND = 'bound = 4 * d / gamma * (1 + float(header.get("level", 1)))'
LSTSQ = "beta = np.linalg.lstsq(roots[:, None] * X[chosen], roots * Y, rcond=None)[0]"
SCALED = "scaled = [w / mid for w in weights]"
ALPHAS = "alphas = [a / mid for a in shares]"
CUT = "U = U[:, values > values[0] * size * 2.0**-52]"
