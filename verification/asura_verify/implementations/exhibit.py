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
