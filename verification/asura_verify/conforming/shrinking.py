"""A failure made small: Hypothesis looks for a tiny problem that goes wrong in the same way."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import HypothesisException

from asura_verify.conforming.cases import uniforms
from asura_verify.conforming.recorded import of_variants
from asura_verify.conforming.session import CaseOutcome, attempt
from asura_verify.conforming.targets import Target


@st.composite
def small_headers(draw: st.DrawFn) -> dict[str, Any]:
    """Tiny problems with small integers."""
    d = draw(st.integers(1, 3))
    coordinate = st.sampled_from([1.0, -1.0, 2.0, 0.0])
    row = st.lists(coordinate, min_size=d, max_size=d)
    extra = draw(st.lists(row, max_size=3))
    points = [[float(i == k) for k in range(d)] for i in range(d)] + extra
    n = len(points)
    gamma = draw(st.sampled_from([0.25, 0.375, 0.125]))
    header: dict[str, Any] = {
        "format": "asura-trace/1",
        "gamma": gamma,
        "points": points,
        "unlabelled": draw(st.integers(0, n)),
        "labels": [float(draw(st.integers(0, 2))) for _ in range(n)],
        "uniforms": uniforms(draw(st.integers(0, 3)), int(2 * d / gamma**2) + 16),
    }
    if draw(st.booleans()):
        header["squared_scales"] = [float(draw(st.integers(1, 2))) for _ in range(n)]
    return header


def _kind(outcome: CaseOutcome) -> str:
    """Two failures are the same when the same thing is wrong first, for the same reason."""
    if outcome.failure is not None:
        return outcome.failure
    first = outcome.judgement.first
    if first is None:
        return "malformed"
    named = [d.mistake for d in outcome.judgement.diagnosis if d.complete]
    return f"{first.field.partition('[')[0]}: {named[0] if named else ''}"


def shrunk(target: Target, failed: CaseOutcome, *, examples: int = 60) -> CaseOutcome:
    """A smaller case with the same wrong field and diagnosis, or the failure itself."""
    kind = _kind(failed)
    if failed.failure == "TimedOut":
        return failed  # every attempt would take the whole time limit
    if of_variants(failed.case):
        return failed  # small problems are those of the paper

    def fails_alike(header: dict[str, Any]) -> bool:
        outcome = attempt(target, replace(failed.case, header=header, picks=None))
        return not outcome.passed and _kind(outcome) == kind

    with tempfile.TemporaryDirectory() as scratch:
        set_hypothesis_home_dir(scratch)  # nothing is left in the user's directory
        try:
            header = find(
                small_headers(),
                fails_alike,
                settings=settings(
                    max_examples=examples,
                    database=None,
                    deadline=None,
                    derandomize=True,
                    phases=(Phase.generate, Phase.shrink),
                    suppress_health_check=list(HealthCheck),
                ),
            )
        except HypothesisException:  # none fails alike, or not twice
            return failed
        finally:
            set_hypothesis_home_dir(None)
    name = f"{failed.case.name}-shrunk"
    smaller = attempt(target, replace(failed.case, name=name, header=header, picks=None))
    again = failed.judgement.again  # a case that has a name
    return replace(smaller, judgement=replace(smaller.judgement, again=again))
