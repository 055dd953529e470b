"""Import woven modules in place of the plain ones."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutation.weaving import SWITCH, Woven


class Recorder:
    """Stands in the place of a mutant's number: equal to none, it notes which were asked for."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.reached: set[int] = set()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            self.reached.add(other)
        return False

    __hash__ = None  # type: ignore[assignment]


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a woven tree, past every cache."""

    def __init__(self, name: str, path: str, woven: Woven, switch: object) -> None:
        super().__init__(name, path)
        self._woven, self._switch = woven, switch

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._woven.tree, self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        vars(module)[SWITCH] = self._switch
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the targets, each with its switch."""

    def __init__(self, woven: Mapping[str, tuple[Path, Woven]]) -> None:
        self._woven = woven
        self.switches: dict[str, object] = dict.fromkeys(woven, 0)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """What Python asks of a finder."""
        if fullname not in self._woven:
            return None
        file, woven = self._woven[fullname]
        loader = _Loader(fullname, str(file), woven, self.switches[fullname])
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)

    def install(self) -> None:
        """Before any target is imported."""
        early = sorted(set(self._woven) & set(sys.modules))
        if early:
            raise RuntimeError(f"already imported: {', '.join(early)}")
        sys.meta_path.insert(0, self)


def turn_on(module: str, number: object) -> None:
    """Set the switch of an imported module."""
    vars(sys.modules[module])[SWITCH] = number
