"""The last line of a trace of a variant: the end of the run, the weights and Algorithm 1."""

from __future__ import annotations

from flint import arb

from asura.errors import NotATrace
from asura.trace import ResultLine
from asura_verify.oracle.kept.bench import Bench
from asura_verify.oracle.trace.values import number, shown
from asura_verify.oracle.truth.allowance import GROSS
from asura_verify.oracle.views.least_squares import judge_regression


def judge_result(judge: Bench, line: int, result: ResultLine) -> None:
    """Everything that the result reports."""
    count = len(judge.skipped)
    if judge.halted:
        return
    for name, given, expected in (
        ("weights", result.weights, count),
        ("alphas", result.alphas, count),
        ("beta", result.beta, judge.data.width),
    ):
        if given is not None and len(given) != expected:
            raise NotATrace(
                f"line {line}, field `{name}`: {len(given)} entries, expected {expected}",
                value=line,
            )
    _stop(judge, line, count)
    judge.count("m")
    if result.m != count:
        judge.accuse(
            line, None, "m", result.m, str(count), str(count), None, 0.0,
            f"the trace has {count} iterations",
        )  # fmt: skip
    now = judge.barriers(line, None, result)
    tied = judge.relations.result(judge, line, result, now)
    judge.remarks += judge.relations.settle(judge)
    _normalised(judge, line, result, tied)
    if result.beta is not None:
        _regression(judge, line, result)


def _stop(judge: Bench, line: int, count: int) -> None:
    """Whether the run may end here."""
    judge.count("stopping")
    if judge.nothing or judge.last is judge.last.YES:
        return
    clock = judge.clock()
    early = judge.last is judge.last.NO and bool(judge.goal > 0)  # or it ends where it starts
    if judge.scheme.ending == "overshoot":
        if clock >= judge.kept_goal:
            return
        early = bool(clock < judge.goal) and not judge.lost
        if clock < judge.kept_goal and not early:
            judge.leave_unexplained(count, "stopping")
            return
    if early:
        judge.accuse(
            line, count, "stopping", f"m = {count}", shown(judge.goal, 17), "infinity", None, 0.0,
            f"too early: the clock stands at {shown(clock, 8)} of {shown(judge.goal, 8)}, "
            "the run goes on",
        )  # fmt: skip
        return
    if judge.leave_stop_to_rounding(count, clock) >= GROSS:
        judge.doubt("the run may have to end elsewhere")


def _normalised(judge: Bench, line: int, result: ResultLine, tied: dict[str, set[int]]) -> None:
    """The values of the result, those that no relation ties by the balls of honest methods."""
    if result.mid is not None:
        judge.count("mid")
        if "mid" not in tied:
            judge.inside(line, None, "mid", result.mid, judge.sigma * judge.middle)
    for field in ("weights", "alphas"):
        raws = getattr(result, field) or ()
        if raws:
            judge.count(field, len(raws))
        loose = [place for place in range(len(raws)) if place not in tied.get(field, ())]
        mid = judge.sigma * judge.middle
        for place in loose:
            weight = judge.made[place] if field == "weights" else judge.moved[place]
            if weight is None or not mid > 0:
                judge.leave_open(field)
            else:
                judge.inside(line, place, field, raws[place], weight / mid, place=place)


def _regression(judge: Bench, line: int, result: ResultLine) -> None:
    """Algorithm 1 on the sample, with all of X_2 at weight 1 where it is kept."""
    picks = list(judge.picks)
    doubt = 0.0
    if result.weights is not None:
        pairs = [number(raw) for raw in result.weights]
        weights = [w for w, skip in zip(pairs, judge.skipped, strict=True) if not skip]
    else:
        mid = judge.sigma * judge.middle
        sampled = zip(judge.made, judge.skipped, strict=True)
        known = [weight for weight, skip in sampled if weight is not None and not skip and mid > 0]
        balls = [weight / mid for weight in known]
        doubt = max((float(x.rad() / x.mid()) for x in balls if x.mid() != 0), default=0)
        weights = [ball.mid() for ball in balls]
    if len(weights) != len(picks):
        judge.count("beta")
        judge.leave_open("beta")
        return
    if judge.scheme.kept:
        kept = range(judge.scheme.pool, judge.data.size)
        picks += list(kept)
        weights += [arb(1)] * len(kept)
    if not picks:
        return
    judge.picks, before = picks, judge.picks
    judge_regression(judge, line, result.beta or [], weights, doubt)
    judge.picks = before
