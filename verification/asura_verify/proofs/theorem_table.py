"""The table of machine-checked theorems in proofs_notes/README.md, made from the record.

Which claim, which theorem, for what it holds, and everything that it assumes: the hypotheses are
those of the elaborated statement, every one of them, as Coq prints them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from asura_verify.places import NOTES
from asura_verify.proofs.record import Record, Theorem, pins_of

INDEX = NOTES / "README.md"
MARK = "<!-- theorems -->"
#: Values that the kernel computes, and that the tests compare with the program.
VALUES = "model"

#: What a reader might expect of a claim's theorems and does not find in them.
NOT_COVERED = {
    "sure-stop": "the limit n to infinity: runs longer than n have probability at most O(1/n)",
    "wald": "the printed first equality is refuted by a whole tree, not here",
    "lower-bound-opt": "the limit of infinitely many copies; exact for balanced noise instead",
    "optimal": "the limits in n and eta are not taken: every positive slack is",
    "packing": "the exponent is compared with rationals, without logarithms",
    "trace-identity": "rank-deficient X",
    "rr-ridge": "rank-deficient X at lambda = 0",
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
    file = f"identity-{slug[1:]}.md" if re.fullmatch("I[1-8]", slug) else f"{slug}.md"
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
        f"{len(shown)} theorems, stated in full, with every notion that they use, in "
        "[coq/Spec.v](coq/Spec.v): a reviewer reads that file and nothing else. What each assumes "
        "is read from the statement that Coq elaborated. Not listed: "
        f"{len(record.theorems) - len(shown)} values that the kernel computes, and that the tests "
        "compare with the program."
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
