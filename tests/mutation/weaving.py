"""All mutants of a module in one: each sits behind a switch that is off.

`a < b` becomes `(a <= b if __mutant__ == 7 else a < b)`, so that a module is imported once, and
a forked process turns on one mutant by setting one global. A recorder in place of that number
learns which mutants a test reaches at all.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from tests.mutation.operators import conditions, expressions, statements

#: The switch, a global of every woven module.
SWITCH = "__mutant__"
#: The scope of everything outside classes and functions.
OUTSIDE = "(module)"

_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change; scope and name stay the same when lines move."""

    number: int
    scope: str
    name: str
    line: int


@dataclass(frozen=True)
class Woven:
    """A module with all its mutants."""

    tree: ast.Module
    mutants: tuple[Mutant, ...]
    digests: dict[str, str]  # of the text of each scope that has mutants, without docstrings


def weave(source: str) -> Woven:
    """Put every mutant of a module behind its switch.

    >>> woven = weave("def less(a, b): return a < b")
    >>> [mutant.name for mutant in woven.mutants]
    ['a < b -> a <= b', 'a < b -> a >= b']
    >>> print(ast.unparse(woven.tree.body[0].body[0]))
    return a <= b if __mutant__ == 1 else a >= b if __mutant__ == 2 else a < b
    """
    weaver = _Weaver()
    tree = weaver.visit_Module(ast.parse(source))
    scopes = {mutant.scope for mutant in weaver.mutants}
    digests = {scope: digest for scope, digest in weaver.digests.items() if scope in scopes}
    return Woven(ast.fix_missing_locations(tree), tuple(weaver.mutants), digests)


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())
    return text if len(text) <= 72 else f"{text[:52]}...{text[-16:]}"


def _documented(body: Sequence[ast.stmt]) -> int:
    """How many of the first statements are a docstring."""
    first = body[0] if body else None
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


