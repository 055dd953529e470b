"""Relations of a scheme: every expectation and every bound in exact rationals, by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from asura.trace import IterationLine, ResultLine
from asura_verify.oracle.kept.relations import SchemeRelations, reported
from asura_verify.oracle.kept.scheme import Roundings, Scheme
from asura_verify.oracle.truth.allowance import Defects
from asura_verify.oracle.views.relations import Exact, exactly

F = Fraction
BITS = 20


def off(count: int | fmpq) -> Any:
    """k e/(1 - k e) of 20 bits."""
    share = fmpq(count) / 2**BITS
    return share / (1 - share)


class Heard:
    """A court that only listens."""

    def __init__(self) -> None:
        self.compared: list[tuple[Any, ...]] = []
        self.opened: list[tuple[str, int]] = []
        self.unexplained: list[tuple[int | None, str]] | None = None  # nothing is expected

    def compare(
        self, line: int, j: int | None, field: str, given: fmpq, expected: fmpq, bound: fmpq,
        relation: str, *, place: int | None = None,
    ) -> bool:  # fmt: skip
        self.compared.append((line, j, field, given, expected, bound, relation, place))
        return bool(abs(given - expected) <= bound)

    def leave_open(self, field: str, many: int = 1) -> None:
        self.opened.append((field, many))

    def leave_unexplained(self, j: int | None, field: str) -> None:
        assert self.unexplained is not None, (j, field)
        self.unexplained.append((j, field))


def scheme_of(**facts: Any) -> Scheme:
    """K1 with constants that tell each other apart."""
    known: dict[str, Any] = {
        "slug": "two-sided", "words": "", "pool": 3, "rank": F(3, 2), "step": F(1, 4),
        "distance": F(12), "upper": F(2), "lower": F(2, 3), "offset": F(0), "goal": F(18),
        "potential_rate": F(0), "ending": "clip",
        "roundings": Roundings(F(1), F(2), F(3), F(5), F(7), F(11)),
    }  # fmt: skip
    return Scheme(**(known | facts))


def relations_of(**facts: Any) -> Any:  # called for its privates
    return SchemeRelations(scheme_of(**facts), 2, BITS)


def q(*values: Any) -> Exact:
    return Exact(*(None if value is None else fmpq(value) for value in values))


# -- the barriers ----------------------------------------------------------------------------------


def heard(relations: Any, now: Exact, j: int | None = 3) -> list[tuple[Any, ...]]:
    court = Heard()
    found = relations.barriers(court, 9, j, now)
    assert set(found) == {each[2] for each in court.compared}
    return court.compared


def test_where_barriers_start() -> None:
    (u, low) = heard(relations_of(), q(0, 0), 0)
    assert u == (9, 0, "u", 0, 0, 0, "u_0 is where the barriers start", None)
    assert low == (9, 0, "l", 0, 0, 0, "l_0 is where the barriers start", None)
    (u, low) = heard(relations_of(offset=F(16), slug="tight-rates"), q(16, -16), 0)
    assert u[4:6] == (16, 16 * off(15))
    assert low[4:6] == (-16, 16 * off(15))


def stepped(now: Exact, **facts: Any) -> Any:
    relations = relations_of(**facts)
    relations.keep(now, (), part=False, left_out=False)
    return relations


def test_how_barriers_grow() -> None:
    """By 2/4/phi and (2/3)/4/phi; three roundings, and those of the constants."""
    relations = stepped(q(6, 2, fmpq(1, 8), None, None))
    (u, low) = heard(relations, q(9, 1))
    assert u[4:7] == (10, 4 * off(3 + 1 + 2) + 9 * off(8), "u_(j+1) = u_j + upper step/phi_j")
    assert low[4] == 2 + fmpq(4, 3)
    assert low[5] == fmpq(4, 3) * off(3 + 1 + 3) + 2 * off(8)
    assert low[6] == "l_(j+1) = l_j + lower step/phi_j"
    (u,) = heard(relations, q(-5, None))
    assert u[5] == 4 * off(6) + 6 * off(8)
    (u,) = heard(relations, q(-7, None))
    assert u[5] == 4 * off(6) + 7 * off(8)


def test_the_step_of_a_scheme_is_its_own() -> None:
    """step = 3/8, upper = 4: u grows by 3/2/phi, and a weight is (3/8)/(phi p)."""
    relations = stepped(q(6, 2, 1), step=F(3, 8), upper=F(4))
    (u, low) = heard(relations, q(7, 2))
    assert (u[4], low[4]) == (fmpq(15, 2), fmpq(9, 4))
    court = Heard()
    relations.chances(court, 9, line_of(), q(None, None, 1, 1, 1), Defects(0.0, 0.0, 0.0))
    assert court.compared[0][4] == fmpq(3, 8)
    assert court.compared[0][5] == fmpq(3, 8) * (off(7) + 2 * relations.tiny)


def test_barriers_that_start_apart_have_the_ulps_of_the_upper_one() -> None:
    relations = stepped(q(20, -3, fmpq(1, 8)), offset=F(16))
    (_, low) = heard(relations, q(-24, 1))
    assert low[5] == fmpq(4, 3) * off(7) + 24 * off(8)
    (low,) = heard(relations, q(None, 5))
    assert low[5] == fmpq(4, 3) * off(7) + 5 * off(8)
    (low,) = heard(relations, q(None, 1))
    assert low[5] == fmpq(4, 3) * off(7) + 3 * off(8)


def test_what_is_absent_ties_nothing() -> None:
    assert heard(stepped(q(6, 2, None)), q(9, 1)) == []
    assert heard(stepped(q(6, 2, 0)), q(9, 1)) == []
    assert heard(stepped(q(6, 2, -1)), q(9, 1)) == []
    assert heard(stepped(q(None, None, 1)), q(9, 1)) == []


def test_barriers_at_the_goal() -> None:
    relations = stepped(q(6, 2, fmpq(1, 8)))
    relations.at_goal = True
    (u, low) = heard(relations, q(36, 12))
    assert u[4:7] == (36, 36 * (off(4 + 2) + off(7)), "u_m belongs to sigma at its goal")
    assert low[4:6] == (12, 12 * (off(4 + 3) + off(7)))
    relations.at_goal = None
    assert heard(relations, q(36, 12)) == []
    assert relations_of().at_goal is False


# -- sigma -----------------------------------------------------------------------------------------


def test_sigma_by_the_barriers() -> None:
    relations = relations_of()
    assert relations.progress(q(6, 2)) == (3, 2 * off(7) * fmpq(3, 2))
    assert relations.progress(q(6, None)) == (3, 6 * off(6) / 2)
    assert relations.progress(q(None, None)) is None
    apart = relations_of(offset=F(16))
    assert apart.progress(q(6, 2)) == (27, 34 * off(7) * fmpq(3, 2))
    assert apart.progress(q(22, None)) == (3, 54 * off(6) / 2)
    assert apart.progress(q(6, -2)) == (21, 34 * off(7) * fmpq(3, 2))
    alone = relations_of(upper=None)
    assert alone.progress(q(6, None)) is None


def test_mid_is_sigma() -> None:
    tied: dict[str, set[int]] = {}
    relations, court = relations_of(), Heard()
    given = ResultLine(m=1, mid=3.5)
    assert relations._middle(court, 4, given, q(6, 2), tied) == (fmpq(7, 2), 0)
    sigma, doubt = relations.progress(q(6, 2))
    ((line, j, field, value, expected, bound, name, _),) = court.compared
    assert (line, j, field, value, expected) == (4, None, "mid", fmpq(7, 2), 3)
    assert bound == doubt + 3 * off(3)
    assert name == "mid = sigma_m = l_m/lower"
    assert tied == {"mid": set()}
    assert sigma == 3
    absent = ResultLine(m=1)
    assert relations._middle(court, 4, absent, q(6, 2), {}) == (3, doubt / 3)
    # Where no barrier tells it, mid is taken as it is reported.
    assert relations._middle(court, 4, given, q(None, None), {}) == (fmpq(7, 2), 0)
    assert relations._middle(court, 4, given, q(0, 0), {}) == (fmpq(7, 2), 0)
    assert relations._middle(court, 4, absent, q(None, None), {}) is None
    assert relations._middle(court, 4, ResultLine(m=1, mid=0.0), q(None, None), {}) is None
    assert relations._middle(court, 4, ResultLine(m=1, mid=0.0), q(6, 2), {}) is None
    assert relations._middle(court, 4, ResultLine(m=1, mid=0.5), q(None, None), {}) is not None
    assert relations._middle(court, 4, given, q(-6, -2), {}) == (fmpq(7, 2), 0)
    assert len(court.compared) == 2
    half = ResultLine(m=1, mid=0.5)
    assert relations._middle(court, 4, half, q(1, fmpq(1, 3)), {}) == (fmpq(1, 2), 0)
    assert court.compared[2][3:5] == (fmpq(1, 2), fmpq(1, 2))


def test_mid_of_algorithm_2_is_between_its_barriers() -> None:
    court = Heard()
    plain = relations_of(slug="tight-rates", offset=F(16))
    plain._middle(court, 4, ResultLine(m=1, mid=4.0), q(20, -12), {})
    assert court.compared[0][4] == 4


# -- weights ---------------------------------------------------------------------------------------


def line_of(**facts: Any) -> IterationLine:
    return IterationLine(j=3, index=1, **facts)


def test_the_weight_of_a_step() -> None:
    """step/(phi p), six roundings and the step's; the sum of the masses may differ from phi."""
    for share in (0.0, 2.0**-12):
        relations, court = relations_of(), Heard()
        now = q(None, None, fmpq(1, 2), fmpq(1, 4), 2)
        relations.chances(court, 9, line_of(), now, Defects(share, share, share))
        ((_, _, field, given, expected, bound, _, _),) = court.compared
        assert (field, given, expected) == ("weight", 2, 2)
        assert bound == 2 * (off(7) + 8 * relations.tiny) + 2 * fmpq(*share.as_integer_ratio())


