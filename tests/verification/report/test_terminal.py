"""The explanation of a claim: indented as a whole on a terminal, unbroken in a pipe."""

import io

import pytest
from rich.console import Console

from asura_verify.front_door import audit
from asura_verify.registry.ruling import ClaimRuling
from asura_verify.report.terminal import show_claim


@pytest.fixture(scope="module")
def ruling() -> ClaimRuling:
    return audit(["stop-text"])["stop-text"]


def shown(ruling: ClaimRuling, *, terminal: bool) -> list[str]:
    console = Console(file=io.StringIO(), width=80, force_terminal=terminal, record=True)
    show_claim(console, ruling)
    return console.export_text().splitlines()


def test_on_a_terminal_every_line_fits_and_stays_indented(ruling: ClaimRuling) -> None:
    lines = shown(ruling, terminal=True)
    assert max(map(len, lines)) <= 80
    begins = {line.split(":")[0] for line in lines if line.strip() and not line.startswith("  ")}
    whole = {line.split(":")[0] for line in shown(ruling, terminal=False) if line[:1].strip()}
    assert begins == whole  # no line of a broken paragraph begins at the edge


def test_in_a_pipe_no_line_is_broken(ruling: ClaimRuling) -> None:
    lines = shown(ruling, terminal=False)
    assert max(map(len, lines)) > 80
    assert len(lines) < len(shown(ruling, terminal=True))
