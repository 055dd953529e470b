"""Claims in few lines: hypotheses and evidence are told apart by their kind, names by blanks.

>>> from asura_verify.registry.claim import GAMMA
>>> made = claim(
...     "slug",
...     "Title",
...     "Section 1",
...     printed("it holds", GAMMA, theorems="first second"),
...     step("lemma", "so does this"),
...     sharper("more", "and this", GAMMA),
...     depends="other",
... )
>>> made.printed.theorems, made.printed.hypotheses == (GAMMA,), made.depends
(('first', 'second'), True, ('other',))
>>> [each.key for each in made.steps], [each.key for each in made.repaired]
(['lemma'], ['more'])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, TypeVar, Unpack

from asura.verdict import Verdict
from asura_verify.registry.claim import (
    Check,
    Claim,
    Computation,
    Counterexample,
    Demonstration,
    Range,
    Relation,
    Statement,
)

Support = Range | Check | Computation | Counterexample
T = TypeVar("T")


class Words(TypedDict, total=False):
    """What else a statement may say; see `Statement`."""

    conclusion: str
    proved_by: str
    helped_by: str
    theorems: str
    refutations: str
    citation: str
    defines: str
    unproved: bool


def _names(names: str) -> tuple[str, ...]:
    return tuple(names.split())


def _only(kind: type[T], support: Sequence[Support]) -> tuple[T, ...]:
    return tuple(item for item in support if isinstance(item, kind))


def _statement(
    key: str, text: str, relation: Relation | None, support: Sequence[Support], words: Words
) -> Statement:
    return Statement(
        key,
        text,
        conclusion=words.get("conclusion", ""),
        hypotheses=_only(Range, support),
        relation=relation,
        checks=_only(Check, support),
        computations=_only(Computation, support),
        counterexamples=_only(Counterexample, support),
        proved_by=_names(words.get("proved_by", "")),
        helped_by=_names(words.get("helped_by", "")),
        theorems=_names(words.get("theorems", "")),
        refutations=_names(words.get("refutations", "")),
        citation=words.get("citation", ""),
        defines=words.get("defines", ""),
        unproved=words.get("unproved", False),
    )


def printed(text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """The statement as the paper prints it, or as it is made beyond the paper."""
    return _statement("printed", text, None, support, words)


def step(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """A printed step to it."""
    return _statement(key, text, None, support, words)


def reading(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """The printed statement, as it must have been meant."""
    return _statement(key, text, Relation.READING, support, words)


def corrected(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """What is true instead."""
    return _statement(key, text, Relation.CORRECTED, support, words)


def sharper(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """A stronger statement that holds."""
    return _statement(key, text, Relation.SHARPER, support, words)


def open_question(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """A stronger statement that is open."""
    return _statement(key, text, Relation.OPEN, support, words)


def tempting(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """A form that suggests itself and is false; it says nothing about the claim."""
    return _statement(key, text, Relation.TEMPTING, support, words)


def dropped(key: str, text: str, *support: Support, **words: Unpack[Words]) -> Statement:
    """The same without one of its hypotheses, to see whether that is needed."""
    return _statement(key, text, Relation.DROPPED, support, words)


def demonstrated(refutes: Verdict, *lines: str) -> Demonstration:
    """A counterexample at work, its arithmetic line by line."""
    return Demonstration(refutes, lines)


def claim(
    slug: str,
    title: str,
    where: str,
    printed: Statement,
    *others: Statement,
    depends: str = "",
    borrows: str = "",
) -> Claim:
    """A claim; of its other statements those that mend nothing are steps."""
    return Claim(
        slug,
        title,
        where,
        printed,
        steps=tuple(each for each in others if each.relation is None),
        repaired=tuple(each for each in others if each.relation is not None),
        depends=_names(depends),
        borrows=_names(borrows),
    )
