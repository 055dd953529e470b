"""Which steps of a block are certainly right: doubles, with room for all that they are off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from asura.trace import IterationLine
from asura_verify.oracle.trace.values import Raw
from asura_verify.oracle.truth.allowance import GROSS, Defects
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


@dataclass(frozen=True, slots=True)
class Intervals:
    """Between which phi, the masses and the probabilities of every step lie."""

    least: Doubles
    most: Doubles
    lightest: Doubles  # steps by points
    heaviest: Doubles
    low: Doubles
    high: Doubles

    def weights(self, gamma: float, index: NDArray[np.int64]) -> tuple[Doubles, Doubles]:
        """The ends of gamma by the mass of the picked points."""
        picked = np.arange(len(index)), index
        floor = gamma / self.heaviest[picked] * (1 + _SLIGHT)
        return floor, gamma / self.lightest[picked] * (1 - _SLIGHT)


class InDoubles:
    """Looks at blocks of lines; what it cannot decide is left to balls."""

    def __init__(self, judge: Stating, grant: Grant, truth: StatedTruth) -> None:
        self._judge, self._grant, self._truth = judge, grant, truth
        self.granted = 0.0  # the largest allowance of a mass so far
        self.beyond = 0.0  # the same by methods that show nothing
        self.hopeless = False  # whether some honest method may have had no digit of a step

    def heed(self, bounds: Bounds, norms: Norms) -> None:
        """Remember what is granted, for whoever makes balls of the values."""
        reach = np.sqrt(norms.both * self._truth.size / norms.potential)
        near, far = (
            4 * (theta + bounds.rho) + 2 * tau * reach + (tau * reach) ** 2
            for theta, tau in (
                (bounds.near_theta, bounds.near_tau),
                (bounds.far_theta, bounds.far_tau),
            )
        )
        self.granted = max(self.granted, float(np.max(np.where(bounds.shows, near, 1.0))))
        self.beyond = max(self.beyond, float(np.max(far)))
        self.hopeless = self.hopeless or not bool(np.all(bounds.far_theta < 1))

    def certain(
        self, lines: Sequence[tuple[int, IterationLine]]
    ) -> tuple[Sequence[bool], Sequence[Look], Sequence[Defects]]:
        """Which steps are certainly right and decided, and what was seen of every one."""
        judge = self._judge
        nothing: Sequence[bool] = [False] * len(lines)
        if judge.precision > 53 or judge.session is not None:
            return nothing, (), ()
        try:
            steps = [
                (line.j, line.index, _double(line.u), _double(line.l), _double(line.weight))
                for _, line in lines
            ]
            with np.errstate(all="ignore"):  # what is not finite is not certain
                seen = self._truth.look(steps)
                return (nothing, (), ()) if seen is None else self._decided(lines, seen)
        except (TypeError, OverflowError):  # a value that is no double
            return nothing, (), ()

    def _decided(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen
    ) -> tuple[Sequence[bool], Sequence[Look], Sequence[Defects]]:
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
        defects = self._grant.defects(seen.norms)
        return self._inside(lines, seen, bounds).tolist(), looks, defects

    def _inside(
        self, lines: Sequence[tuple[int, IterationLine]], seen: Seen, bounds: Bounds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether all of a line lies within the near ends, with room for what doubles are off."""
        judge = self._judge
        phi, masses = seen.potential, np.maximum(seen.masses, 0)
        near = self._intervals(seen, bounds.rho, bounds.near_theta, bounds.near_tau)
        far = self._intervals(seen, bounds.rho, bounds.far_theta, bounds.far_tau)
        given = np.array([_double(line.phi) for _, line in lines])
        fine = bounds.shows & (near.least <= given) & (given <= near.most)
        found = [("phi", given, phi, far.least, far.most)]
        chances = masses / phi[:, None]
        shows = (near.high - near.low) < 2 * GROSS * chances * (1 - 1e-6)
        index = np.array([line.index for _, line in lines])
        each = np.arange(len(lines))
        if any(line.p is not None for _, line in lines):
            p = np.array(
                [_double(line.p, chances[k, line.index]) for k, (_, line) in enumerate(lines)]
            )
            picked = each, index
            fine &= (near.low[picked] <= p) & (p <= near.high[picked]) & shows[picked]
            found.append(("p", p, chances[picked], far.low[picked], far.high[picked]))
        untied = np.array([line.p is None and line.weight is not None for _, line in lines])
        if np.any(untied):  # no relation with p judges such a weight: gamma by the mass does
            gamma = float(judge.gamma)
            weight = gamma / masses[each, index]
            floor, top = near.weights(gamma, index)
            given = np.array([_double(line.weight) for _, line in lines])
            shown = top - floor < 2 * GROSS * weight * (1 - 1e-6)
            fine &= ~untied | ((floor <= given) & (given <= top) & shown)
            found.append(
                ("weight", np.where(untied, given, weight), weight, *far.weights(gamma, index))
            )
        listed = [line.probabilities for _, line in lines]
        if any(one is not None for one in listed):
            if None in listed:
                return np.zeros_like(fine)
            table = np.array([[_double(x) for x in one or ()] for one in listed])
            fine &= np.all((near.low <= table) & (table <= near.high), axis=1)
            fine &= np.sum(np.where(shows, 0.0, chances), axis=1) < GROSS * (1 - 1e-6)
            found.append(("probabilities", table, chances, far.low, far.high))
        fine &= masses[each, index] > 2 * seen.masses_off[each, index]
        if judge.uniforms is not None:
            fine &= self._picked(lines, seen, bounds, index)
        for field, *values in found:
            self._observe(field, *(value[fine] for value in values))
        return fine

    def _intervals(self, seen: Seen, rho: Doubles, theta: Doubles, tau: Doubles) -> Intervals:
        """By the theorem of one perturbed step, which says nothing from theta = 1 on."""
        theta = np.where(theta < 1, theta, np.nan)
        phi, off, written = seen.potential, seen.potential_off, 4 * self._grant.unit
        lowest = (1 - rho) / (1 + theta) * (1 - written) * (1 + _SLIGHT)
        highest = (1 + rho) / (1 - theta) * (1 + written) * (1 - _SLIGHT)
        reach = (tau * np.sqrt(seen.norms.both))[:, None]
        masses = np.maximum(seen.masses, 0)
        up = np.sqrt(masses + seen.masses_off)
        down = np.sqrt(np.maximum(masses - seen.masses_off, 0))
        lightest = np.maximum(up - reach, 0) ** 2 * lowest[:, None]
        heaviest = (down + reach) ** 2 * highest[:, None]
        # By the true potential, which is at least and at most so large.
        low = lightest / ((phi - off) * highest)[:, None] * (1 + _SLIGHT)
        high = heaviest / ((phi + off) * lowest)[:, None] * (1 - _SLIGHT)
        return Intervals((phi + off) * lowest, (phi - off) * highest, lightest, heaviest, low, high)

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
        """The largest error in units of what would be an accusation."""
        with np.errstate(divide="ignore", invalid="ignore"):
            side = np.where(given > true, high - true, true - low)
            ratios = (np.abs(given - true) / side).ravel()
        self._judge.observe(field, float(np.max(ratios[np.isfinite(ratios)], initial=0.0)))


def _double(raw: Raw | None, absent: float = 0.0) -> float:
    """A JSON number, or an error."""
    if isinstance(raw, str):
        raise TypeError
    return absent if raw is None else float(raw)
