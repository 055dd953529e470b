"""The wrong implementations, read from `exhibits.toml`: the textbook with a line changed.

>>> rates = next(each for each in EXHIBITS if each.mistake == "rates-plain")
>>> rates.changes[0]
('u = u + gamma / (1 - 2 * gamma) / phi', 'u = u + gamma / phi')
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

from asura_verify.implementations.exhibit import Exhibit

_DATA = resources.files("asura_verify.implementations") / "exhibits.toml"
_TABLES = tomllib.loads(_DATA.read_text(encoding="utf-8"))
_LINES: Mapping[str, str] = _TABLES["textbook"]
#: Who changes one of these lines picks otherwise.
_PICKING = {"chance", "cumulative", "index"}


def _exhibits(table: str) -> tuple[Exhibit, ...]:
    changed: Mapping[str, str | Mapping[str, str]] = _TABLES[table]
    return tuple(
        _exhibit(mistake, {"chance": f"chance = {to}"} if isinstance(to, str) else to)
        for mistake, to in changed.items()
    )


def _exhibit(mistake: str, lines: Mapping[str, str]) -> Exhibit:
    changes = tuple((_LINES[name], line) for name, line in lines.items())
    return Exhibit(mistake, changes, sampling=not _PICKING.isdisjoint(lines))


#: Those of which vectors are kept.
COMMON = (*_exhibits("common"), *_exhibits("picks"))
STRUCTURAL = (*_exhibits("common"), *_exhibits("values"), *_exhibits("answers"))
SAMPLING = (*_exhibits("picks"), *_exhibits("chances"))
EXHIBITS = (*STRUCTURAL, *SAMPLING, *_exhibits("uses"))
#: Mistakes without a recipe: they depend on what a trace does not show, or nobody wrote one.
NAMELESS = _exhibits("nameless")
