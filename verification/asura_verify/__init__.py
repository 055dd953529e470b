"""Verdicts: on the traces of any implementation of ASURA, and on the claims of its paper.

>>> import asura, asura_verify as verify
>>> run = asura.sample(asura.data([[1], [2]]), gamma="1/4")
>>> verify.check(asura.trace_lines(run)).verdict     # or the name of a file
<Ruling.CONFORMS: 'conforms'>
>>> verify.claims["stop-text"]
Claim(stop-text: The stopping criterion in the text, 2 statements)
>>> verify.audit(["stop-text"])["stop-text"].printed
StatementRuling('misprint', machine-checked)
>>> from asura_verify.implementations.examples.harness import lines
>>> verify.conform(lines, only=["random"], random=5)     # or the words of a command
Conformance(5 of 5 cases conform)

Nothing is imported before it is used: the solvers, for instance, when a claim needs one. Behind
these four names stand the rooms of the package, each of which imports only those below it: README
lists them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from asura.lazily import lazily

if TYPE_CHECKING:
    from asura_verify.claims import Claims
    from asura_verify.front_door import audit, check, conform

    claims: Claims

__all__ = ["audit", "check", "claims", "conform"]

_get, __dir__ = lazily(
    __name__, dict.fromkeys(("audit", "check", "conform"), "asura_verify.front_door")
)


def __getattr__(name: str) -> object:
    if name == "claims":  # the room of the claims is itself their collection
        return import_module("asura_verify.claims")
    return _get(name)
