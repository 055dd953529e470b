"""What the text of a development may not contain.

Most of it would be found by the kernel as well: an axiom by `Print Assumptions`, a decoy by the
type. These rules forbid what the kernel is not asked about (other files, flags, plugins) and keep
the specification readable: only sentences whose meaning stands in the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from asura_verify.proofs.coq_sources import ROOT, Sources, files_refused, options_refused
from asura_verify.proofs.coq_text import IDENTIFIER, Sentence, UnfinishedText

UNPROVED = re.compile(
    "Admitted|[Aa]dmit|Abort|give_up|bypass_check|Checking|Axioms?|Conjectures?|Parameters?|Declare"
    "|Primitive|Symbols?"
)
#: What reads or writes other files, runs other programs, or takes earlier sentences back.
ELSEWHERE = re.compile(
    "Load|LoadPath|Cd|Drop|Redirect|Extraction|Extract|Register|Elpi|Reset|Back|BackTo"
    "|native_compute|Universes"
)
IN_SECTIONS = frozenset(["Variable", "Variables", "Hypothesis", "Hypotheses", "Context"])
SETTINGS = frozenset(
    ("Set Implicit Arguments", "Unset Strict Implicit", "Unset Printing Implicit Defensive")
)
ATTRIBUTES = frozenset(("local", "global", "export"))

_NAMES = rf"{IDENTIFIER}(?:\.{IDENTIFIER})*"
_PREFIX = re.compile(
    r"(?:(?:Local|Global|Export|Polymorphic|Monomorphic|Time|Fail|Succeed|Timeout \d+|#\[[^\]]*\]"
    r"|[-+*{}]+|\d+ ?:|all ?:)\s*)*"
)
_REQUIRE = re.compile(
    rf"From ({_NAMES}) Require(?: (?:Import|Export))?((?: {_NAMES})+)"
)  # the only form that says from where
_SCOPE = re.compile(rf"(?:Local )?Open Scope {IDENTIFIER}")
_SPECIFICATION = (
    _REQUIRE,
    re.compile(rf"Import(?: {_NAMES})+"),
    _SCOPE,
    re.compile("|".join(sorted(SETTINGS))),
    re.compile(rf"(?:Section|End|Module Type) {IDENTIFIER}"),
    re.compile(r"(?:Variables?|Implicit Types?|Parameter) [^\"]+"),
    re.compile(r"(?:Definition|Fixpoint|Inductive|Variant|Record) [^\"]+"),
    re.compile(rf"Arguments {IDENTIFIER}(?: \{{?{IDENTIFIER}\}}?)*(?: : clear implicits)?"),
)
#: A field, a constructor, a variable or a parameter declared with :>, which is no cast `= :> R`.
_COERCION = re.compile(r"(?:Record|Inductive|Variant|Variables?) .*:>|Parameter [\w' ]+:>")
CLAIMED = re.compile(r"Spec(?:[A-Z]\w*)?\.v")
"""The specification: Spec.v, SpecValues.v and the like, beside the project file."""

Refusal = Callable[[Sources], Iterable[str]]


def specifications(sources: Sources) -> list[str]:
    """The files that state the results, in the order of the project."""
    return [name for name in sources.listed if CLAIMED.fullmatch(name)]


def required(sentence: Sentence) -> tuple[str, list[str]] | None:
    """From where a sentence requires which modules; None if it is another sentence.

    >>> required(Sentence("From mathcomp Require Import all_ssreflect all_algebra"))
    ('mathcomp', ['all_ssreflect', 'all_algebra'])
    """
    match = _REQUIRE.fullmatch(sentence.text)
    return (match[1], match[2].split()) if match else None


def without_prefixes(sentence: str) -> str:
    """A command without what may stand before it.

    >>> without_prefixes("#[local] Time Set Universe Polymorphism")
    'Set Universe Polymorphism'
    """
    return _PREFIX.sub("", sentence, count=1)


def unreadable(sources: Sources) -> Iterator[str]:
    """Text that shows itself to a reader otherwise than to Coq."""
    for name, text in sources.files.items():
        odd = sorted({mark for mark in text if not (" " <= mark <= "~" or mark in "\n\t")})
        if odd:
            yield f"{name}: the character {ascii(odd[0])[1:-1]}; expected ASCII"


def words_refused(sources: Sources) -> Iterator[str]:
    """A word that lets a statement pass unproved, or that reaches out of the sources."""
    claimed = specifications(sources)
    for name, commands in sources.sentences.items():
        for command in commands:
            words = set(command.words)
            if name in claimed and command.text.startswith("Parameter "):
                words.discard("Parameter")
            for word in sorted(words):
                if UNPROVED.fullmatch(word):
                    yield f"{name}: the word {word} would let a statement pass unproved"
                if ELSEWHERE.fullmatch(word):
                    yield f"{name}: the word {word} would reach out of the hashed sources"


def settings_refused(sources: Sources) -> Iterator[str]:
    """An option or an attribute other than the customary ones."""
    for name, commands in sources.sentences.items():
        for command in commands:
            for attribute in re.findall(r"#\[([^\]]*)\]", command.text):
                if attribute.strip() not in ATTRIBUTES:
                    yield f"{name}: the attribute {attribute}"
            text = without_prefixes(command.text)
            if text.split(" ")[0] in {"Set", "Unset", "Add", "Remove"} and text not in SETTINGS:
                yield f"{name}: the setting {text!r}"


def requires_refused(sources: Sources) -> Iterator[str]:
    """A library that is neither Coq's, nor of Mathematical Components, nor ours."""
    claimed = {name.removesuffix(".v") for name in specifications(sources)}
    for name, commands in sources.sentences.items():
        for command in commands:
            if "Require" not in command.words:
                continue
            origin = required(command)
            if origin is None:
                yield f"{name}: {command.text!r}; expected From ... Require ..."
            elif origin[0].split(".")[0] not in {"Coq", "mathcomp", ROOT}:
                yield f"{name}: a library of {origin[0]}; expected Coq, mathcomp or {ROOT}"
            elif (
                name.removesuffix(".v") in claimed
                and origin[0].split(".")[0] == ROOT
                and not claimed.issuperset(origin[1])
            ):
                yield f"{name}: a specification requires no proofs: {command.text!r}"


