"""Write the table of machine-checked theorems into proofs_notes/README.md.

From the record of the build and the statements in the audit files: which claim, which theorem,
whether it is closed, and what it assumes, read off its statement.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NOTES = ROOT / "proofs_notes"
MARK = "<!-- theorems -->"

#: Hypotheses as they stand in the audit files, and in words; the first that matches is said.
WORDS = (
    (r"archimedean_axiom|archiFieldType|Num\.Def\.archi", "archimedean"),
    (r": rcfType", "real closed field"),
    (r": realFieldType", "any real field"),
    (r": fieldType", "any field"),
    (r"\(0 < d\)%N|0 < d\)%N", "d >= 1"),
    (r"\\sum_x U x \*m \(U x\)\^T = 1%:M", "orthonormal rows"),
    (r"whitens X P|whitens", "any whitening of X"),
    (r"gram X \\in unitmx|\\in unitmx", "an invertible Gram matrix"),
    (r"2%:R \* g < 1", "0 < gamma < 1/2"),
    (r"4%:R \* g < 1", "gamma < 1/4"),
    (r"pd \(\(up s\)%:M - acc s\)", "any state strictly between its barriers"),
    (r"psd M\b", "M semidefinite"),
    (r"0 < lambda", "lambda > 0"),
    (r"0 <= lambda", "lambda >= 0"),
    (r"Exp U|Pr U|Tend U|Tsum U|Exp \(|Pr \(", "runs cut after any number n of draws"),
)

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


def statements() -> dict[str, str]:
    """The text of every theorem of the audit files, up to its proof."""
    found: dict[str, str] = {}
    pattern = re.compile(
        r"^(?:Theorem|Lemma|Corollary)\s+([\w']+)(.*?)^Proof", re.MULTILINE | re.DOTALL
    )
    for path in [*sorted((NOTES / "coq" / "Audit").glob("Audit*.v")), NOTES / "coq" / "Model" / "Computed.v"]:
        found.update(pattern.findall(path.read_text(encoding="utf-8")))
    return found


def assumptions(statement: str) -> str:
    """The recognised hypotheses of a statement, in words."""
    if re.search(r"~ ?\(|exists", statement) and "->" not in re.split("~|exists", statement)[0]:
        return "nothing: an instance shows it"
    return ", ".join(words for form, words in WORDS if re.search(form, statement)) or "nothing"


def table() -> str:
    """The table, sorted as the audit files are."""
    record = json.loads((NOTES / "coq" / "result.json").read_text(encoding="utf-8"))
    texts = statements()
    lines = [
        (
            f"{len(record['theorems'])} theorems, restated in full in the audit files of "
            "[coq/](coq/README.md). "
            "Assumptions are read off the statements. Not listed: the definitions, shown by "
            "unfolding, and the values that the kernel computes and the tests compare with the "
            "program (`Computed.v`)."
        ),
        "",
        "| claim | theorem | closed | it assumes | it does not cover |",
        "| --- | --- | --- | --- | --- |",
    ]
    for theorem in record["theorems"]:
        slug, name = theorem["slug"], theorem["name"]
        if slug in {"definitions", "model"}:
            continue
        file = f"identity-{slug[1:]}.md" if re.fullmatch("I[1-8]", slug) else f"{slug}.md"
        note = f"[{slug}]({file})" if (NOTES / file).exists() else slug
        closed = "yes" if theorem["closed"] else "**no**"
        words = assumptions(texts[name])
        lines.append(f"| {note} | `{name}` | {closed} | {words} | {NOT_COVERED.get(slug, '')} |")
    return "\n".join(lines) + "\n"


def updated(text: str) -> str:
    """The index with the table below its mark."""
    head, mark, _ = text.partition(MARK)
    return f"{head}{mark}\n\n{table()}"


if __name__ == "__main__":
    index = NOTES / "README.md"
    index.write_text(updated(index.read_text(encoding="utf-8")), encoding="utf-8")
