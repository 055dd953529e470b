"""The small mistakes: what one node of a syntax tree may be replaced by.

Text for people is left alone (f-strings, docstrings, arguments of `raise`), and so is what the
type checker alone reads (annotations, protocols); words that programs compare (`"stopping"`) are
not.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_NAMES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
    "lower": "upper",
    "upper": "lower",
    "minimum": "maximum",
    "maximum": "minimum",
}
_WORD = re.compile(r"[a-z][a-z0-9_-]*\Z")


def _constant(value: object) -> bool | int | float | str | None:
    """Another constant; small numbers move by one, larger ones double."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if abs(value) <= 4 else 2 * value
    if isinstance(value, float):
        return 2 * value if value else 1.0
    if isinstance(value, str) and _WORD.match(value):
        return "x" + value
    return None


def expressions(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression may be replaced by."""
    match node:
        case ast.Constant(value=value):
            other = _constant(value)
            if other is not None:
                yield ast.Constant(other)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for place, op in enumerate(ops):
                for other_op in _COMPARISONS[type(op)]:
                    changed = [*ops[:place], other_op(), *ops[place + 1 :]]
                    yield ast.Compare(left, changed, comparators)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield operand
        case ast.Call(func=ast.Name(id="abs"), args=[argument]):
            yield argument
        case ast.Call(func=ast.Name(id=name) as callee) if name in _NAMES:
            changed_call = copy.copy(node)
            changed_call.func = ast.Name(_NAMES[name], callee.ctx)
            yield changed_call
        case ast.Call(func=ast.Attribute(attr=name) as callee) if name in _NAMES:
            changed_call = copy.copy(node)
            changed_call.func = ast.Attribute(callee.value, _NAMES[name], callee.ctx)
            yield changed_call
        case _:
            return


def conditions(node: ast.expr) -> Iterator[ast.expr]:
    """The negation of a condition that has no operator of its own to change."""
    if not isinstance(node, ast.Compare | ast.BoolOp | ast.Constant) and not (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    ):
        yield ast.UnaryOp(ast.Not(), node)


def statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """What a statement may be replaced by: nothing, or another operation."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            yield ast.Pass()
            if type(op) in _ARITHMETIC:
                yield ast.AugAssign(target, _ARITHMETIC[type(op)](), value)
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Return(value=None):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case _:
            return
