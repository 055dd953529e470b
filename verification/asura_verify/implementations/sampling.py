"""How long a sampling mistake hides in traces without uniforms, and in traces with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from asura_verify.implementations.cases import case
from asura_verify.implementations.exhibit import Exhibit, Implementation
from asura_verify.implementations.exhibits import SAMPLING
from asura_verify.implementations.survey import attempt
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.picks.distribution import DistributionReport, DistributionTest
from asura_verify.oracle.picks.power import HOPELESS, Need

#: Every mistake is hunted once for each.
SEEDS = range(5, 8)
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
    """What happened to one sampling mistake, a report for every seed."""

    mistake: str
    reports: tuple[DistributionReport, ...]
    with_uniforms: int | None

    @property
    def needs(self) -> list[Need]:
        """Draws that it takes, each on the very draws that were made."""
        found = [report.need(self.mistake) for report in self.reports]
        return [need for need in found if need is not None]

    @property
    def seen(self) -> list[int]:
        """Draws that it took; empty unless it was always seen."""
        found = [report.decided_at for report in self.reports]
        return [] if None in found else sorted(count for count in found if count is not None)

    @property
    def ratio(self) -> float | None:
        """Draws that it took, over the necessary ones, at worst; None unless always seen."""
        if not self.seen:
            return None
        return max(
            (report.decided_at or 0) / (need.necessary or 1)
            for report, need in zip(self.reports, self.needs, strict=True)
        )

    @property
    def explanations(self) -> list[str]:
        """What the picks were taken for."""
        return sorted({report.explanation for report in self.reports if report.explanation})


def survey_sampling(limit: int, exhibits: tuple[Exhibit, ...] = SAMPLING) -> list[Bias]:
    """Every sampling mistake."""
    return [
        Bias(
            exhibit.mistake,
            tuple(
                collect(exhibit.run, limit, mistake=exhibit.mistake, seed=seed) for seed in SEEDS
            ),
            draws_with_uniforms(exhibit.run),
        )
        for exhibit in exhibits
    ]


def _middle(counts: list[int | None]) -> str:
    known = sorted(count for count in counts if count is not None)
    return str(known[len(known) // 2]) if known else ""


def bias_table(rows: list[Bias]) -> str:
    """Mistake by draws, as Markdown."""
    lines = [
        (
            "| mistake | necessary | expected | seen after | worst ratio | with `uniforms` "
            "| explanation |"
        ),
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        if row.seen:
            after = f"{row.seen[0]} to {row.seen[-1]}"
        else:
            after = "hopeless" if any(need.hopeless for need in row.needs) else "not always"
        lines.append(
            f"| `{row.mistake}` | {_middle([need.necessary for need in row.needs])} "
            f"| {_middle([need.expected for need in row.needs])} | {after} "
            f"| {'' if row.ratio is None else f'{row.ratio:.2f}'} "
            f"| {'' if row.with_uniforms is None else row.with_uniforms} "
            f"| {', '.join(row.explanations)} |"
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
                f"Made by `python -m asura_verify.implementations sampling {limit}`: traces that "
                "show indices alone, d = 3 and gamma = 1/5, drawn until the mistake is seen; "
                f"{len(SEEDS)} seeds each; false-alarm probability a = 1e-6."
            ),
            "",
            (
                "- Necessary, for any test: log(1/a)/D draws, D being the mean Kullback-Leibler "
                "divergence of the mistaken picks from the right ones on these very draws (median "
                "over the seeds)."
            ),
            (
                "- Expected, of this test: log(1/(a s))/D, s being the stake that it has on the "
                "mistake."
            ),
            (
                "- Worst ratio: draws after which the mistake was seen, over the necessary ones "
                "of the same seed. It may be below 1 by luck: the bound is one of the mean."
            ),
            (
                "- With `uniforms` in the header: draws up to the first pick that contradicts its "
                "uniform. Such a trace is rejected at once."
            ),
            "",
            (
                f"**{len(ratios)} of {len(rows)} are always seen, within {max(ratios):.2f} times "
                f"the necessary draws.** Hopeless without `uniforms` (more than {HOPELESS} draws "
                f"expected), and not tried further: {', '.join(hidden) or 'none'}."
            ),
            "",
            bias_table(rows),
        ]
    )
