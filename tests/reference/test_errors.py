"""Every named error of the reference carries what the caller gave."""

import ast
from collections.abc import Iterator
from pathlib import Path

import asura
from asura import errors

HOME = Path(asura.__file__).parent
#: Here no single value is at fault: there are no points, all are zero, or a state is out of order.
NOTHING_TO_SHOW = {"BarrierCrossed", "EmptyData", "RankZero"}
NAMED = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.AsuraError)
} - NOTHING_TO_SHOW


def without_value(text: str) -> Iterator[int]:
    """The lines that raise a named error and leave out its value."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            kind = node.exc.func
            name = kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")
            if name in NAMED and "value" not in {each.arg for each in node.exc.keywords}:
                yield node.lineno


def test_every_error_carries_its_value() -> None:
    found = {
        path.relative_to(HOME).as_posix(): lines
        for path in HOME.rglob("*.py")
        if (lines := list(without_value(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_a_forgotten_value_is_seen() -> None:
    text = "raise NotAScalar('x')\nraise errors.NotAScalar('x')\nraise NotAScalar('x', value=1)"
    assert list(without_value(text)) == [1, 2]