def test_p_is_the_one_that_is_listed() -> None:
    """Four roundings, and what the sum of the masses may differ; also of what is negative."""
    relations, court = relations_of(), Heard()
    line = line_of(probabilities=[1.5, -0.5])
    defects = Defects(2.0**-12, 2.0**-12, 2.0**-12)
    relations.chances(court, 9, line, q(None, None, None, fmpq(-1, 2)), defects)
    _, (_, _, field, given, expected, bound, _, _) = court.compared
    assert (field, given, expected) == ("p", fmpq(-1, 2), fmpq(-1, 2))
    assert bound == fmpq(1, 2) * (off(4) + fmpq(1, 2**12)) + 2 * relations.tiny


def clipped(
    now: Exact, *, perhaps: bool = False, doubt: float = 0.0, defect: float = 0.0,
    near: float = 0.0, far: float = 0.0, most: float | None = None,
) -> Any:  # fmt: skip
    """What is said of it; "open" is what only methods explain that have lost their digits."""
    relations, court = relations_of(), Heard()
    defects = Defects(defect, near, far)
    court.unexplained = []
    doubts = doubt, doubt if most is None else most
    right = relations.clipped(court, (9, 3), now, doubts, defects, perhaps=perhaps)
    assert court.unexplained in ([], [(3, "weight")])
    return "open" if court.unexplained else right, court.compared


