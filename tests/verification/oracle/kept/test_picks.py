"""Picks of the variants in traces without uniforms: biased samplers are seen, honest ones are not.

Every test here accuses a correct sampler with probability at most 1e-6, by Ville's inequality; the
seeds are fixed. The necessary draws are those of the best test that knows the bias.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from asura_verify.cli.main import execute
from asura_verify.implementations import kept_textbook
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.kept_cases import KINDS, kept_case
from asura_verify.implementations.kept_exhibits import KEPT_EXHIBITS, TEXTBOOK
from asura_verify.implementations.sampling import bare, collect, traces
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.judgement import Ruling
from asura_verify.oracle.picks.distribution import DistributionTest

CHANCE = "chance = made * p\n"
BIASED = {
    "picks-uniform": "chance = made * np.ones(len(p)) / len(p)\n",
    "picks-rooted": "chance = made * np.sqrt(p) / np.sum(np.sqrt(p))\n",
    "picks-squared": "chance = made * p**2 / np.sum(p**2)\n",
}


def _problem(kind: dict[str, Any], seed: int = 2) -> dict[str, Any]:
    header = kept_case(seed, kind=kind) | {"gamma": 0.25}
    if kind["variant"] == "one-sided":
        header["draws"] = 10.0
    return {k: v for k, v in header.items() if k not in {"uniforms", "labels"}}


def _sampler(mistake: str) -> Exhibit:
    return Exhibit(mistake, ((CHANCE, BIASED[mistake]),), sampling=True, textbook=TEXTBOOK)


@pytest.mark.parametrize("kind", [KINDS[1], KINDS[4], KINDS[5]], ids=str)
@pytest.mark.parametrize("mistake", ["picks-uniform", "picks-rooted"])
def test_biased_samplers_are_seen_soon(kind: dict[str, Any], mistake: str) -> None:
    report = collect(_sampler(mistake).run, 4000, mistake=mistake, plain=_problem(kind))
    need = report.need(mistake)
    assert report.biased
    assert need is not None
    assert need.necessary is not None
    assert report.decided_at is not None
    assert report.decided_at <= 4 * need.necessary


def test_a_forgotten_coin_is_seen_soon() -> None:
    """The coin's rejection is part of the distribution: who never rejects draws from X_1 alone."""
    plain = _problem(KINDS[5])
    plain["draws"] = 2.5
    exhibit = next(e for e in KEPT_EXHIBITS if e.mistake == "kept-forgotten-coin")
    report = collect(exhibit.run, 6000, mistake="picks-unlabelled-only", plain=plain)
    need = report.need("picks-unlabelled-only")
    assert report.biased
    assert need is not None
    assert need.necessary is not None
    assert report.decided_at is not None
    assert report.decided_at <= 4 * need.necessary


@pytest.mark.parametrize("kind", [KINDS[3], KINDS[5]], ids=str)
def test_honest_picks_are_never_accused(kind: dict[str, Any]) -> None:
    report = collect(kept_textbook.run, 600, plain=_problem(kind))
    assert not report.biased
    assert report.draws >= 600


def test_biased_picks_of_a_variant_violate(tmp_path: Any) -> None:
    """Through the front door: every file of a biased sampler violates."""
    test = DistributionTest()
    for number, lines in enumerate(traces(_sampler("picks-uniform").run, _problem(KINDS[4]))):
        judged = check_lines(bare(lines), test=test)
        assert judged.ruling is Ruling.CONFORMS
        (tmp_path / f"{number}.jsonl").write_text("\n".join(bare(lines)) + "\n")
        if any(report.biased for report in test.reports()):
            break
    assert execute(["check", *(str(path) for path in sorted(tmp_path.iterdir()))]) == 1


def test_copies_count_once() -> None:
    lines = bare(next(traces(kept_textbook.run, _problem(KINDS[4]) | {"draws": 300.0})))
    test = DistributionTest()
    first, again = (check_lines(lines, test=test) for _ in range(2))
    assert not any("picks" in remark for remark in first.remarks)
    assert any("trace before" in remark for remark in again.remarks)
    assert json.loads(lines[-1])["m"] > 10
