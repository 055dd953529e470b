"""Regenerate the page: `python -m asura_verify.museum [INSTANCES [RUNS [DRAWS]]]`."""

from __future__ import annotations

import sys

from asura_verify.museum.survey import (
    bias_table,
    survey_correct,
    survey_sampling,
    survey_wrong,
    table,
)


def page(instances: int, runs: int, draws: int) -> str:
    """The table of mistakes, and the correct implementations."""
    rows = survey_wrong(range(instances))
    count, accused, worst = survey_correct(range(runs))
    differing, caught = sum(r.differing for r in rows), sum(r.caught for r in rows)
    named = sum(r.named["first"] + r.named["tied"] for r in rows)
    lines = [
        "# The museum: what `asura check` sees in wrong and in correct implementations",
        "",
        f"Made by `python -m asura_verify.museum {instances} {runs} {draws}`; deterministic.",
        (
            "Each mistake is the textbook implementation with one line changed, run on "
            f"{instances} random instances; an instance counts when the trace differs at all."
        ),
        (
            '"Tied" means that another known mistake reproduces the same whole trace and is listed '
            "before; both are then right."
        ),
        "",
        f"**{caught} of {differing} wrong traces caught, {named} with the right name.**",
        "",
        table(rows),
        "",
        "## Correct implementations",
        "",
        (
            f"{count} runs of {len(worst)} methods, condition up to 10^6, rank-deficient data "
            f"and both stopping rules: **{len(accused)} accused**."
        ),
        "",
        "| method | largest error, in units of its allowance |",
        "| --- | ---: |",
        *(f"| {name} | {value:.3f} |" for name, value in worst.items()),
        "",
        "## Sampling mistakes without uniforms",
        "",
        (
            "Traces that show indices alone, d = 3 and gamma = 1/5; false-alarm probability 1e-6. "
            "A mistake that would need too many draws is seen at once when the header has "
            "`uniforms` (first table)."
        ),
        "",
        bias_table(survey_sampling(draws), draws),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:4]]
    print(page(*(numbers + [10, 400, 3000][len(numbers) :])))
