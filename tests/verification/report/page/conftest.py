"""One audit, one page and one browser for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asura_verify import claims
from asura_verify.auditing import baseline as baselines
from asura_verify.auditing.executors import SerialExecutor
from asura_verify.auditing.perform import audit
from asura_verify.report.audit import audit_data
from asura_verify.report.audit_data import AuditData
from asura_verify.report.page.writer import NAME, render
from tests.verification.report.page.browser import Page, chromium

#: Claims of every kind of verdict whose evidence is cheap.
SELECTED = (
    "def-reduced-rank", "ridge-is-ssar", "kernel-is-ssar", "rr-ridge", "leverage-sampling",
    "alg-potential", "probabilities-sum", "invariant", "rank-one-lower", "stop-text",
    "trace-identity", "lm-positive", "sum-alpha", "lower-bound-opt", "identity-1", "identity-2",
    "free-draws", "shrunken-draws", "near-optimal",
)  # fmt: skip


@pytest.fixture(scope="session")
def data() -> AuditData:
    """The audit's data."""
    result = audit(claims.selected(list(SELECTED)), SerialExecutor(), factor=0.02)
    return audit_data(result, baselines.read())


@pytest.fixture(scope="session")
def path(data: AuditData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page on disk."""
    folder = tmp_path_factory.mktemp("page")
    target = folder / NAME
    target.write_text(render(data, folder), encoding="utf-8")
    return target


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A headless Chromium."""
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page, path: Path) -> Page:
    """The page, freshly opened at desktop width in light colours."""
    browser.requests.clear()
    browser.errors.clear()
    browser.size(1200, 900)
    browser.scheme("light")
    browser.open(f"file://{path}")
    return browser
