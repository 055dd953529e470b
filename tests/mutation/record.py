"""What is known of every mutant, and the gate that counts the survivors.

`record/` names, for each mutant, the test that fails; `equivalent/` gives, for each one that no
test can notice, the reason. The gate refuses a record of other sources, a survivor without a
reason, and a reason without a survivor.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.mutation.campaign import Key
from tests.mutation.weaving import Mutant, Woven


@dataclass
class Scope:
    """A function's mutants, each with the test that kills it or None, and a digest of its text."""

    digest: str
    killers: dict[str, str | None] = field(default_factory=dict)


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def exists(test: str, root: Path) -> bool:
    """Whether a test that was recorded is still there; doctests go by their module."""
    place, _, function = test.partition("::")
    word = f"def {function.partition('[')[0]}(" if "test" in place else ">>> "
    return test.startswith("(") or word in _text(root / place)


def _read_module(path: Path) -> dict[str, Scope]:
    raw = json.loads(path.read_text("utf-8"))
    tests: list[str] = raw["tests"]
    return {
        scope: Scope(
            entry["digest"],
            {
                name: None if place is None else tests[place]
                for name, place in entry["killed_by"].items()
            },
        )
        for scope, entry in raw["scopes"].items()
    }


def _written(scopes: Mapping[str, Scope]) -> str:
    """Tests are listed once, and mutants name them by number."""
    killers = {killer for scope in scopes.values() for killer in scope.killers.values()}
    tests = sorted(killer for killer in killers if killer is not None)
    places = {test: place for place, test in enumerate(tests)}
    entries = {
        name: {
            "digest": scope.digest,
            "killed_by": {
                mutant: None if killer is None else places[killer]
                for mutant, killer in sorted(scope.killers.items())
            },
        }
        for name, scope in sorted(scopes.items())
    }
    return json.dumps({"tests": tests, "scopes": entries}, indent=1, ensure_ascii=False) + "\n"


@dataclass
class Record:
    """Modules, scopes, mutants."""

    modules: dict[str, dict[str, Scope]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Record:
        """A record, one file per module; empty when there is none yet."""
        return cls({path.stem: _read_module(path) for path in sorted(folder.glob("*.json"))})

    def write(self, folder: Path) -> None:
        """One file per module."""
        folder.mkdir(exist_ok=True)
        for module, scopes in self.modules.items():
            (folder / f"{module}.json").write_text(_written(scopes), "utf-8")

    def killer(self, module: str, mutant: Mutant) -> str | None:
        """The test that killed a mutant; None when it survived or is unknown."""
        scope = self.modules.get(module, {}).get(mutant.scope)
        return None if scope is None else scope.killers.get(mutant.name)

    def knows(self, module: str, mutant: Mutant, woven: Woven) -> bool:
        """Whether a mutant was judged, in a scope that has not changed since."""
        scope = self.modules.get(module, {}).get(mutant.scope)
        return (
            scope is not None
            and scope.digest == woven.digests[mutant.scope]
            and mutant.name in scope.killers
        )

    def update(self, woven: Mapping[str, Woven], outcomes: Mapping[Key, str | None]) -> None:
        """Take in new outcomes, and forget what is no more."""
        for module, each in woven.items():
            scopes: dict[str, Scope] = {}
            for mutant in each.mutants:
                scope = scopes.setdefault(mutant.scope, Scope(each.digests[mutant.scope]))
                key = (module, mutant.number)
                if key in outcomes:
                    scope.killers[mutant.name] = outcomes[key]
                elif self.knows(module, mutant, each):
                    scope.killers[mutant.name] = self.killer(module, mutant)
            known = {name: scope for name, scope in scopes.items() if scope.killers}
            if known:
                self.modules[module] = known


#: Module, scope and mutant.
Place = tuple[str, str, str]


def read_reasons(folder: Path) -> dict[Place, str]:
    """The mutants that no test can notice, each with its reason: one file per module."""
    return {
        (path.stem, scope, name): entry["reason"]
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["equivalent"]
        for scope, names in entry["mutants"].items()
        for name in names
    }


@dataclass(frozen=True)
class Count:
    """Mutants of all modules."""

    mutants: int
    killed: int
    excused: int
    faults: tuple[str, ...]


def counted(woven: Mapping[str, Woven], record: Record, reasons: Mapping[Place, str]) -> Count:
    """The gate: `faults` must be empty."""
    faults = []
    total = killed = excused = 0
    used = set()
    for module, each in woven.items():
        stale = sorted({m.scope for m in each.mutants if not record.knows(module, m, each)})
        if stale:
            faults.append(f"{module}: changed since the last campaign: {', '.join(stale)}")
        for mutant in each.mutants:
            total += 1
            place = (module, mutant.scope, mutant.name)
            if record.killer(module, mutant) is not None:
                killed += 1
            elif reasons.get(place, "").strip():
                excused += 1
                used.add(place)
            elif record.knows(module, mutant, each):
                faults.append(
                    f"{module}, line {mutant.line}, {mutant.scope}: {mutant.name} survives"
                )
    faults += [f"{', '.join(place)}: has a reason, and does not survive" for place in reasons
               if place not in used]  # fmt: skip
    return Count(total, killed, excused, tuple(faults))
