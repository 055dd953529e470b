"""The wrong implementations: the textbook with one line changed, and its right diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

Implementation = Callable[[dict[str, Any], Sequence[float]], list[str]]


@cache
def _textbook() -> str:
    return (resources.files("asura_verify.implementations") / "textbook.py").read_text(
        encoding="utf-8"
    )


class ExhibitDoesNotApply(ValueError):
    """A changed line is not, or not once, in the textbook."""


@dataclass(frozen=True)
class Exhibit:
    """A mistake: pairs of a line of the textbook and what stands there instead."""

    mistake: str
    changes: tuple[tuple[str, str], ...]
    sampling: bool = False

    @cached_property
    def run(self) -> Implementation:
        """The implementation with the mistake in it."""
        text = _textbook()
        for old, new in self.changes:
            if text.count(old) != 1:
                raise ExhibitDoesNotApply(f"{self.mistake}: {old!r} occurs {text.count(old)} times")
            text = text.replace(old, new)
        names: dict[str, Any] = {}
        exec(compile(text, f"<{self.mistake}>", "exec"), names)  # noqa: S102 - our own text
        made: Implementation = names["run"]
        return made


def _wrong(mistake: str, *changes: str) -> Exhibit:
    return Exhibit(mistake, tuple(zip(changes[::2], changes[1::2], strict=True)))


def _picks(mistake: str, chance: str) -> Exhibit:
    return Exhibit(mistake, (("chance = p\n", f"chance = {chance}\n"),), sampling=True)


_PHI = "phi = float(np.trace(upper + lower))"
_E = "E = upper + lower"
_WEIGHT = "weight = gamma / phi / float(p[index])"
_FACTOR = "factor = weight"
_UP = "u = u + gamma / (1 - 2 * gamma) / phi"
_LOW = "l = l + gamma / (1 + 2 * gamma) / phi"
_FIRST = "u, l = 2 * d / gamma, -2 * d / gamma"
_GAMMA = 'gamma = float(header["gamma"])'
_D = "d = U.shape[1]"
_CLOCK = "clock = (u - l) + total"
_MID = "mid = (u + l) / 2"
_ROOTS = "roots = np.sqrt(np.abs(weighting))"
_CHOSEN = "chosen, weighting = picks, np.array(scaled)"
_SVD = "U, values, _ = np.linalg.svd(X, full_matrices=False)"

STRUCTURAL = (
    _wrong("potential-product", _PHI, "phi = float(np.trace(upper @ lower))"),
    _wrong("potential-upper-only", _PHI, "phi = float(np.trace(upper))"),
    _wrong("potential-lower-only", _PHI, "phi = float(np.trace(lower))"),
    _wrong("potential-halved", _PHI, "phi = float(np.trace(upper + lower)) / 2"),
    _wrong("bracket-upper-only", _E, "E = upper", _PHI, "phi = float(np.trace(upper))"),
    _wrong("bracket-lower-only", _E, "E = lower", _PHI, "phi = float(np.trace(lower))"),
    _wrong("weight-without-probability", _WEIGHT, "weight = gamma / phi"),
    _wrong("weight-square-root", _WEIGHT, "weight = float(np.sqrt(gamma / phi / p[index]))"),
    _wrong("weight-without-potential", _WEIGHT, "weight = gamma / float(p[index])"),
    _wrong("weight-without-gamma", _WEIGHT, "weight = 1 / phi / float(p[index])"),
    _wrong("weight-times-probability", _WEIGHT, "weight = gamma / phi * float(p[index])"),
    _wrong("weight-times-potential", _WEIGHT, "weight = gamma * phi / float(p[index])"),
    _wrong("update-without-weight", _FACTOR, "factor = 1.0"),
    _wrong("update-without-probability", _FACTOR, "factor = gamma / phi"),
    _wrong("update-squared", _FACTOR, "factor = weight**2"),
    _wrong("matrix-never-updated", _FACTOR, "factor = 0.0"),
    _wrong(
        "matrix-stale",
        "upper = np.linalg.inv(u * identity - A)",
        "upper = np.linalg.inv(u * identity - before)",
        "lower = np.linalg.inv(A - l * identity)",
        "lower = np.linalg.inv(before - l * identity)",
    ),
    _wrong(
        "rates-swapped",
        _UP,
        "u = u + gamma / (1 + 2 * gamma) / phi",
        _LOW,
        "l = l + gamma / (1 - 2 * gamma) / phi",
    ),
    _wrong("upper-rate-sign", _UP, "u = u + gamma / (1 + 2 * gamma) / phi"),
    _wrong("lower-rate-sign", _LOW, "l = l + gamma / (1 - 2 * gamma) / phi"),
    _wrong(
        "rates-one-gamma",
        _UP,
        "u = u + gamma / (1 - gamma) / phi",
        _LOW,
        "l = l + gamma / (1 + gamma) / phi",
    ),
    _wrong("rates-plain", _UP, "u = u + gamma / phi", _LOW, "l = l + gamma / phi"),
    _wrong(
        "rates-times-potential",
        _UP,
        "u = u + gamma / (1 - 2 * gamma) * phi",
        _LOW,
        "l = l + gamma / (1 + 2 * gamma) * phi",
    ),
    _wrong(
        "rates-without-potential",
        _UP,
        "u = u + gamma / (1 - 2 * gamma)",
        _LOW,
        "l = l + gamma / (1 + 2 * gamma)",
    ),
    _wrong("lower-sign", _LOW, "l = l - gamma / (1 + 2 * gamma) / phi"),
    _wrong("upper-frozen", _UP, "u = u + 0.0"),
    _wrong("lower-frozen", _LOW, "l = l + 0.0"),
    _wrong(
        "rates-next-potential",
        _UP,
        "new = float(np.trace(np.linalg.inv(u * identity - A) + np.linalg.inv(A - l * identity)));"
        " u = u + gamma / (1 - 2 * gamma) / new",
        _LOW,
        "l = l + gamma / (1 + 2 * gamma) / new",
    ),
    _wrong("barriers-halved", _FIRST, "u, l = d / gamma, -d / gamma"),
    _wrong("barriers-without-dimension", _FIRST, "u, l = 2 / gamma, -2 / gamma"),
    _wrong("barriers-doubled", _FIRST, "u, l = 4 * d / gamma, -4 * d / gamma"),
    _wrong("gamma-halved", _GAMMA, 'gamma = float(header["gamma"]) / 2'),
    _wrong("gamma-rooted", _GAMMA, 'gamma = float(header["gamma"]) ** 0.5'),
    _wrong("gamma-squared", _GAMMA, 'gamma = float(header["gamma"]) ** 2'),
    _wrong("dimension-is-width", _D, "d = width"),
    _wrong("dimension-is-size", _D, "d = size"),
    _wrong("raw-coordinates", _SVD, "U, values = X, np.ones(width)"),
    _wrong("scales-ignored", _SVD, "U, values, _ = np.linalg.svd(points, full_matrices=False)"),
    _wrong(
        "scales-not-rooted",
        _SVD,
        "U, values, _ = np.linalg.svd(squared[:, None] * points, full_matrices=False)",
    ),
    _wrong("stop-gap-only", _CLOCK, "clock = u - l"),
    _wrong("stop-sum-only", _CLOCK, "clock = total"),
    _wrong("stop-growth", _CLOCK, "clock = (u - l) - (first_u - first_l) + total"),
    _wrong("stop-bound-doubled", "bound = 4 * d", "bound = 8 * d"),
    _wrong("stop-one-late", _CLOCK, "clock = (last_u - last_l) + last_total"),
    _wrong("mid-upper", _MID, "mid = u"),
    _wrong("mid-sum", _MID, "mid = u + l"),
    _wrong("mid-gap", _MID, "mid = (u - l) / 2"),
    _wrong("mid-first-barrier", _MID, "mid = (first_u + l) / 2"),
    _wrong("mid-first-lower", _MID, "mid = (u + first_l) / 2"),
    _wrong("mid-previous", _MID, "mid = (last_u + last_l) / 2"),
    _wrong("weights-unnormalised", "[w / mid for w", "[w for w"),
    _wrong("weights-times-mid", "[w / mid for w", "[w * mid for w"),
    _wrong("alpha-with-probability", "share = gamma / phi", "share = weight"),
    _wrong("alpha-unnormalised", "[a / mid for a", "[a for a"),
    _wrong("beta-unweighted", _ROOTS, "roots = np.ones(len(chosen))"),
    _wrong(
        "beta-unlabelled-only",
        _CHOSEN,
        "chosen = [i for i in picks if i < unlabelled]; "
        "weighting = np.array([w for i, w in zip(picks, scaled) if i < unlabelled])",
    ),
    _wrong("beta-squared-weights", _ROOTS, "roots = np.abs(weighting)"),
    _wrong("beta-rooted-weights", _ROOTS, "roots = np.abs(weighting) ** 0.25"),
    _wrong(
        "beta-distinct",
        _CHOSEN,
        "kept = dict(zip(picks, scaled)); "
        "chosen, weighting = list(kept), np.array(list(kept.values()))",
    ),
    _wrong("beta-everything", _CHOSEN, "chosen, weighting = list(range(size)), np.ones(size)"),
    _wrong(
        "probability-unnormalised",
        '"p": float(p[index])',
        '"p": float(p[index]) * phi',
        '"probabilities": p.tolist()',
        '"probabilities": (p * phi).tolist()',
    ),
    _wrong("index-from-one", '"index": index', '"index": index + 1'),
    _wrong("reports-after-step", '"u": old_u', '"u": u', '"l": old_l', '"l": l'),
    _wrong("m-off-by-one", '"m": len(steps)', '"m": len(steps) + 1'),
    _wrong(
        "stop-one-early",
        "if clock >= bound",
        "ahead = float(np.trace(np.linalg.inv(u * identity - A) + np.linalg.inv(A - l * identity)"
        "))\n        moved = 4 * gamma**2 / (1 - 4 * gamma**2) / ahead\n"
        '        sure = header.get("stopping") == "sure"\n'
        "        if clock + moved + (0 if sure else ahead) >= bound",
    ),
)

SAMPLING = (
    _picks("picks-uniform", "np.ones(size)"),
    _picks("picks-leverage", "leverages"),
    _picks("picks-rooted", "np.sqrt(np.maximum(p, 0))"),
    _picks("picks-squared", "p**2"),
    _picks("picks-stale", "p if earlier is None else earlier"),
    _picks("picks-unlabelled-only", "np.where(np.arange(size) < unlabelled, p, 0.0)"),
    _picks("picks-tilted", "np.where(np.arange(size) == 0, 1.1 * p, p)"),
    _picks("picks-never-last", "np.where(np.arange(size) == size - 1, 0.0, p)"),
    _picks("picks-never-first", "np.where(np.arange(size) == 0, 0.0, p)"),
    _picks(
        "picks-without-replacement",
        "np.where(np.isin(np.arange(size), picks), 0.0, p) if len(set(picks)) < size else p",
    ),
    _picks("picks-greedy", "np.where(np.arange(size) == np.argmax(p), 1.0, 0.0)"),
)

EXHIBITS = (*STRUCTURAL, *SAMPLING)
