"""Coq text as Coq's own lexer cuts it: comments, strings, sentences.

Everything that is said about the text of a development rests on this one reading. Where it is
unsure it cuts a sentence too often, never too seldom, so that no command hides inside another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_']*"
_WORD = re.compile(IDENTIFIER)


class UnfinishedText(ValueError):
    """A comment or a string that is never closed."""


@dataclass(frozen=True)
class Sentence:
    """One command without its full stop, and the comments that stand directly above it."""

    text: str
    above: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """Every identifier, in order; a string has none."""
        return _WORD.findall(self.text)


def _comment_end(text: str, start: int) -> int:
    """The place after a comment; comments nest, and strings inside them hide their ends."""
    depth, place = 0, start
    while place < len(text):
        pair = text[place : place + 2]
        if pair == "(*":
            depth, place = depth + 1, place + 2
        elif pair == "*)":
            depth, place = depth - 1, place + 2
            if depth == 0:
                return place
        elif text[place] == '"':
            place = _string_end(text, place)
        else:
            place += 1
    raise UnfinishedText("a comment is not closed")


def _string_end(text: str, start: int) -> int:
    """The place after a string; two quotes inside it are one."""
    place = text.find('"', start + 1)
    while text[place : place + 2] == '""':
        place = text.find('"', place + 2)
    if place < 0:
        raise UnfinishedText("a string is not closed")
    return place + 1


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The text cut into comments, strings, and single characters of code."""
    place = 0
    while place < len(text):
        if text.startswith("(*", place):
            end, kind = _comment_end(text, place), "comment"
        elif text[place] == '"':
            end, kind = _string_end(text, place), "string"
        else:
            end, kind = place + 1, "code"
        yield kind, text[place:end]
        place = end


def sentences(text: str) -> list[Sentence]:
    """The commands of a file, each without comments and with its strings emptied.

    >>> [each.text for each in sentences('Lemma a (* . Qed. *) : b.c. Print "x. y".')]
    ['Lemma a : b.c', 'Print ""']
    >>> sentences("(* slug: s *) Parameter p : True.")[0].above
    ('(* slug: s *)',)
    """
    found: list[Sentence] = []
    code: list[str] = []
    above: list[str] = []
    pieces = [*_pieces(text), ("code", " ")]
    for (kind, piece), (after, following) in zip(pieces, [*pieces[1:], ("code", " ")], strict=True):
        if kind == "comment":
            if "".join(code).strip():
                code.append(" ")
            else:
                above.append(piece)
        elif kind == "string":
            code.append('""')
        elif piece == "." and (after != "code" or following.isspace()):
            found.append(Sentence(" ".join("".join(code).split()), tuple(above)))
            code, above = [], []
        else:
            code.append(piece)
    rest = " ".join("".join(code).split())
    return [*found, Sentence(rest, tuple(above))] if rest else found


def text_sha256(text: str) -> str:
    """The hash of the sentences alone: comments and layout do not count."""
    return hashlib.sha256("\n".join(each.text for each in sentences(text)).encode()).hexdigest()