def edge(doubt: float = 0.0, defect: float = 0.0) -> Any:
    """sigma = 15 by l = 10, the goal is 18, p = 1/4: what a clipped weight of 12 may be off."""
    tiny = SchemeRelations(scheme_of(), 2, BITS).tiny
    known = 10 * off(7) * fmpq(3, 2) + 15 * off(4) + 18 * (off(4) + exactly(doubt))
    return 4 * (known + 3 * (off(11) + exactly(defect)) + 2 * tiny)


@pytest.mark.parametrize(("doubt", "defect"), [(0.0, 0.0), (2.0**-6, 0.0), (0.0, 2.0**-5)])
def test_a_clipped_weight(doubt: float, defect: float) -> None:
    right, compared = clipped(q(30, 10, 1, fmpq(1, 4), 12), doubt=doubt, defect=defect)
    assert right
    ((line, j, field, given, expected, bound, name, _),) = compared
    assert (line, j, field, given, expected) == (9, 3, "weight", 12, 12)
    assert bound == edge(doubt, defect)
    assert name == "weight p = goal - sigma"
    for given, expected in (
        (12 + edge(), True),
        (12 + 2 * edge(), False),
        (12 - 2 * edge(), False),
    ):
        assert clipped(q(30, 10, 1, fmpq(1, 4), given))[0] is expected


