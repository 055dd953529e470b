"""Wrong implementations of K1 and K2: their textbook with one line changed, and the diagnosis."""

from __future__ import annotations

from typing import Any

from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.kept_cases import KINDS

TEXTBOOK = "kept_textbook.py"
# Lines of the textbook.
START, MOVING, PHI = "start = c * identity", "moving = D", "phi = float(np.trace(D @ E))"
MASSES = 'masses = np.einsum("ni,ij,nj->n", U[:pool], E, U[:pool])'
MID, WEIGHT = "mid = sigma\n", "weight = part * step / phi / float(p[index])"
PART, MADE = (
    'part = share if ending == "clip" else 1.0',
    'made = share if ending == "coin" else 1.0',
)
FACTOR, RANK = "factor = weight", "R = float(np.trace(D))"
NEXT = "sigma = goal if last else sigma + advance"
CHOSEN, BOUGHT = "chosen = [*picks, *range(pool, size)]", "*[1.0] * (size - pool)"


def _wrong(mistake: str, *changes: str, sampling: bool = False) -> Exhibit:
    pairs = tuple(zip(changes[::2], changes[1::2], strict=True))
    return Exhibit(mistake, pairs, sampling, TEXTBOOK)


_EVERYTHING = (
    MASSES, 'masses = np.einsum("ni,ij,nj->n", U, E, U)', PHI, "phi = float(np.trace(E))",
)  # fmt: skip
KEPT_EXHIBITS = (
    _wrong("kept-start-along-D", START, "start = c * D"),
    _wrong("kept-moves-along-identity", MOVING, "moving = identity"),
    _wrong("kept-potential-over-all", PHI, "phi = float(np.trace(E))"),
    _wrong("kept-samples-everything", *_EVERYTHING),
    _wrong("kept-normalised-with-k", MID, "mid = (upper_rate + lower_rate) / 2 * sigma\n"),
    _wrong("kept-weight-with-k", WEIGHT, "weight = k * part * step / phi / float(p[index])"),
    _wrong("kept-forgotten-clip", PART, "part = 1.0"),
    _wrong("kept-overshot-clip", NEXT, "sigma = sigma + advance"),
    _wrong("kept-scaled-coin", PART, "part = share"),
    _wrong("kept-forgotten-coin", MADE, "made = 1.0", sampling=True),
    _wrong("kept-weight-without-probability", WEIGHT, "weight = part * step / phi"),
    _wrong("kept-weight-inverse-probability", WEIGHT, "weight = part / float(p[index])"),
    _wrong("kept-weight-square-root", WEIGHT, "weight = part * (step / phi / float(p[index]))**.5"),
    _wrong("kept-matrix-never-updated", FACTOR, "factor = 0.0"),
    _wrong("kept-update-without-weight", FACTOR, "factor = 1.0"),
    _wrong("kept-dimension-for-rank", RANK, "R = float(d)"),
    _wrong(
        "kept-distance-halved",
        'c = R / (float(header["draws"]) * step)', 'c = R / (2 * float(header["draws"]) * step)',
        "c = 2 * R / gamma", "c = R / gamma",
    ),
    _wrong(
        "kept-goal-doubled",
        "A = np.zeros((d, d))\n", "goal = 2 * goal\n    A = np.zeros((d, d))\n",
    ),
    _wrong(
        "kept-rates-swapped",
        "lower_rate, upper_rate = 1 / (1 + 2 * gamma), 1 / (1 - 2 * gamma)",
        "upper_rate, lower_rate = 1 / (1 + 2 * gamma), 1 / (1 - 2 * gamma)",
    ),
    _wrong("kept-step-is-nu", "step = gamma / (1 - gamma**2)", "step = gamma"),
    _wrong("kept-lower-rate-one", "lower_rate, upper_rate = 1 - gamma, 0.0",
           "lower_rate, upper_rate = 1.0, 0.0"),
    _wrong("kept-beta-without-kept", CHOSEN, "chosen = list(picks)", BOUGHT, "*[1.0] * 0"),
    _wrong("kept-beta-divided", BOUGHT, "*[1 / mid] * (size - pool)"),
)  # fmt: skip

_ENDINGS = {"kept-forgotten-clip": "clip", "kept-overshot-clip": "clip", "kept-scaled-coin": "coin",
            "kept-forgotten-coin": "coin"}  # fmt: skip
_VARIANTS = {
    "kept-normalised-with-k": "two-sided", "kept-weight-with-k": "two-sided",
    "kept-rates-swapped": "two-sided", "kept-step-is-nu": "one-sided",
    "kept-lower-rate-one": "one-sided",
}  # fmt: skip


def kinds(exhibit: Exhibit) -> tuple[dict[str, Any], ...]:
    """The variants and endings that a mistake can show in."""
    ending, variant = _ENDINGS.get(exhibit.mistake), _VARIANTS.get(exhibit.mistake)
    return tuple(
        kind
        for kind in KINDS
        if ending in {None, kind.get("ending")} and variant in {None, kind["variant"]}
    )
