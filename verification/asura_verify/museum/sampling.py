"""How long a sampling mistake hides in traces without uniforms, and in traces with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from asura_verify.museum.cases import case
from asura_verify.museum.exhibits import SAMPLING, Exhibit, Implementation
from asura_verify.museum.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.distribution import DistributionReport, DistributionTest
from asura_verify.oracle.power import HOPELESS, Need

#: Draws after which the divergence of a mistake is known well enough to give up.
_ENOUGH = 2000


def instance() -> dict[str, Any]:
    """The data of the page, d = 3 and gamma = 1/5; no uniforms."""
    plain = case(3, dimension=3) | {"gamma": 0.2}
    del plain["uniforms"]
    return plain


def traces(run: Implementation, plain: dict[str, Any], seed: int = 5) -> Iterator[list[str]]:
    """Runs of an implementation, one after the other."""
    rng = np.random.default_rng(seed)
    longest = int(8 * len(plain["points"][0]) / float(plain["gamma"]) ** 2) + 20
    while True:
        lines = attempt(run, plain | {"uniforms": rng.uniform(size=longest).tolist()})
        if lines is not None:
            yield lines


def bare(lines: list[str]) -> list[str]:
    """A trace that shows nothing but data and indices."""
    header, *records = (json.loads(line) for line in lines)
    del header["uniforms"]
    return [
        json.dumps(header),
        *(json.dumps({k: r[k] for k in ("j", "index", "m") if k in r}) for r in records),
    ]


def collect(
    run: Implementation,
    limit: int,
    *,
    mistake: str = "",
    plain: dict[str, Any] | None = None,
    seed: int = 5,
) -> DistributionReport:
    """Indices alone, until a bias is seen, or the limit is reached or far beyond reach."""
    test = DistributionTest()
    for lines in traces(run, plain or instance(), seed):
        check_lines(bare(lines), test=test)
        for report in test.reports():
            need = report.need(mistake)
            lost = report.draws >= _ENOUGH and need is not None and need.hopeless
            if report.biased or report.draws >= limit or lost:
                return report
    raise AssertionError  # traces do not end


def draws_with_uniforms(run: Implementation, limit: int = 100_000) -> int | None:
    """Draws until a pick that contradicts its uniform."""
    draws = 0
    for lines in traces(run, instance()):
        first = check_lines(lines).first
        if first is not None:
            return draws + (first.j or 0) + 1
        draws += len(lines) - 2
        if draws >= limit:
            return None
    raise AssertionError  # traces do not end


@dataclass(frozen=True, slots=True)
class Bias:
    """What happened to one sampling mistake."""

    mistake: str
    report: DistributionReport
    with_uniforms: int | None

    @property
    def need(self) -> Need | None:
        """Draws that it takes, on the very draws that were made."""
        return self.report.need(self.mistake)

    @property
    def ratio(self) -> float | None:
        """Draws that it took, in units of the necessary ones."""
        need, seen = self.need, self.report.decided_at
        if need is None or need.necessary is None or seen is None:
            return None
        return seen / need.necessary


def survey_sampling(limit: int, exhibits: tuple[Exhibit, ...] = SAMPLING) -> list[Bias]:
    """Every sampling mistake."""
    return [
        Bias(
            exhibit.mistake,
            collect(exhibit.run, limit, mistake=exhibit.mistake),
            draws_with_uniforms(exhibit.run),
        )
        for exhibit in exhibits
    ]


def bias_table(rows: list[Bias]) -> str:
    """Mistake by draws, as Markdown."""
    lines = [
        "| mistake | necessary | expected | seen after | ratio | with `uniforms` | explanation |",
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        report, need, ratio = row.report, row.need, row.ratio
        counts = (None, None) if need is None else (need.necessary, need.expected)
        figures = ["" if count is None else str(count) for count in counts]
        if report.decided_at is not None:
            after = str(report.decided_at)
        else:
            hopeless = need is not None and need.hopeless
            after = "hopeless" if hopeless else f"not within {report.draws}"
        lines.append(
            f"| `{row.mistake}` | {' | '.join(figures)} | {after} "
            f"| {'' if ratio is None else f'{ratio:.2f}'} "
            f"| {'' if row.with_uniforms is None else row.with_uniforms} "
            f"| {report.explanation or ''} |"
        )
    return "\n".join(lines)


def sampling_page(limit: int) -> str:
    """The section of the page."""
    rows = survey_sampling(limit)
    ratios = [row.ratio for row in rows if row.ratio is not None]
    hidden = [f"`{row.mistake}`" for row in rows if row.ratio is None]
    return "\n".join(
        [
            "## Sampling mistakes without uniforms",
            "",
            (
                "Traces that show indices alone, d = 3 and gamma = 1/5; false-alarm probability "
                "a = 1e-6. Necessary for any test: log(1/a)/D draws, D being the mean "
                "Kullback-Leibler divergence of the mistaken picks from the right ones on these "
                "very draws. Expected of this test: log(1/(a s))/D, s being the stake that it has "
                "on the mistake. Ratio: draws after which it was seen, over the necessary ones. "
                'The column "with `uniforms`" counts the draws up to the first pick that '
                "contradicts its uniform: such a trace is rejected at once."
            ),
            "",
            (
                f"**{len(ratios)} of {len(rows)} seen, within {max(ratios):.2f} times the "
                f"necessary draws.** Hopeless without `uniforms` (more than {HOPELESS} draws) and "
                f"seen with them: {', '.join(hidden) or 'none'}."
            ),
            "",
            bias_table(rows),
        ]
    )