#: What a digest of a class or module leaves out.
_ELSEWHERE = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def _typed(node: ast.AST) -> bool:
    """Whether only the type checker sees a statement."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


#: What the type checker alone reads, and what stands in its place in a digest.
_TYPES: dict[type[ast.AST], tuple[str, ast.Constant | None]] = {
    ast.arg: ("annotation", None),
    ast.AnnAssign: ("annotation", ast.Constant(None)),
    ast.FunctionDef: ("returns", None),
}


def _untyped(node: _Node) -> _Node:
    """A copy without annotations: nothing that runs reads them."""
    bare = copy.deepcopy(node)
    for child in ast.walk(bare):
        if type(child) in _TYPES:
            name, instead = _TYPES[type(child)]
            vars(child)[name] = instead
    return bare


def _digest(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """A function with everything in it; a class or module without its functions.

    Imports and annotations are left out: where a name comes from, and what the type checker alone
    reads, changes no mutant.
    """
    node = _untyped(node)
    body = node.body[_documented(node.body) :]
    if not isinstance(node, ast.FunctionDef):
        body = [child for child in body if not isinstance(child, _ELSEWHERE) and not _typed(child)]
    parts = [ast.dump(child) for child in body]
    if isinstance(node, ast.FunctionDef):
        parts.append(ast.dump(node.args))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


class _Weaver(ast.NodeTransformer):
    """Visits what runs; annotations, decorators and text for people are passed over."""

    def __init__(self) -> None:
        self.mutants: list[Mutant] = []
        self.digests: dict[str, str] = {}
        self._scopes: list[str] = []
        self._around: list[ast.AST] = []  # the nodes that a node is part of
        self._seen: Counter[tuple[str, str]] = Counter()

    def _switch(self, before: ast.AST, after: ast.AST) -> ast.expr:
        """The condition under which a new mutant is on."""
        scope = ".".join(self._scopes) or OUTSIDE
        name = f"{_text(before)} -> {_text(after)}"
        if isinstance(before, ast.Constant) and self._around:
            name += f" in {_text(self._around[-1])}"
        self._seen[scope, name] += 1
        repeated = self._seen[scope, name]
        if repeated > 1:
            name += f" ({repeated})"
        number = len(self.mutants) + 1
        self.mutants.append(Mutant(number, scope, name, getattr(before, "lineno", 0)))
        return ast.Compare(ast.Name(SWITCH, ast.Load()), [ast.Eq()], [ast.Constant(number)])

    def _woven(self, node: _Node) -> _Node:
        return cast("_Node", self.visit(node))

    def _all(self, nodes: Sequence[_Node]) -> list[_Node]:
        return [self._woven(node) for node in nodes]

    def visit(self, node: ast.AST) -> ast.AST:
        """Weave an expression or a statement, unless its kind has a rule of its own."""
        if f"visit_{type(node).__name__}" in vars(_Weaver):
            return cast("ast.AST", super().visit(node))
        if isinstance(node, ast.expr):
            return self._choice(node, expressions(copy.deepcopy(node)))
        if isinstance(node, ast.stmt):
            return self._alternative(node)
        return self.generic_visit(node)

    def _inside(self, node: ast.AST) -> ast.AST:
        self._around.append(copy.deepcopy(node))
        woven = self.generic_visit(node)
        self._around.pop()
        return woven

    def _choice(self, node: ast.expr, others: Iterator[ast.expr]) -> ast.expr:
        alternatives = [(self._switch(node, other), other) for other in others]
        chosen = cast("ast.expr", self._inside(node))
        for switch, other in reversed(alternatives):
            chosen = ast.copy_location(ast.IfExp(switch, other, chosen), node)
        return chosen

    def _condition(self, test: ast.expr) -> ast.expr:
        negations = [
            (self._switch(test, other), other) for other in conditions(copy.deepcopy(test))
        ]
        woven = self._woven(test)
        for switch, other in negations:
            woven = ast.copy_location(ast.IfExp(switch, other, woven), test)
        return woven

    def _alternative(self, node: ast.stmt) -> ast.stmt:
        alternatives = [
            (self._switch(node, other), other) for other in statements(copy.deepcopy(node))
        ]
        woven = node if isinstance(node, ast.Raise) else cast("ast.stmt", self._inside(node))
        for switch, other in reversed(alternatives):
            woven = ast.copy_location(ast.If(switch, [other], [woven]), node)
        return woven

    def _scope(self, name: str, node: ast.Module | ast.ClassDef | ast.FunctionDef) -> None:
        if name:
            self._scopes.append(name)
        self.digests[".".join(self._scopes) or OUTSIDE] = _digest(node)
        first = _documented(node.body)
        node.body[first:] = self._all(node.body[first:])
        if name:
            self._scopes.pop()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Everything but the docstring."""
        self._scope("", node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """The body alone; a protocol declares, and nothing in it runs."""
        if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            return node
        self._scope(node.name, node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The body and the default values."""
        node.args.defaults = self._all(node.args.defaults)
        node.args.kw_defaults = [
            None if value is None else self._woven(value) for value in node.args.kw_defaults
        ]
        self._scope(node.name, node)
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        """A condition is negated; what only the type checker sees is left alone."""
        if _typed(node):
            return node
        node.test = self._condition(node.test)
        node.body, node.orelse = self._all(node.body), self._all(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        """A condition is negated."""
        node.test = self._condition(node.test)
        node.body = self._all(node.body)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        """A condition is negated."""
        node.test = self._condition(node.test)
        node.body, node.orelse = self._woven(node.body), self._woven(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Filters are conditions."""
        node.iter = self._woven(node.iter)
        node.ifs = [self._condition(test) for test in node.ifs]
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        """A pattern has no place for a switch."""
        if node.guard is not None:
            node.guard = self._condition(node.guard)
        node.body = self._all(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        """The value, not its type."""
        if node.value is not None:
            node.value = self._woven(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """`__all__` and its like are declarations."""
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id.startswith("__"):
            return node
        return self._alternative(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`Literal["..."]` is read by the type checker alone."""
        if isinstance(node.value, ast.Name) and node.value.id == "Literal":
            return node
        return self._inside(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """`strict=` of zip is a safety net, not a behaviour."""
        return node if node.arg == "strict" else self._inside(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        """Text for people."""
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        """Nothing to change."""
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """Nothing to change."""
        return node
