"""A pytest plugin: one test per claim for your implementation.

    pytest --asura-target mypackage.asura:run

The callable takes a header and returns the lines of its trace. All cases run once, in a process of
their own; the test of a claim fails with the report of the first case that breaks it, and is
skipped when no case has the values that it speaks of. Pytest loads this module wherever the package
is installed, so that it imports the oracle only when it is asked to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from asura_verify.conforming.session import CaseOutcome

#: The test that fails when there is no trace to judge.
ANSWERS = "answers-with-a-trace"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--asura-target` and `--asura-random`."""
    group = parser.getgroup("asura", "conformance of an implementation of ASURA")
    group.addoption("--asura-target", metavar="PACKAGE:CALLABLE", help="the implementation")
    group.addoption(
        "--asura-random", type=int, default=20, metavar="N", help="how many random cases"
    )
    group.addoption(
        "--asura-timeout", type=float, default=30.0, metavar="SECONDS", help="time limit of a run"
    )


class ConformanceFailed(AssertionError):
    """A case broke a claim."""


class TargetCollector(pytest.Collector):
    """All claims for one implementation."""

    target_text: str = ""

    @cached_property
    def outcomes(self) -> list[CaseOutcome]:
        """Every case, run once."""
        from asura_verify.conforming.session import USUAL, attempt, selected  # noqa: PLC0415
        from asura_verify.conforming.targets import importable  # noqa: PLC0415

        option = self.config.getoption
        cases = selected(USUAL, seed=0, random=option("--asura-random"))
        with closing(importable(self.target_text, timeout=option("--asura-timeout"))) as target:
            return [attempt(target, case) for case in cases]

    def collect(self) -> Iterator[pytest.Item]:
        """One test per claim."""
        from asura_verify.oracle.judgement import SLUGS  # noqa: PLC0415
        from asura_verify.oracle.views.claims import SCOPES  # noqa: PLC0415

        for slug in (ANSWERS, *sorted({*SLUGS.values(), *SCOPES})):
            yield ClaimItem.from_parent(self, name=slug)


class ClaimItem(pytest.Item):
    """One claim."""

    def runtest(self) -> None:
        """Fail with the first case that breaks the claim; skip when none judges it."""
        from asura_verify.oracle.judgement import SLUGS  # noqa: PLC0415
        from asura_verify.report.sentences import details, headline  # noqa: PLC0415

        parent = self.parent
        if not isinstance(parent, TargetCollector):
            raise TypeError(type(parent))
        judged = {ANSWERS}
        for outcome in parent.outcomes:
            judgement = outcome.judgement
            broken = {ANSWERS} if judgement.fault else set(judgement.failed)
            if judgement.first is not None:
                broken.add(judgement.first.slug)
            if self.name in broken:
                raise ConformanceFailed("\n  ".join([headline(judgement), *details(judgement)]))
            judged |= {slug for slug, view in judgement.claims.items() if view.verdict == "holds"}
            judged |= {SLUGS[field] for field in judgement.checked}
        if self.name not in judged:
            pytest.skip("no case has the values that this claim speaks of")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """The report, without a traceback."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[str, int | None, str]:
        """Where the claim is judged."""
        return "asura", None, f"asura: {self.name}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the claims."""
    text = config.getoption("--asura-target")
    if text:
        collector = TargetCollector.from_parent(session, name=text, nodeid=f"asura[{text}]")
        collector.target_text = text
        items.extend(collector.collect())