def test_how_far_a_clipped_weight_may_be_off() -> None:
    """12 by the roundings of a step; 3/8 more by methods that keep digits, 3/4 more by all."""
    just = fmpq(1, 2**60)
    shares: dict[str, Any] = {"near": 2.0**-5, "far": 2.0**-4}
    for sign in (1, -1):
        for extra, said, heard in (
            (0, True, 1), (just, True, 0), (fmpq(3, 8), True, 0), (fmpq(3, 8) + just, "open", 0),
            (fmpq(3, 4), "open", 0), (fmpq(3, 4) + just, False, 1),
        ):  # fmt: skip
            weight = 12 + sign * (edge() + extra)
            found, compared = clipped(q(30, 10, 1, fmpq(1, 4), weight), **shares)
            assert (found, len(compared)) == (said, heard), (sign, extra)
            if found is False:
                assert compared[0][5] == edge() + fmpq(3, 4)
    lost = q(30, 10, 1, fmpq(1, 4), 10**9)
    assert clipped(lost, far=math.inf) == ("open", [])
    assert clipped(lost, doubt=math.inf) == (True, [])
    assert clipped(lost, near=math.inf, far=math.inf) == (True, [])


def test_a_clipped_weight_of_a_goal_that_only_lossy_methods_do_not_know() -> None:
    """The goal of 18 within 2^-6 by some, and within 2^-4 by all: 4 * 18 * 3/64 more."""
    just, more = fmpq(1, 2**60), fmpq(27, 8)
    known: dict[str, Any] = {"doubt": 2.0**-6, "most": 2.0**-4}
    for sign in (1, -1):
        for extra, said, heard in (
            (0, True, 1), (just, "open", 0), (more, "open", 0), (more + just, False, 1),
        ):  # fmt: skip
            weight = 12 + sign * (edge(2.0**-6) + extra)
            found, compared = clipped(q(30, 10, 1, fmpq(1, 4), weight), **known)
            assert (found, len(compared)) == (said, heard), (sign, extra)
            if found is False:
                assert compared[0][5] == edge(2.0**-6) + more
    gross = q(30, 10, 1, fmpq(1, 4), 10**9)
    assert clipped(gross, doubt=2.0**-6, most=math.inf) == ("open", [])
    # A defect of its program comes on top.
    both = q(30, 10, 1, fmpq(1, 4), 12 + edge(2.0**-6) + more + fmpq(3, 4))
    assert clipped(both, **known, far=2.0**-4) == ("open", [])
    assert clipped(both, **known, far=2.0**-5)[0] is False


