"""Every named error carries what the caller gave."""

import ast
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import asura
import asura_verify
from asura.errors import AsuraError

#: Here no single value is at fault: there are no points, all are zero, or a state is out of order.
NOTHING_TO_SHOW = {"BarrierCrossed", "EmptyData", "RankZero"}


def kinds(base: type[AsuraError]) -> Iterator[type[AsuraError]]:
    """An error and all that are made from it."""
    yield base
    for kind in base.__subclasses__():
        yield from kinds(kind)


@pytest.fixture(scope="module")
def named() -> frozenset[str]:
    """The names of all errors, once every module is imported."""
    for package in (asura, asura_verify):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    return frozenset(kind.__name__ for kind in kinds(AsuraError)) - NOTHING_TO_SHOW


def without_value(text: str, named: frozenset[str]) -> Iterator[int]:
    """The lines that make a named error and leave out its value."""
    nodes = list(ast.walk(ast.parse(text)))
    foreign = {  # rich, too, has a TextColumn
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("asura")
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call):
            kind = node.func
            name = kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")
            if name in named - foreign and "value" not in {each.arg for each in node.keywords}:
                yield node.lineno


@pytest.mark.parametrize("package", [asura, asura_verify])
def test_every_error_carries_its_value(package: object, named: frozenset[str]) -> None:
    home = Path(str(getattr(package, "__file__", ""))).parent
    found = {
        path.relative_to(home).as_posix(): lines
        for path in home.rglob("*.py")
        if (lines := list(without_value(path.read_text(encoding="utf-8"), named)))
    }
    assert found == {}


def test_a_forgotten_value_is_seen(named: frozenset[str]) -> None:
    lines = [
        "raise NotAScalar('x')",
        "raise errors.NotAScalar('x')",
        "raise NotAScalar('x', value=1)",
        "return Crashed('an error of a room, made before it is raised')",
        "raise ValueError('not one of ours')",
    ]
    assert list(without_value("\n".join(lines), named)) == [1, 2, 4]
