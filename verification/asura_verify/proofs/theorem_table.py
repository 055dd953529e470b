"""The table of machine-checked theorems in proofs_notes/README.md, made from the record.

Which claim, which theorem, for what it holds, and everything that it assumes: the hypotheses are
those of the elaborated statement, every one of them, as Coq prints them.
"""

from __future__ import annotations

from collections.abc import Sequence

from asura_verify.proofs.places import NOTES
from asura_verify.proofs.record import Record, Theorem, pins_of

INDEX = NOTES / "README.md"
MARK = "<!-- theorems -->"
#: Values that the kernel computes, and that the tests compare with the program.
VALUES = "model"

#: What a reader might expect of a claim's theorems and does not find in them.
NOT_COVERED = {
    "sure-stop": "the limit n to infinity: runs longer than n have probability at most O(1/n)",
    "lower-bound-opt": "the limit of infinitely many copies; exact for balanced noise instead",
    "lower-bound": "learners toss finite dice: every toss has finitely many outcomes, of any "
    "probabilities; continuous randomness is not modelled",
    "optimal": "learners toss finite dice; the limits in n, N and delta are not taken",
    "packing": "the exponent is compared with rationals, without logarithms",
}


def listed(terms: Sequence[str]) -> str:
    r"""Terms as Coq prints them, each set as code, with nothing that would end a cell.

    >>> listed(["0 < g", "U : I -> R", "[seq x | x <- h]"])
    '`0 < g`, `U : I -> R`, `[seq x \\| x <- h]`'
    """
    return ", ".join("`{}`".format(term.replace("|", "\\|").replace("`", "'")) for term in terms)


def row(theorem: Theorem) -> str:
    """One line of the table."""
    slug = theorem.slug
    file = f"{slug}.md"
    note = f"[{slug}]({file})" if (NOTES / file).exists() else slug
    cells = (
        note,
        f"`{theorem.name}`",
        "yes" if theorem.closed else "**no**",
        listed(theorem.variables) or "-",
        listed(theorem.premises) or "nothing",
        NOT_COVERED.get(slug, ""),
    )
    return f"| {' | '.join(cells)} |"


def table(record: Record) -> str:
    """The table, in the order of the specification."""
    shown = [theorem for theorem in record.theorems if theorem.slug != VALUES]
    head = (
        f"{len(shown)} theorems, stated in full, with every notion that they use: those about the "
        "paper in [coq/Spec.v](coq/Spec.v), about the program and the checkers of traces in "
        "[coq/SpecModel.v](coq/SpecModel.v), beyond the paper in "
        "[coq/SpecBeyond.v](coq/SpecBeyond.v), about the other samplers in "
        "[coq/SpecField.v](coq/SpecField.v). A reviewer reads these, and no proof. What each "
        "assumes is read from the statement that Coq elaborated. Not listed: "
        f"{len(record.theorems) - len(shown)} values that the kernel computes, and that the tests "
        "compare with the program ([coq/SpecValues.v](coq/SpecValues.v), "
        "[coq/SpecKept.v](coq/SpecKept.v))."
    )
    return "\n".join(
        [
            head,
            "",
            f"The digest of the reviewed statements is `{pins_of(record).digest}`.",
            "",
            "| claim | theorem | closed | for all | it assumes | it does not cover |",
            "| --- | --- | --- | --- | --- | --- |",
            *(row(theorem) for theorem in shown),
            "",
        ]
    )


def updated(text: str, record: Record) -> str:
    """The index with the table below its mark."""
    head, mark, _ = text.partition(MARK)
    return f"{head}{mark}\n\n{table(record)}"
