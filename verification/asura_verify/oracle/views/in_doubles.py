"""Which steps of a block are certainly right: doubles, with room for all that they are off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from asura.trace import IterationLine
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.truth.stated import (
    UNIT,
    Bounds,
    Doubles,
    Grant,
    Norms,
    Seen,
    StatedTruth,
)
from asura_verify.oracle.views.judging import Stating
from asura_verify.oracle.views.reported_state import Look

#: The roundings of an interval's own ends.
_SLIGHT = 32 * UNIT


class InDoubles:
    """Looks at blocks of lines; what it cannot decide is left to balls."""

    def __init__(self, judge: Stating, grant: Grant, truth: StatedTruth) -> None:
        self._judge, self._grant, self._truth = judge, grant, truth
        self.granted = 0.0  # the largest allowance of a mass so far
        self.hopeless = False  # whether some honest method may have had no digit of a step

    def heed(self, bounds: Bounds, norms: Norms) -> None:
        """Remember what is granted, for whoever makes balls of the values."""
        light = bounds.near_tau * np.sqrt(norms.both * self._truth.size / norms.potential)
        share = 4 * (bounds.near_theta + bounds.rho) + 2 * light + light**2
        granted = np.where(bounds.shows, share, 1.0)
        self.granted = max(self.granted, float(np.max(granted)))
        self.hopeless = self.hopeless or not bool(np.all(bounds.far_theta < 1))

    def certain(
        self, lines: Sequence[tuple[int, IterationLine]]
    ) -> tuple[Sequence[bool], Sequence[Look]]:
        """Which steps are certainly right and decided, and what was seen of every one."""
        judge = self._judge
        nothing: Sequence[bool] = [False] * len(lines)
        if judge.precision > 53 or judge.session is not None:
            return nothing, ()
        try:
            steps = [
                (line.j, line.index, _double(line.u), _double(line.l), _double(line.weight))
                for _, line in lines
            ]
            with np.errstate(all="ignore"):  # what is not finite is not certain
                seen = self._truth.look(steps)
                return (nothing, ()) if seen is None else self._decided(lines, seen)
        except (TypeError, OverflowError):  # a value that is no double
            return nothing, ()

    def _decided(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen
    ) -> tuple[Sequence[bool], Sequence[Look]]:
        judge = self._judge
        bounds = self._grant.bounds(seen.norms)
        self.heed(bounds, seen.norms)
        each, index = np.arange(len(lines)), np.array([line.index for _, line in lines])
        first = seen.masses[:, : judge.data.unlabelled]
        doubt = seen.masses_off[:, : judge.data.unlabelled].sum(axis=1)
        total = first.sum(axis=1)
        columns = (
            seen.potential, seen.potential_off,
            seen.masses[each, index], seen.masses_off[each, index],
            seen.above, seen.above_off, total, doubt + self._truth.size * UNIT * np.abs(total),
        )  # fmt: skip
        looks: list[Look] = list(zip(*(column.tolist() for column in columns), strict=True))
        return self._inside(lines, seen, bounds).tolist(), looks

    def _inside(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen, bounds: Bounds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether all of a line lies within the near ends, with room for what doubles are off."""
        judge = self._judge
        phi, off = seen.potential, seen.potential_off
        written = 4 * self._grant.unit
        lowest = (1 - bounds.rho) / (1 + bounds.near_theta) * (1 - written) * (1 + _SLIGHT)
        highest = (1 + bounds.rho) / (1 - bounds.near_theta) * (1 + written) * (1 - _SLIGHT)
        least, most = (phi + off) * lowest, (phi - off) * highest
        given = np.array([_double(line.phi) for _, line in lines])
        fine = bounds.shows & (least <= given) & (given <= most)
        found = [("phi", given, phi, least, most)]
        reach = (bounds.near_tau * np.sqrt(seen.norms.both))[:, None]
        masses = np.maximum(seen.masses, 0)
        up = np.sqrt(masses + seen.masses_off)
        down = np.sqrt(np.maximum(masses - seen.masses_off, 0))
        least_mass = np.maximum(up - reach, 0) ** 2 * lowest[:, None]
        most_mass = (down + reach) ** 2 * highest[:, None]
        # By the true potential, which is at least and at most so large.
        low = least_mass / ((phi - off) * highest)[:, None] * (1 + _SLIGHT)
        high = most_mass / ((phi + off) * lowest)[:, None] * (1 - _SLIGHT)
        chances = masses / phi[:, None]
        shows = (high - low) < 2 * GROSS * chances * (1 - 1e-6)
        index = np.array([line.index for _, line in lines])
        each = np.arange(len(lines))
        if any(line.p is not None for _, line in lines):
            p = np.array(
                [_double(line.p, chances[k, line.index]) for k, (_, line) in enumerate(lines)]
            )
            floor, top = low[each, index], high[each, index]
            fine &= (floor <= p) & (p <= top) & shows[each, index]
            found.append(("p", p, chances[each, index], floor, top))
        untied = np.array([line.p is None and line.weight is not None for _, line in lines])
        if np.any(untied):  # no relation with p judges such a weight: gamma by the mass does
            gamma = float(judge.gamma)
            weight = gamma / masses[each, index]
            floor = gamma / most_mass[each, index] * (1 + _SLIGHT)
            top = gamma / least_mass[each, index] * (1 - _SLIGHT)
            given = np.array([_double(line.weight) for _, line in lines])
            shown = top - floor < 2 * GROSS * weight * (1 - 1e-6)
            fine &= ~untied | ((floor <= given) & (given <= top) & shown)
            found.append(("weight", np.where(untied, given, weight), weight, floor, top))
        listed = [line.probabilities for _, line in lines]
        if any(one is not None for one in listed):
            if None in listed:
                return np.zeros_like(fine)
            table = np.array([[_double(x) for x in one or ()] for one in listed])
            fine &= np.all((low <= table) & (table <= high), axis=1)
            fine &= np.sum(np.where(shows, 0.0, chances), axis=1) < GROSS * (1 - 1e-6)
            found.append(("probabilities", table, chances, low, high))
        fine &= masses[each, index] > 2 * seen.masses_off[each, index]
        if judge.uniforms is not None:
            fine &= self._picked(lines, seen, bounds, index)
        for field, *values in found:
            self._observe(field, *(value[fine] for value in values))
        return fine

    def _picked(
        self,
        lines: Sequence[tuple[int, IterationLine]],
        seen: Seen,
        bounds: Bounds,
        index: np.ndarray[tuple[int], np.dtype[np.int64]],
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether the uniform of every line certainly picks its point."""
        uniforms = self._judge.uniforms
        if uniforms is None:
            return np.ones(len(lines), dtype=np.bool_)
        size, each = self._truth.size, np.arange(len(lines))
        partial = np.cumsum(seen.masses, axis=1)
        total = partial[:, -1]
        doubt = np.sum(seen.masses_off, axis=1) * 2 + size * UNIT * total * 4
        light = bounds.near_tau * np.sqrt(seen.norms.both * size / seen.potential)
        share = 4 * (bounds.near_theta + bounds.rho) + 2 * light + light**2
        share = share + 2 * size * self._grant.unit
        slack = 1.001 * share * total + doubt
        target = np.array([float(uniforms.values[line.j]) for _, line in lines]) * total
        before = np.where(index > 0, partial[each, index - 1], 0.0)
        after = partial[each, index]
        inside: np.ndarray[tuple[int], np.dtype[np.bool_]] = before + slack <= target
        inside &= target < after - slack
        return inside

    def _observe(
        self, field: str, given: Doubles, true: Doubles, low: Doubles, high: Doubles
    ) -> None:
        """The largest error in units of its allowance."""
        with np.errstate(divide="ignore", invalid="ignore"):
            side = np.where(given > true, high - true, true - low)
            ratios = (np.abs(given - true) / side).ravel()
        self._judge.observe(field, float(np.max(ratios[np.isfinite(ratios)], initial=0.0)))


def _double(raw: Raw | None, absent: float = 0.0) -> float:
    """A JSON number, or an error."""
    if isinstance(raw, str):
        raise TypeError
    return absent if raw is None else float(raw)
