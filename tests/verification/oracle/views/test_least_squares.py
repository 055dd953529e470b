"""Algorithm 1's answer at the very end of its allowance: one point, weight 2, label 8."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb, arb_mat, ctx

from asura.errors import Undecided
from asura.trace import FORMAT, HeaderLine
from asura_verify.oracle.views.judge import Judge
from asura_verify.oracle.views.least_squares import judge_regression


@pytest.fixture(autouse=True)
def _scope() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def sampled(labels: list[Any], points: list[list[int]] | None = None, **forms: Any) -> Judge:
    """Point 0 was picked, with weight 2; nothing is granted but what is asked for."""
    rows: list[list[Any]] = [list(row) for row in (points or [[1]])]
    judge = Judge(
        HeaderLine(format=FORMAT, gamma=0.25, points=rows, unlabelled=len(rows), labels=labels)
    )
    judge.picks, judge.weights = [0], [arb(2)]
    size = judge.replay.dimension
    judge.replay.centre = forms.get("form", judge.replay.outer(0) * arb(2))
    assert judge.replay.centre.nrows() == size
    judge.allowance = SimpleNamespace(unit=0.0, cost=lambda _: 1.0)  # type: ignore[assignment]
    return judge


def answered(judge: Judge, *beta: float) -> Judge:
    judge_regression(judge, 9, list(beta), 0.125)
    return judge


def test_at_the_end_of_the_allowance() -> None:
    """Energy 2 * 8^2 = 128; an eighth of its root, squared, is 2 = 2 (9 - 8)^2."""
    judge = sampled([8])
    assert answered(judge, 9.0).violated == 0
    assert answered(judge, 8.0).violated == 0
    assert judge.checked["beta"] == 2
    assert answered(judge, 10.0).violated == 1
    (found,) = judge.violations
    assert (found.line, found.field, found.reported, found.gap) == (9, "beta", "[10.0]", 2)
    assert found.lower.startswith("[8.0")
    assert judge.checked["beta"] == 3


def test_zero_labels_have_a_zero_answer() -> None:
    judge = sampled([0])
    assert answered(judge, 0.0).violated == 0
    assert answered(judge, 0.5).violations[0].gap is None


@pytest.mark.parametrize(("radius", "decided"), [(2.0**-12, True), (2.0**-10, False)])
def test_the_edge_itself(radius: float, decided: bool) -> None:
    """The squared error is 2, give or take some 17 radii; the bound is 2."""
    judge = sampled([8], form=arb_mat(1, 1, [arb(2, radius)]))
    if decided:
        assert answered(judge, 9.0).violated == 0
    else:
        with pytest.raises(Undecided):
            answered(judge, 9.0)


def test_a_sample_that_may_be_singular_asks_for_precision() -> None:
    with pytest.raises(Undecided):
        answered(sampled([8], form=arb_mat(1, 1, [arb(1, 2)])), 8.0)


def test_missing_labels_leave_the_answer_open() -> None:
    judge = sampled([None, 1], [[1], [1]])
    assert answered(judge, 5.0).undetermined
    assert "beta" not in judge.checked
    judge = sampled([8, None], [[1], [1]])
    assert not answered(judge, 8.0).undetermined
    judge = sampled([8, None], [[1], [1]])
    judge.picks, judge.weights = [0, 1], [arb(2), arb(2)]
    assert answered(judge, 5.0).undetermined


@pytest.mark.parametrize(
    ("large", "small", "open_"),
    [(1.0, 1e-12, True), (4.0, 3e-12, True), (1.0, 1.5e-12, False), (0.25, 1e-12, False)],
)
def test_a_sample_that_hardly_spans_leaves_the_answer_open(
    large: float, small: float, open_: bool
) -> None:
    form = arb_mat(2, 2, [arb(large), 0, 0, arb(small)])
    judge = sampled([8, 1], [[1, 0], [0, 1]], form=form)
    assert answered(judge, 8.0, 0.0).undetermined is open_
