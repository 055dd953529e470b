"""Which point a step picks, at the very ends of what rounding may decide."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from flint import arb

from asura.trace import IterationLine
from asura_verify.oracle.kept.picking import judge_pick

JUST = 2.0**-40


class Bench:
    """Listens; without roundings unless told."""

    def __init__(self, uniform: float | None, ending: str = "overshoot", unit: float = 0.0) -> None:
        self.scheme = SimpleNamespace(ending=ending)
        given = [Fraction(1, 3), Fraction(uniform or 0)]
        self.uniforms = None if uniform is None else SimpleNamespace(values=given)
        self.unit = arb(unit)
        self.session: Any = None
        self.doubted = 0.0
        self.counted: list[str] = []
        self.accused: list[tuple[Any, ...]] = []
        self.left: list[tuple[str, int]] = []
        self.unknown: list[float] = []
        self.beyond: list[tuple[int | None, str]] = []

    def count(self, field: str) -> None:
        self.counted.append(field)

    def accuse(self, *facts: Any) -> None:
        self.accused.append(facts)

    def leave_to_rounding(self, field: str, j: int, share: float) -> None:
        self.left.append((field, j))
        self.unknown.append(share)

    def leave_unexplained(self, j: int | None, field: str) -> None:
        self.beyond.append((j, field))

    @property
    def said(self) -> str:
        """What was said of the pick."""
        assert self.counted == ["index"]
        assert len(self.accused) + len(self.left) <= 1
        return "wrong" if self.accused else "open" if self.left else "right"


def granted_of(near: float = 2.0**-6, far: float = 2.0**-4, masses: Any = (1.0, 0.5, 0.5)) -> Any:
    known = [arb(x) for x in masses]
    seen = SimpleNamespace(masses=known, potential=sum(known, arb(0)))
    return SimpleNamespace(seen=seen, share=near, most=far)


def line_of(index: int = 1, probabilities: Any = None) -> IterationLine:
    return IterationLine(j=1, index=index, probabilities=probabilities)


def parts_of(part: Any) -> tuple[Any, Any]:
    """The part of a step by methods that keep enough digits and by all: one, or each its own."""
    return part if isinstance(part, tuple) else (part, part)


def picked(
    uniform: float, *, index: int = 1, ending: str = "overshoot", part: Any = None,
    listed: Any = None, wrong: Any = (), unit: float = 0.0, **granted: Any,
) -> str:  # fmt: skip
    bench: Any = Bench(uniform, ending, unit)
    line = line_of(index, listed)
    judge_pick(bench, 7, line, granted_of(**granted), set(wrong), parts_of(part))
    if bench.left:
        assert bench.left == [("index", 1)]
    if bench.beyond:
        assert (bench.beyond, bench.left) == ([(1, "index")], [("index", 1)])
        return "beyond"
    return str(bench.said)


def test_a_pick_by_the_masses() -> None:
    """Probabilities 1/2, 1/4, 1/4: point 1 has [1/2, 3/4), known to 2^-6, or to 2^-4 by others."""
    for uniform, said in (
        (0.5 + 2.0**-6, "right"),
        (0.5 + 2.0**-6 - JUST, "open"),
        (0.5, "open"),
        (0.5 - 2.0**-6, "open"),
        (0.5 - 2.0**-6 - JUST, "beyond"),  # by the near methods it is wrong, by others it is not
        (0.5 - 2.0**-4, "beyond"),
        (0.5 - 2.0**-4 - JUST, "wrong"),
        (0.75 - 2.0**-6 - JUST, "right"),
        (0.75 - 2.0**-6, "open"),
        (0.75 + 2.0**-6 - JUST, "open"),
        (0.75 + 2.0**-6, "beyond"),
        (0.75 + 2.0**-4 - JUST, "beyond"),
        (0.75 + 2.0**-4, "wrong"),
        (0.0, "wrong"),
    ):
        assert picked(uniform) == said, uniform
    assert picked(0.25, index=0) == "right"
    assert picked(0.25, index=2) == "wrong"
    assert picked(0.875, index=2) == "right"


def test_what_is_not_known_of_a_pick_that_is_open() -> None:
    """By the methods that keep enough digits, or by what is listed and its own sum."""
    listed = [0.25, 0.5, 0.25 + 2.0**-7]
    for uniform, probabilities, unknown in (
        (0.5, None, 2.0**-6),
        (0.5 - 2.0**-5, None, 2.0**-6),
        (0.25, listed, 2.0**-7),
    ):
        bench: Any = Bench(uniform)
        judge_pick(bench, 7, line_of(1, probabilities), granted_of(), set(), (None, None))
        assert (bench.left, bench.unknown) == ([("index", 1)], [unknown])


def test_every_addition_is_a_rounding() -> None:
    """Three of them besides, of 2^-10 each."""
    slack = 2.0**-6 + 3 * 2.0**-10
    assert picked(0.5 + slack, unit=2.0**-10) == "right"
    assert picked(0.5 + slack - JUST, unit=2.0**-10) == "open"


def test_what_is_said_of_a_wrong_pick() -> None:
    bench: Any = Bench(0.125)
    judge_pick(bench, 7, line_of(), granted_of(), set(), (None, None))
    (facts,) = bench.accused
    assert facts[:4] == (7, 1, "index", 1)
    assert facts[4:6] == ("r in [0.50000000", "0.75000000)")
    assert facts[6:8] == (None, 2.0**-4)
    assert facts[8].startswith("r = 0.125")


def test_a_pick_by_what_is_listed() -> None:
    """1/4, 1/2, 1/4 are listed: point 1 has [1/4, 3/4), up to roundings; others do not excuse."""
    listed = [0.25, 0.5, 0.25]
    assert picked(0.375, listed=listed) == "right"
    assert picked(0.25, listed=listed, near=0.0) == "right"
    assert picked(0.25 - JUST, listed=listed, far=0.5) == "wrong"
    assert picked(0.375, listed=listed, wrong={"probabilities"}) == "wrong"
    assert picked(0.375, listed=listed, wrong={"p"}) == "right"
    # 14 roundings and three additions of 2^-10; the sum of the list is 1 + 2^-7.
    more = [0.25, 0.5, 0.25 + 2.0**-7]
    slack = 17 * 2.0**-10 + 2.0**-7
    for uniform, said in (
        (0.25 + slack, "right"), (0.25 + slack - JUST, "open"),
        (0.25 - slack, "open"), (0.25 - slack - JUST, "wrong"),
        (0.75 + slack - JUST, "open"), (0.75 + slack, "wrong"),
    ):  # fmt: skip
        assert picked(uniform, listed=more, near=0.5, far=0.0, unit=2.0**-10) == said, uniform
    less = [0.25, 0.5, 0.25 - 2.0**-7]
    assert picked(0.25 - 2.0**-7, listed=less, near=0.5) == "open"
    assert picked(0.25 - 2.0**-7, listed=less, near=0.0) == "open"  # by its own list


def test_a_coin_leaves_out_from_its_share_on() -> None:
    """Three quarters of the step are made: point 1 has [3/8, 9/16), and 3/4 on leaves it out."""
    coin: dict[str, Any] = {"ending": "coin", "part": arb(0.75), "near": 0.0, "far": 0.0}
    assert picked(0.375, **coin) == "right"
    assert picked(0.375 - JUST, **coin) == "wrong"
    assert picked(0.5625 - JUST, **coin) == "right"
    assert picked(0.5625, **coin) == "wrong"
    assert picked(0.75, index=3, **coin) == "right"
    assert picked(1.0 - JUST, index=3, **coin) == "right"
    assert picked(0.75 - JUST, index=3, **coin) == "wrong"
    # Who clips draws from all of it.
    assert picked(0.375, **(coin | {"ending": "clip"})) == "wrong"
    assert picked(0.5, **(coin | {"part": None})) == "right"
    # How much of the step is made may not be known.
    ball = arb(0.75, 0.03125)
    slack = float(ball.rad())
    doubted = coin | {"part": ball}
    assert picked(0.75 + slack, index=3, **doubted) == "right"
    assert picked(0.75 + slack - JUST, index=3, **doubted) == "open"
    assert picked(1.0 - JUST, index=3, **doubted) == "right"


def test_a_coin_whose_share_only_lossy_methods_do_not_know() -> None:
    """Three quarters are made, known to 2^-8 by some and to 2^-5 by others."""
    parts = arb(0.75, 2.0**-8), arb(0.75, 2.0**-5)
    coin: dict[str, Any] = {"ending": "coin", "part": parts, "near": 0.0, "far": 0.0}
    for uniform, said in (
        (0.75 + 2.0**-7, "right"), (0.75, "open"), (0.75 - 2.0**-7, "beyond"),
        (0.75 - 2.0**-4, "wrong"),
    ):  # fmt: skip
        assert picked(uniform, index=3, **coin) == said
        listed = [0.5, 0.25, 0.25]
        assert picked(uniform, index=3, listed=listed, **coin) == said
    # By those that keep digits the whole step is made.
    assert picked(0.8125, **(coin | {"part": (None, arb(0.875, 0.125))})) == "wrong"
    assert picked(0.5, **(coin | {"part": (None, arb(0.875, 0.125))})) == "right"


# -- draws that are bet on -------------------------------------------------------------------------


class Session:
    def __init__(self) -> None:
        self.drawn: list[tuple[list[float], int]] = []

    def draw(self, chances: Any, index: int) -> None:
        self.drawn.append((chances.tolist(), index))


def drawn(index: int = 1, ending: str = "overshoot", part: Any = None, **granted: Any) -> Any:
    bench: Any = Bench(None, ending)
    bench.session = Session()
    judge_pick(bench, 7, line_of(index), granted_of(**granted), set(), parts_of(part))
    assert bench.counted == []
    return bench.session.drawn


def test_a_draw_is_bet_on() -> None:
    assert drawn() == [([0.5, 0.25, 0.25], 1)]
    assert drawn(0, masses=(0.0, 0.5, 0.5)) == []
    assert drawn(0, masses=(0.0, 0.0, 0.0)) == []
    assert drawn(0, masses=(0.0, math.inf, 1.0)) == []
    assert drawn(masses=(0.5, 2.0**-30, 0.5 - 2.0**-30)) != []


def test_a_coin_is_a_place_of_its_own() -> None:
    assert drawn(3, "coin", arb(0.75)) == [([0.375, 0.1875, 0.1875, 0.25], 3)]
    assert drawn(1, "coin", arb(1.5)) == [([0.5, 0.25, 0.25, 0.0], 1)]
    assert drawn(1, "coin") == [([0.5, 0.25, 0.25, 0.0], 1)]
    assert drawn(3, "coin") == []
    assert drawn(1, "clip", arb(0.75)) == [([0.5, 0.25, 0.25], 1)]


def test_the_largest_doubt_of_a_draw_is_kept() -> None:
    bench: Any = Bench(None)
    bench.session, bench.doubted = Session(), 2.0**-5
    judge_pick(bench, 7, line_of(), granted_of(), set(), (None, None))
    assert bench.doubted == 2.0**-5
    bench.doubted = 2.0**-7
    judge_pick(bench, 7, line_of(), granted_of(), set(), (None, None))
    assert bench.doubted == 2.0**-6
    coin: Any = Bench(None, "coin")
    coin.session = Session()
    judge_pick(coin, 7, line_of(), granted_of(), set(), parts_of(arb(0.75, 0.125)))
    assert 2.0**-6 + 0.125 <= coin.doubted < 2.0**-6 + 0.1251
    plain: Any = Bench(0.625)
    judge_pick(plain, 7, line_of(), granted_of(), set(), (None, None))
    assert plain.doubted == 0.0