def assumptions_refused(sources: Sources) -> Iterator[str]:
    """A variable or a hypothesis outside a section is an axiom."""
    for name, commands in sources.sentences.items():
        opened: list[str] = []
        for command in commands:
            text = without_prefixes(command.text)
            head = text.split(" ")[0]
            if head == "Section" or (head == "Module" and ":=" not in text):
                opened.append(head)
            elif head == "End" and opened:
                opened.pop()
            elif head in IN_SECTIONS and "Section" not in opened:
                yield f"{name}: {head} outside a section is an axiom"


def specification_refused(sources: Sources) -> Iterator[str]:
    """A sentence of the specification that changes how later ones are read."""
    for name in specifications(sources):
        for command in sources.sentences.get(name, []):
            if not any(form.fullmatch(command.text) for form in _SPECIFICATION):
                yield f"{name}: no such sentence in a specification: {command.text[:60]!r}"
            elif "ltac" in command.words:
                yield f"{name}: a tactic inside a term: {command.text[:60]!r}"
            elif _COERCION.match(command.text):
                yield f"{name}: a coercion: {command.text[:60]!r}"


REFUSALS: dict[str, Refusal] = {
    "files": files_refused,
    "options": options_refused,
    "characters": unreadable,
    "words": words_refused,
    "settings": settings_refused,
    "requires": requires_refused,
    "assumptions": assumptions_refused,
    "specification": specification_refused,
}


def refusals(sources: Sources, rules: dict[str, Refusal] = REFUSALS) -> list[str]:
    """Every reason not to compile these sources."""
    try:
        return [reason for rule in rules.values() for reason in rule(sources)]
    except UnfinishedText as error:
        return [str(error)]
