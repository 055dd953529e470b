"""Every kind of mutant, and that a woven module with all switches off is the module itself."""

import ast
from pathlib import Path

import pytest

from tests.mutation.targets import TARGETS, source_of
from tests.mutation.weaving import SWITCH, weave


def names(source: str) -> list[str]:
    return [mutant.name for mutant in weave(source).mutants]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a <= b < c", ["a <= b < c -> a < b < c", "a <= b < c -> a > b < c",
                            "a <= b < c -> a <= b <= c", "a <= b < c -> a <= b >= c"]),
        ("x = a == b", ["a == b -> a != b"]),
        ("x = a is None", ["a is None -> a is not None"]),
        ("x = a in b", ["a in b -> a not in b"]),
        ("x = a + b", ["a + b -> a - b"]),
        ("x = a // b", ["a // b -> a * b"]),
        ("x = a and b", ["a and b -> a or b"]),
        ("x = -a", ["-a -> a"]),
        ("x = not a", ["not a -> a"]),
        ("x = 2", ["2 -> 3 in x = 2"]),
        ("x = 64", ["64 -> 128 in x = 64"]),
        ("x = 0.5", ["0.5 -> 1.0 in x = 0.5"]),
        ("x = True", ["True -> False in x = True"]),
        ("x = 'word'", ["'word' -> 'xword' in x = 'word'"]),
        ("x = 'A sentence.'", []),
        ("x = f'{a + b}'", []),
        ("x = max(a, b)", ["max(a, b) -> min(a, b)"]),
        ("x = a.upper()", ["a.upper() -> a.lower()"]),
        ("x = abs(a)", ["abs(a) -> a"]),
        ("x += a", ["x += a -> pass", "x += a -> x -= a"]),
        ("f(a)", ["f(a) -> pass"]),
        ("a.b = c", ["a.b = c -> pass"]),
        ("raise E('word')", ["raise E('word') -> pass"]),
        ("if a: pass", ["a -> not a"]),
        ("while a: pass", ["a -> not a"]),
        ("x = a if b else c", ["b -> not b"]),
        ("x = [a for a in b if c]", ["c -> not c"]),
        ("x: Literal['word'] = a", []),
        ("X = Literal['word']", []),
        ("x = zip(a, b, strict=True)", []),
        ("if TYPE_CHECKING:\n    x = 1", []),
        ("for a in b:\n    continue", ["continue -> pass"]),
        ("def f(a=1):\n    'text'\n    return", ["1 -> 2", "return -> pass"]),
        ("class P(Protocol):\n    def f(self, a=1): ...", []),
        ("x = (1, 1)", ["1 -> 2 in (1, 1)", "1 -> 2 in (1, 1) (2)"]),
    ],
)  # fmt: skip
def test_kinds_of_mutants(source: str, expected: list[str]) -> None:
    assert names(source) == expected


def test_a_switch_turns_on_its_own_mutant() -> None:
    woven = weave("def f(a, b):\n    c = a + b\n    c *= 2\n    return c if c > 10 else -c")
    results = {}
    for number in range(len(woven.mutants) + 1):
        scope: dict[str, object] = {SWITCH: number}
        exec(compile(woven.tree, "woven", "exec"), scope)  # noqa: S102
        results[number] = scope["f"](4, 1)  # type: ignore[operator]
    changed = {m.name: results[m.number] for m in woven.mutants}
    assert results[0] == -10
    assert changed == {
        "a + b -> a - b": -6,
        "c *= 2 -> pass": -5,
        "c *= 2 -> c /= 2": -2.5,
        "2 -> 3 in c *= 2": 15,
        "c > 10 -> c >= 10": 10,
        "c > 10 -> c <= 10": 10,
        "10 -> 20 in c > 10": -10,
        "-c -> c": 10,
    }


def test_scopes_and_digests_follow_the_text_but_not_the_lines() -> None:
    source = "N = 1\nclass C:\n    def f(self):\n        'Doc.'\n        return 1 + 1\n"
    woven = weave(source)
    assert {mutant.scope for mutant in woven.mutants} == {"(module)", "C.f"}
    moved = weave("\n\n" + source.replace("'Doc.'", "'Another.'"))
    assert moved.digests == woven.digests
    imported = "from a import b\nif TYPE_CHECKING:\n    import c\n" + source
    assert weave(imported).digests == woven.digests
    typed = source.replace("f(self)", "f(self: C) -> int").replace("return", "x: int = 1; return")
    retyped = typed.replace("int", "float").replace("self: C", "self: D")
    assert weave(typed).digests == weave(retyped).digests
    assert weave(source.replace("1 + 1", "1 + 2")).digests["C.f"] != woven.digests["C.f"]


@pytest.mark.parametrize("module", TARGETS)
def test_names_are_unique_and_the_woven_text_compiles(module: str) -> None:
    path: Path = source_of(module)
    woven = weave(path.read_text("utf-8"))
    places = [(mutant.scope, mutant.name) for mutant in woven.mutants]
    assert len(set(places)) == len(places)
    compile(woven.tree, str(path), "exec")
    assert ast.get_docstring(woven.tree) == ast.get_docstring(ast.parse(path.read_text("utf-8")))
