"""One certified run, which the predicates judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flint import arb, arb_mat

from asura.arithmetic import BallArithmetic
from asura.dataset import Dataset
from asura.errors import EndlessRun
from asura.randomness import Seed
from asura.run import Run, run
from asura.scalars import rational
from asura.stopping import PAPER, StoppingRule
from asura_verify import formulas


@dataclass(frozen=True)
class RunInstance:
    """One run of Algorithm 2 in balls."""

    data: Dataset
    gamma: Fraction
    seed: int
    stopping: StoppingRule = PAPER
    bits: int = 128

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"gamma": self.gamma, "d": self.data.dimension, "T": self.stopping.level}

    def refined(self) -> RunInstance | None:
        """The same run with twice the bits, up to a ceiling."""
        return replace(self, bits=2 * self.bits) if self.bits < 4096 else None

    @cached_property
    def run(self) -> Run[arb, arb_mat]:
        """The run."""
        return run(
            self.data,
            self.gamma,
            arithmetic=BallArithmetic(self.bits),
            chooser=Seed(self.seed),
            stopping=self.stopping,
            observer=self._not_too_long,
        )

    def _not_too_long(self, iterations: int, progress: float) -> None:
        """A run far beyond every bound is given up: a broken sampler need not stop."""
        usual = self.data.dimension / self.gamma**2
        if iterations > 100 + 20 * self.stopping.level * usual:
            text = f"{iterations} iterations, where about {int(usual)} are usual"
            raise EndlessRun(text, value=iterations)

    @contextmanager
    def working(self) -> Iterator[BarrierPath]:
        """The path of the run, within the precision that the run was made with."""
        with self.run.arithmetic.working():
            yield self.path

    @cached_property
    def path(self) -> BarrierPath:
        """The barriers and potentials, for j = 0, ..., m."""
        records = self.run.iterations
        return BarrierPath(
            dimension=self.run.algorithm.dimension,
            gamma=arb(rational(self.gamma)),
            upper=[*(record.upper for record in records), self.run.final.upper],
            lower=[*(record.lower for record in records), self.run.final.lower],
            potential=[record.distribution.potential for record in records],
        )


@dataclass(frozen=True)
class BarrierPath:
    """Barriers u_0..u_m, l_0..l_m and potentials Phi_0..Phi_{m-1} of one run, as balls."""

    dimension: int
    gamma: arb
    upper: list[arb]
    lower: list[arb]
    potential: list[arb]

    @property
    def length(self) -> int:
        """m."""
        return len(self.potential)

    @property
    def mid(self) -> arb:
        """(u_m + l_m)/2."""
        return (self.upper[-1] + self.lower[-1]) / 2

    def gap(self, j: int) -> arb:
        """u_j - l_j."""
        return self.upper[j] - self.lower[j]

    def clock(self, j: int) -> arb:
        """r_j = gamma gap_j/(4d) - 1."""
        return formulas.clock(self.gamma, self.dimension, self.gap(j))

    @cached_property
    def elapsed(self) -> list[arb]:
        """s_j = (gamma/4d) sum_{i<j} Phi_i."""
        total, sums = arb(0), [arb(0)]
        for value in self.potential:
            total += value
            sums.append(self.gamma * total / (4 * self.dimension))
        return sums