def test_a_clipped_weight_of_a_sigma_beyond() -> None:
    """sigma = -15 before the start, and sigma = 21 behind the goal of 18."""
    tiny = relations_of().tiny
    for low, size, rest in ((-10, 15, 33), (14, 21, -3)):
        _, (found,) = clipped(q(None, low, 1, fmpq(1, 4), 12))
        known = abs(low) * off(7) * fmpq(3, 2) + size * off(4) + 18 * off(4)
        assert found[4:6] == (4 * rest, 4 * (known + abs(rest) * off(11) + 2 * tiny))


def test_a_clipped_weight_of_which_too_little_is_known() -> None:
    for now in (
        q(30, 10, 1, fmpq(1, 4), None), q(30, 10, 1, None, 99), q(None, None, 1, fmpq(1, 4), 99),
        q(30, 10, 1, 0, 99), q(30, 10, 1, -1, 99),
    ):  # fmt: skip
        assert clipped(now) == (True, [])


def test_a_step_that_is_perhaps_the_last_may_be_whole() -> None:
    """phi = 1/64: a whole step has the weight step/(phi p) = 64."""
    whole, phi = fmpq(64), fmpq(1, 64)
    most = whole * (1 + off(7))
    low = 12 - edge()

    def right(weight: fmpq, phi: Any = phi, perhaps: bool = True) -> tuple[bool, int]:
        found, compared = clipped(q(30, 10, phi, fmpq(1, 4), weight), perhaps=perhaps)
        return found, len(compared)

    assert right(whole) == (True, 0)
    assert right(most) == (True, 0)
    assert right(most + fmpq(1, 2**40)) == (False, 1)
    assert right(low) == (True, 0)
    assert right(low - fmpq(1, 2**60)) == (False, 1)
    assert right(whole, perhaps=False) == (False, 1)
    assert right(whole, None) == (False, 1)
    assert right(whole, 0) == (False, 1)
    assert right(whole, -1) == (False, 1)
    more = whole * (1 + off(7) + fmpq(1, 32))
    for weight, found in ((more, True), (more + fmpq(1, 2**40), False)):
        now = q(30, 10, phi, fmpq(1, 4), weight)
        assert clipped(now, perhaps=True, defect=2.0**-5)[0] is found
    # Beyond it a share of the whole step, which is more than the rest.
    most = more + more * fmpq(1, 16)
    for weight, said in ((most, "open"), (most + fmpq(1, 2**40), False)):
        now = q(30, 10, phi, fmpq(1, 4), weight)
        assert clipped(now, perhaps=True, defect=2.0**-5, far=2.0**-4)[0] is said


def test_what_a_step_leaves_behind() -> None:
    now = q(6, 2, fmpq(1, 8), fmpq(1, 4), None)
    for part, left_out, weight, share in (
        (False, False, 8, 2), (True, False, None, None), (True, True, 0, None),
    ):  # fmt: skip
        relations = relations_of()
        relations.keep(now, (), part=part, left_out=left_out)
        assert relations._weights == [weight]
        assert relations._shares == [share]
        assert relations.steps == 1
    relations = relations_of()
    relations.keep(q(6, 2, fmpq(1, 8), fmpq(1, 4), 5), {"weight"}, part=False, left_out=False)
    assert relations._weights == [None]
    relations.keep(q(6, 2, fmpq(1, 8), fmpq(1, 4), 5), (), part=True, left_out=False)
    assert relations._weights == [None, 5]
    assert relations._shares == [2, None]
    assert relations._before == q(6, 2, fmpq(1, 8), None, 5)
    relations.keep(q(6, 2, fmpq(1, 8), fmpq(1, 4), 5), (), part=True, left_out=True)
    assert relations._before == q(6, 2, fmpq(1, 8), fmpq(1, 4), 5)


