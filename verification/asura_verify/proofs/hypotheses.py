"""The hypotheses of a statement, all of them, read from what Coq prints.

Coq prints a statement twice: with everything shown, where each hypothesis is `forall _ : P`, and in
the notations of Mathematical Components, where it is `P -> ...`. Both are read, and must agree in
number: a hypothesis that one of the readings loses is an error, not an omission.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = "([{", ")]}"
_BINDER = re.compile(r"\s*((?:[A-Za-z_][\w']*\s+)+):")
#: What extends to the end of the statement, so that an arrow inside it is not ours.
_CONCLUDING = re.compile(r"(?:exists2?|fun|match|if)\b")


class UnreadableStatement(ValueError):
    """A statement whose hypotheses cannot be told."""


@dataclass(frozen=True)
class Hypotheses:
    """What a statement is for all of, and what it assumes of it."""

    variables: tuple[str, ...]
    premises: tuple[str, ...]
    conclusion: str


def _top_level(text: str, sought: str) -> int:
    """The first place of a sign outside all brackets; -1 if there is none."""
    depth = 0
    for place, mark in enumerate(text):
        if mark in _OPEN:
            depth += 1
        elif mark in _CLOSE:
            depth -= 1
        elif depth == 0 and text.startswith(sought, place):
            return place
    return -1


def _closing(text: str) -> int:
    """The place of the bracket that closes the first one."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if depth == 0:
            return place
    raise UnreadableStatement(text)


def _binders(text: str) -> list[tuple[list[str], str]]:
    """The names and the type of each group of `(x y : T) (z : S)` or `x : T`."""
    text = text.strip()
    groups: list[tuple[list[str], str]] = []
    while text:
        end = _closing(text) if text[0] in _OPEN else len(text)
        inside = text[1:end] if text[0] in _OPEN else text
        match = _BINDER.match(inside)
        if match is None:
            raise UnreadableStatement(inside)
        groups.append((match[1].split(), inside[match.end() :].strip()))
        text = text[end + 1 :].lstrip()
    return groups


def _abbreviation(text: str) -> tuple[str, str]:
    """The abbreviation that a statement begins with, and what follows it."""
    end = _top_level(text, " in ")
    return text[len("let ") : end], text[end + len(" in ") :].strip()


def hypotheses(readable: str) -> Hypotheses:
    """Read a statement in the usual notations.

    >>> read = hypotheses("forall (R : rcfType) (a b : R), 0 < a -> forall n, a < b -> a < n")
    >>> read.premises
    ('0 < a', 'a < b')
    >>> read.variables
    ('R : rcfType', 'a b : R', 'n')
    >>> hypotheses("let g := a / 2 in g < 1 -> g < a")
    Hypotheses(variables=('g := a / 2',), premises=('g < 1',), conclusion='g < a')
    """
    variables: list[str] = []
    premises: list[str] = []
    text = " ".join(readable.split())
    while True:
        if text.startswith("let "):
            abbreviation, text = _abbreviation(text)
            variables.append(abbreviation)
            continue
        if text.startswith("forall "):
            end = _top_level(text, ",")
            bound = text[len("forall ") : end]
            if ":" in bound:
                variables += [f"{' '.join(names)} : {kind}" for names, kind in _binders(bound)]
            else:
                variables += bound.split()
            text = text[end + 1 :].strip()
            continue
        arrow = -1 if _CONCLUDING.match(text) else _top_level(text, " -> ")
        if arrow < 0:
            return Hypotheses(tuple(variables), tuple(premises), text)
        premises.append(text[:arrow].strip())
        text = text[arrow + len(" -> ") :].strip()


def count(elaborated: str) -> tuple[int, int]:
    """How many variables and how many hypotheses a statement has, everything shown.

    >>> count("forall (n m : nat) (_ : is_true (leq n m)) (_ : P n), @eq nat n m")
    (2, 2)
    """
    variables = premises = 0
    text = elaborated
    while text.startswith(("forall ", "let ")):
        if text.startswith("let "):
            text = _abbreviation(text)[1]
            continue
        end = _top_level(text, ",")
        for names, _ in _binders(text[len("forall ") : end]):
            premises += names.count("_")
            variables += len(names) - names.count("_")
        text = text[end + 1 :].strip()
    return variables, premises


def read(readable: str, elaborated: str) -> Hypotheses:
    """The hypotheses of a statement, when both of its printed forms agree on their number."""
    found = hypotheses(readable)
    bound = [each.partition(" :")[0] for each in found.variables if " := " not in each]
    variables = sum(len(names.split()) for names in bound)
    if (variables, len(found.premises)) != count(elaborated):
        raise UnreadableStatement(readable)
    return found
