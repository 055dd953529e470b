"""Instances of the lower bound: packings, designs with copies, and the matching learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from asura_verify.instances.draw import Draw, small_rational


@dataclass(frozen=True)
class PackingInstance:
    """The inputs of Algorithm 3."""

    dimension: int
    lam: Fraction
    epsilon: Fraction

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"d": self.dimension, "lambda": self.lam, "epsilon": self.epsilon}


@dataclass(frozen=True)
class DesignInstance:
    """Signs, lambda, epsilon and the number of copies of each e_i/sqrt(n)."""

    signs: tuple[int, ...]
    lam: Fraction
    epsilon: Fraction
    copies: int

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"d": len(self.signs), "lambda": self.lam, "epsilon": self.epsilon}


@dataclass(frozen=True)
class LearnerInstance:
    """Labels of the copies of one coordinate, a root s of eps lambda, and lambda."""

    labels: tuple[Fraction, ...]
    lam: Fraction
    root: Fraction

    @property
    def epsilon(self) -> Fraction:
        """eps = s^2/lambda."""
        return self.root**2 / self.lam

    @property
    def parameters(self) -> Mapping[str, Fraction | int]:
        """What hypotheses can ask about."""
        return {"lambda": self.lam, "epsilon": self.epsilon}


def packing_instance(draw: Draw) -> PackingInstance:
    """d up to 11, and the corners of the ranges of lambda and epsilon."""
    lam = draw.choice((Fraction(1), Fraction(50), Fraction(draw.integer(4, 200), 4)))
    epsilon = draw.choice((Fraction(1, 100), Fraction(1, draw.integer(100, 10**4))))
    return PackingInstance(draw.integer(1, 11), lam, epsilon)


def design_instance(draw: Draw) -> DesignInstance:
    """Up to three coordinates, 16 or 64 copies each."""
    signs = tuple(draw.choice((1, -1)) for _ in range(draw.integer(1, 3)))
    lam = Fraction(draw.integer(0, 20), draw.choice((1, 2)))
    return DesignInstance(signs, lam, Fraction(1, draw.integer(2, 300)), draw.choice((16, 64)))


def learner_instance(draw: Draw) -> LearnerInstance:
    """Up to seven copies with any labels."""
    labels = tuple(small_rational(draw, 6) for _ in range(draw.integer(2, 7)))
    lam = Fraction(draw.integer(1, 12), draw.choice((1, 2, 3)))
    return LearnerInstance(labels, lam, Fraction(draw.integer(1, 9), 10))
