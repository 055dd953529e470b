"""A state of small numbers, for tests of what is made of its values."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from flint import arb, arb_mat, ctx

from asura.stopping import PAPER
from asura_verify.oracle.trace.values import Reported
from asura_verify.oracle.views.local import LocalStep

QUARTER = Fraction(1, 4)


def identity(size: int, factor: int = 1) -> arb_mat:
    return arb_mat([[factor * (i == k) for k in range(size)] for i in range(size)])


def state_of(dimension: int = 1, gamma: Fraction = QUARTER, **facts: Any) -> Any:
    """A state that has heard nothing: two points of leverage 1 and 1/2."""
    replay = SimpleNamespace(
        dimension=dimension,
        gram=identity(dimension),
        leverages=lambda: [arb(1), arb(0.5)],
        vanishes=lambda _: False,
        outer=lambda _: identity(dimension),
    )
    known = {
        "replay": replay,
        "gamma": gamma,
        "rule": PAPER,
        "data": SimpleNamespace(unlabelled=1),
        "halted": False,
        "stop_open": False,
        "reported": Reported(),
        "doubtful_stop": False,
        "picks": [0],
    }
    return SimpleNamespace(**(known | facts))


def ends(ball: arb) -> tuple[arb, arb]:
    """The ends of a ball, exactly."""
    with ctx.workprec(1024):
        return ball.lower(), ball.upper()


def step_of(**facts: Any) -> LocalStep:
    """B = 0 between -8 and 8, in one dimension."""
    known: dict[str, Any] = {
        "upper": arb(8),
        "lower": arb(-8),
        "accumulated": arb_mat([[0]]),
        "definite": True,
        "potential": arb(0.25),
        "mass": arb(0.25),
        "upper_mass": arb(0.125),
        "unlabelled_mass": arb(0.25),
    }
    return LocalStep(**(known | facts))