def test_of_a_hidden_state_nothing_says_how_far_values_are_apart() -> None:
    """Once: of the step that is kept next."""
    relations = relations_of()
    for hidden in (True, False):
        if hidden:
            relations.hide()
        relations.keep(q(6, 2, fmpq(1, 8), fmpq(1, 4), None), (), part=False, left_out=False)
    assert relations._apart == {0: (0.0, 0.0, math.inf), 1: (0.0, 0.0, 0.0)}
    assert relations._widest == math.inf


# -- the end ---------------------------------------------------------------------------------------


def test_the_sum_of_the_alphas() -> None:
    """sigma_m/mid = 1 for K1: m terms, and m more in sigma."""
    relations, court = relations_of(), Heard()
    relations.steps = 5
    relations._total(court, 4, ["1/2", "1/2"], fmpq(3), fmpq(1, 64))
    ((line, j, field, given, expected, bound, name, _),) = court.compared
    assert (line, j, field, given, expected) == (4, None, "alphas", 1, 1)
    assert bound == off(2 * 5 + 8 + 1 + 2 + 3) + fmpq(1, 64)
    assert name == "the sum of the alphas"


def test_the_sum_of_the_alphas_of_algorithm_2() -> None:
    """mid is (2 + 2/3)/2 sigma; and u and l drift by 16 ulps of u a step."""
    relations, court = relations_of(slug="tight-rates", offset=F(16)), Heard()
    relations.steps = 5
    relations._total(court, 4, [0.5, 0.25], fmpq(3), fmpq(0))
    bound = court.compared[0][5]
    expected, rounded = fmpq(3, 4), fmpq(3, 4) / 2**53
    assert court.compared[0][4] == expected
    drift = off(2 * 8 * 5) * 2 * (16 + 2 * fmpq(3)) / 3
    assert bound == (off(24) + drift) * expected + rounded


def test_roundings_of_the_step_count_once_in_what_is_divided_by_mid() -> None:
    """weights = weight/mid: eight roundings, and one where the step itself is rounded."""
    exact = Roundings(F(0), F(2), F(3), F(5), F(7), F(11))
    for facts, count in (({}, 9), ({"roundings": exact}, 8)):
        relations, court = relations_of(**facts), Heard()
        relations.keep(q(6, 2, fmpq(1, 8), fmpq(1, 4), 8), (), part=False, left_out=False)
        relations.result(court, 4, ResultLine(m=1, mid=3.0, weights=[2.0]), q(None, None))
        ((_, _, field, given, expected, bound, _, place),) = court.compared
        assert (field, given, expected, place) == ("weights", 2, fmpq(8, 3), 0)
        assert bound == expected * off(count) + relations.tiny


def test_the_goal_has_its_own_roundings() -> None:
    assert relations_of().goal == 18
    assert relations_of().goal_off == off(7)
    assert relations_of().size == 3


def test_everything_that_an_iteration_reports() -> None:
    line = line_of(u=1.0, l=2.0, phi=3.0, p=4.0, weight=5.0, probabilities=[6.0, 7.0])
    assert reported(line) == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    assert reported(line_of()) == (None,) * 5


def test_a_clipped_weight_below_zero_has_its_size_as_scale() -> None:
    """sigma = 21 behind the goal of 18: the weight is -12, or a sixteenth more by some."""
    _, (found,) = clipped(q(None, 14, 1, fmpq(1, 4), -12))
    weight = -12 - found[5] - fmpq(1, 2)
    assert clipped(q(None, 14, 1, fmpq(1, 4), weight), far=2.0**-4) == ("open", [])


def test_the_middle_of_a_scheme_that_keeps_nothing() -> None:
    """The mean of its barriers, where both are there; its rates are not those of Algorithm 2."""
    relations = relations_of(slug="tight-rates")
    assert not relations.scheme.kept
    ((middle, _, name),) = relations._middles(q(10, -4))
    assert (middle, name) == (3, "mid = (u_m + l_m)/2")
    for one in (q(10, None), q(None, -4), q(None, None)):
        assert relations._middles(one) == []
