"""Regenerate the page: `python -m asura_verify.implementations [INSTANCES [RUNS [DRAWS]]]`.

`python -m asura_verify.implementations sampling [DRAWS]` prints its section on picks alone, that of
`streams` the table of dependent uniforms, and
`python -m asura_verify.implementations variants [INSTANCES [RUNS]]` that on K1 and K2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from asura_verify.implementations.exhibits import NAMELESS
from asura_verify.implementations.faint import faint_page, hidden_page
from asura_verify.implementations.kept_survey import kept_page
from asura_verify.implementations.sampling import SEEDS, sampling_page
from asura_verify.implementations.streams import stream_table
from asura_verify.implementations.survey import survey_correct, survey_wrong, table

#: Instances of every mistake in K1 and K2, and seeds of the correct runs.
KEPT = (3, 12)


@contextmanager
def complaints_apart() -> Iterator[None]:
    """LAPACK says on standard output what it thinks of a mistake's matrices: not on the page."""
    sys.stdout.flush()
    page_goes_to = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(page_goes_to, 1)
        os.close(page_goes_to)


def page(instances: int, runs: int, draws: int) -> str:
    """The table of mistakes, and the correct implementations."""
    rows = survey_wrong(range(instances))
    count, accused, worst = survey_correct(range(runs))
    differing, caught = sum(r.differing for r in rows), sum(r.caught for r in rows)
    named = sum(r.named["first"] + r.named["tied"] for r in rows)
    lines = [
        "# The museum: what `asura check` sees in wrong and in correct implementations",
        "",
        (
            f"Made by `python -m asura_verify.implementations {instances} {runs} {draws}`; "
            "deterministic."
        ),
        (
            "Each mistake is the textbook implementation with one line changed, run on "
            f"{instances} random instances; an instance counts when the trace differs at all."
        ),
        (
            '"Tied" means that another known mistake reproduces the same whole trace and is listed '
            'before; both are then right. "Partly" means that it is named as one that may explain '
            "the trace: there were too few wrong picks to be sure, or the run was chaotic."
        ),
        "",
        f"**{caught} of {differing} wrong traces caught, {named} with the right name.**",
        "",
        table(rows),
        "",
        "## Mistakes without a name",
        "",
        (
            "They depend on what a trace does not show (a basis, roundings, another generator), so "
            "that nobody can reproduce them, or no recipe is about them: caught, not explained."
        ),
        "",
        table(survey_wrong(range(instances), NAMELESS)),
        "",
        "## Faint mistakes",
        "",
        (
            "On some data they are caught, on others they are as small as roundings. Not visible: "
            "no value is moved farther than correct methods differ. Let through: farther, but "
            "within what roundings can cost by the bounds that are proved; the last column says "
            "how much of it. At a tie of rounded sums either pick is right (a pick that differs "
            "counts as 1); in a trace of exact values `picks-tie-taken` is caught."
        ),
        "",
        faint_page(range(2 * instances)),
        "",
        "## Data that hide much",
        "",
        (
            "Every mistake of the first two tables again, where the conditioning of the data "
            "excuses much: it is caught, or the trace is undecided. What conforms is named, with "
            "the largest relative difference from the textbook in phi, p, weight and beta; a "
            "rounding to single precision is 6e-08."
        ),
        "",
        hidden_page(range(instances)),
        "",
        "## Correct implementations",
        "",
        (
            f"{count} runs of {len(worst)} methods, condition up to 10^9 and columns in units from "
            "10^5 to 10^-5, equal, zero and hardly weighing points, rank-deficient data, gamma "
            f"near 1/2 and both stopping rules: **{len(accused)} accused**."
        ),
        "",
        "| method | largest error, in units of its allowance |",
        "| --- | ---: |",
        *(f"| {name} | {value:.3f} |" for name, value in worst.items()),
        "",
        sampling_page(draws),
        "",
        "## Dependent uniforms, not shown, and mistakes at some iterations",
        "",
        (
            "The picks are right but for the uniforms behind them, which are not in the trace: "
            "pairs r, 1 - r, also three draws apart; Gaussian chains of correlation 1/2, also at "
            "lag three; one in ten that is the one five draws before; a generator of period 1000; "
            "steps of the golden section; steps of up to a fifth; groups of sixteen and of 48, one "
            "in each part of [0, 1); sorted pairs; a third of [0, 1) twice as likely; four bits. "
            "Then picks that are wrong at some iterations only: the likeliest point at the first, "
            "any point at every tenth, any point after the thirtieth. Necessary are the draws that "
            "bring log(1/a) nats to one who knows the generator."
        ),
        "",
        stream_table(draws, SEEDS),
        "",
        kept_page(*KEPT),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["variants"]:
        given = [int(text) for text in sys.argv[2:4]]
        print(kept_page(*(given + list(KEPT)[len(given) :])))
    elif sys.argv[1:2] == ["streams"]:
        print(stream_table(int((sys.argv[2:3] or ["150000"])[0]), SEEDS))
    elif sys.argv[1:2] == ["sampling"]:
        print(sampling_page(*(int(text) for text in sys.argv[2:3] or ["150000"])))
    else:
        numbers = [int(text) for text in sys.argv[1:4]]
        with complaints_apart():
            text = page(*(numbers + [10, 400, 150000][len(numbers) :]))
        print(text)
