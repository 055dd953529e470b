"""A recorded baseline: the cases that are known to fail, so that only new failures count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from asura.errors import AsuraError
from asura.files import write_whole
from asura_verify.conforming.session import CaseOutcome

FORMAT = "asura-conform-baseline/1"
#: Bytes of a baseline.
LARGEST = 1 << 24


class NotAConformBaseline(AsuraError):
    """A baseline that cannot be read."""


def write_baseline(name: str, outcomes: Iterable[CaseOutcome]) -> None:
    """Record which cases fail now."""
    failing = sorted(outcome.case.name for outcome in outcomes if not outcome.passed)
    write_whole(name, [json.dumps({"format": FORMAT, "failing": failing}, indent=2)])


def read_baseline(name: str) -> frozenset[str]:
    """The cases that may fail."""
    try:
        path = Path(name)
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise NotAConformBaseline(
                f"{name}: no such file, or too large for a baseline", value=name
            )
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise NotAConformBaseline(f"{name}: {error}", value=name) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotAConformBaseline(f"{name}: expected the format {FORMAT}", value=name)
    failing = document.get("failing")
    if not isinstance(failing, list) or not all(isinstance(case, str) for case in failing):
        raise NotAConformBaseline(f"{name}: expected a list `failing` of names", value=failing)
    return frozenset(failing)
