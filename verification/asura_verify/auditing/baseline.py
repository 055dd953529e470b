"""The recorded verdicts: the audit fails when one changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import msgspec

from asura.errors import AsuraError
from asura_verify.registry.ruling import ClaimRuling, StatementRuling

NAME = "audit_baseline.json"


class NotABaseline(AsuraError):
    """A baseline that cannot be read."""


class Recorded(msgspec.Struct, frozen=True):
    """One verdict and the strength that it had."""

    verdict: str
    strength: str | None = None

    def __str__(self) -> str:
        return f"{self.verdict} ({self.strength})" if self.strength else self.verdict


class Baseline(msgspec.Struct, frozen=True):
    """Slug, then statement, then verdict."""

    claims: dict[str, dict[str, Recorded]]


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that differs from the recorded one, or is known less strongly than it was."""

    slug: str
    statement: str
    recorded: str
    computed: str

    def __str__(self) -> str:
        return f"{self.slug} ({self.statement}): {self.recorded} -> {self.computed}"


def recorded(ruling: StatementRuling) -> Recorded:
    """What is kept of a ruling."""
    return Recorded(ruling.word.value, ruling.strength.words if ruling.strength else None)


def _rows(claim: ClaimRuling) -> dict[str, StatementRuling]:
    return {claim.claim.printed.key: claim.printed, **claim.others}


def make(rulings: Iterable[ClaimRuling]) -> Baseline:
    """The baseline of an audit."""
    return Baseline(
        {
            claim.claim.slug: {key: recorded(ruling) for key, ruling in _rows(claim).items()}
            for claim in rulings
        }
    )


def write(baseline: Baseline) -> bytes:
    """The baseline as text."""
    return msgspec.json.format(msgspec.json.encode(baseline), indent=2) + b"\n"


def read(path: Path | None = None) -> Baseline:
    """The baseline of a file, or the one that comes with the package."""
    try:
        content = (
            resources.files("asura_verify.auditing").joinpath(NAME).read_bytes()
            if path is None
            else path.read_bytes()
        )
        return msgspec.json.decode(content, type=Baseline)
    except OSError as error:
        raise NotABaseline(
            f"{path or NAME}: {error.strerror or error}", value=path or NAME
        ) from None
    except msgspec.DecodeError as error:
        raise NotABaseline(f"{path or NAME}: {error}", value=path or NAME) from None


#: Strengths as recorded, weakest first.
_ORDER = (None, "sampled", "certified", "exact", "solver-proved", "machine-checked")


def _lost(before: Recorded, after: Recorded) -> bool:
    """Another verdict, or the same one on weaker evidence."""
    weaker = _ORDER.index(after.strength) < _ORDER.index(before.strength)
    return before.verdict != after.verdict or weaker


def _words(known: Recorded) -> str:
    return f"{known.verdict} ({known.strength})" if known.strength else known.verdict


def changes(rulings: Sequence[ClaimRuling], baseline: Baseline) -> list[Change]:
    """Which verdicts changed or lost strength, from what, to what; a gain is no change."""
    found = []
    for claim in rulings:
        known = baseline.claims.get(claim.claim.slug, {})
        computed = {key: recorded(ruling) for key, ruling in _rows(claim).items()}
        for key in dict.fromkeys([*known, *computed]):
            before, after = known.get(key), computed.get(key)
            if before is None or after is None or _lost(before, after):
                found.append(
                    Change(
                        claim.claim.slug,
                        key,
                        _words(before) if before else "not recorded",
                        _words(after) if after else "no such statement",
                    )
                )
    return found
