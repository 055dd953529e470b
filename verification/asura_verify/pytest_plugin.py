"""A pytest plugin: one test a claim for your implementation.

    pytest -p asura_verify.pytest_plugin --asura-target mypackage.asura:run

The callable takes a header and returns the lines of its trace. All cases run once; the test of a
claim fails with the report of the first case that breaks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest

from asura_verify.conform.session import Group, Outcome, outcomes, selected
from asura_verify.conform.targets import importable
from asura_verify.oracle.claims import SCOPES
from asura_verify.oracle.formats import details, headline
from asura_verify.oracle.report import SLUGS

#: The test that fails when there is no trace to judge.
ANSWERS = "answers-with-a-trace"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--asura-target` and `--asura-random`."""
    group = parser.getgroup("asura", "conformance of an implementation of ASURA")
    group.addoption("--asura-target", metavar="PACKAGE:CALLABLE", help="the implementation")
    group.addoption(
        "--asura-random", type=int, default=20, metavar="N", help="how many random cases"
    )


class ConformanceFailed(AssertionError):
    """A case broke a claim."""


class Conformance(pytest.Collector):
    """All claims for one implementation."""

    target_text: str = ""
    random: int = 0

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Every case, run once."""
        target = importable(self.target_text)
        return list(outcomes(target, selected(Group, seed=0, random=self.random)))

    def collect(self) -> Iterator[pytest.Item]:
        """One test a claim."""
        for slug in (ANSWERS, *sorted({*SLUGS.values(), *SCOPES})):
            yield Claim.from_parent(self, name=slug)


class Claim(pytest.Item):
    """One claim."""

    def runtest(self) -> None:
        """Fail with the first case that breaks the claim."""
        parent = self.parent
        if not isinstance(parent, Conformance):
            raise TypeError(type(parent))
        for outcome in parent.outcomes:
            judgement = outcome.judgement
            broken = {ANSWERS} if judgement.fault else set(judgement.failed)
            if judgement.first is not None:
                broken.add(judgement.first.slug)
            if self.name in broken:
                raise ConformanceFailed("\n  ".join([headline(judgement), *details(judgement)]))

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
        collector = Conformance.from_parent(session, name=text, nodeid=f"asura[{text}]")
        collector.target_text, collector.random = text, config.getoption("--asura-random")
        items.extend(collector.collect())
