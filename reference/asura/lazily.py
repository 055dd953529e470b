"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose names stand in these modules.

    A place is a module, or `module:name` where the name differs there.

    >>> get, names = lazily("asura.lazily", {"half": "fractions:Fraction"})
    >>> get("half")
    <class 'fractions.Fraction'>
    >>> "half" in names()
    True
    >>> get("nothing")
    Traceback (most recent call last):
        ...
    AttributeError: module 'asura.lazily' has no attribute 'nothing'
    """
    inside = vars(sys.modules[package])

    def get(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module, _, original = places[name].partition(":")
        found: object = getattr(import_module(module), original or name)
        inside[name] = found
        return found

    return get, lambda: sorted(inside.get("__all__", places))
