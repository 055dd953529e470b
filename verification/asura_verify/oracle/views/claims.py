"""The claims of the registry that speak of one run, on the trace as reported.

Every reported value stands for the ball of its allowance. A correct trace has the true values
inside all balls, where a theorem cannot certainly fail: so a failure proves that some value is
wrong, and says what of the paper it breaks. Claims about expectations and probabilities speak of
no single run and are not here. The formulas are the registry's (`asura_verify.formulas`), each in
the sharpest form that holds.

Matrices cost O(d^2) a step: the state is the reported one, B = sum_i w'_i x_i x_i^T, off by at
most eta in the metric of G, and l G < B < u G with Phi = Tr(G E) bounds every x^T E x between
(1 - theta) and (1 + theta) times itself, theta = eta Phi/(1 - eta Phi).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, arb_mat, ctx

from asura.scalars import rational
from asura.trace import IterationLine, ResultLine
from asura.verdict import FAILS, HOLDS, Verdict
from asura_verify import formulas
from asura_verify.deciding.matrices import definite
from asura_verify.deciding.numbers import at_most, below, equal, largest
from asura_verify.oracle.judgement import ClaimView
from asura_verify.oracle.trace.values import Reported
from asura_verify.oracle.views.conjunction import OPEN, Conjunction
from asura_verify.oracle.views.ending import Ending
from asura_verify.oracle.views.local import LocalJudge, LocalStep
from asura_verify.oracle.views.reported_state import ReportedState


@dataclass(frozen=True, slots=True)
class Scope:
    """What a claim needs to be evaluated."""

    needs: str
    rule: str | None = None  # the stopping rule that it speaks of
    ends: bool = False  # whether it depends on where the loop ended


STATE = "u, l and weight of every iteration"

#: The claims that speak of a single run.
SCOPES = {
    "alg-potential": Scope(STATE),
    "probabilities-sum": Scope("probabilities"),
    "invariant": Scope(STATE),
    "rank-one-upper": Scope(STATE),
    "rank-one-lower": Scope(STATE),
    "potential-lower": Scope("u, l and phi"),
    "m-bound": Scope("m", "paper", ends=True),
    "stop-text": Scope("u, l and every phi", "paper"),
    "sampling-mass": Scope(f"probabilities, and {STATE}"),
    "gap-final": Scope("u and l of the result", "paper", ends=True),
    "lm-positive": Scope("u and l of the result"),
    "condition-number": Scope("u and l of the result"),
    "spectral": Scope("u and l of the result, and weights"),
    "sum-alpha": Scope("alphas"),
    "alpha-k": Scope("alphas, mid, and u, l and p of the iterations"),
    "well-balanced": Scope("u, l, mid, weights and alphas", "paper", ends=True),
    "sure-stop": Scope("u and l of the result", "sure", ends=True),
    "identity-1": Scope("u, l and phi"),
    "identity-2": Scope("u, l and mid of the result"),
    "identity-3": Scope("u, l and every phi", ends=True),
    "identity-6": Scope("u, l, phi and probabilities"),
    "identity-8": Scope("phi"),
}


#: The claims about states between their barriers; the last one needs probabilities.
_BETWEEN = ("alg-potential", "rank-one-upper", "rank-one-lower", "sampling-mass")


class ClaimJudge:
    """Evaluates the claims line by line; made and called inside one precision scope."""

    def __init__(self, state: ReportedState, local: LocalJudge) -> None:
        self._state, self._local = state, local
        self._conjunctions = {slug: Conjunction() for slug in SCOPES}
        self._leverages = state.replay.leverages()
        with ctx.workprec(local.bits):
            self._gamma = arb(rational(state.gamma))
            self._growth = formulas.growth_of_potential(self._gamma)
            self._factor = formulas.lower_factor(self._gamma)
            self._pace = formulas.growth_of_clock(self._gamma, self._dimension, arb(1))
            self._elapsed: arb | None = arb(0)  # the sum of the potentials
            self._doubt = arb(0)  # how far B may be off, in the metric of G
        self._previous: Reported | None = None
        # Of the step before: w' U^T (A - l)^-1 U, Phi and l, to be compared with the next l.
        self._pending: tuple[arb, arb, arb] | None = None
        self._conditions: list[tuple[arb, arb] | None] = []  # K_{D_j} and gap_j

    @property
    def _dimension(self) -> int:
        return self._state.replay.dimension

    # -- the iterations ----------------------------------------------------------------------

    def iteration(self, number: int, line: IterationLine, step: LocalStep | None) -> None:
        """The claims on one line, after the state and the local view have heard it."""
        if self._state.halted:
            return
        with ctx.workprec(self._local.bits):
            seen, j = self._state.reported, line.j
            gap = None if seen.u is None or seen.l is None else seen.u - seen.l
            self._rank_one_lower(number, j, seen.l)
            self._sequence(number, j, seen, gap)
            self._distribution(number, line, seen, gap)
            if step is not None and seen.weight is not None:
                self._judge_state(number, line, seen, step)
                self._doubt += seen.weight.rad() * self._leverages[line.index]
            self._elapsed = (
                None if self._elapsed is None or seen.phi is None else self._elapsed + seen.phi
            )
            self._previous = seen

    def _sequence(self, number: int, j: int, seen: Reported, gap: arb | None) -> None:
        """Barriers and potentials, against those before."""
        conjunctions, d = self._conjunctions, self._dimension
        before = self._previous
        if before is not None and before.phi is not None:
            if seen.phi is not None:
                most = before.phi * self._growth
                conjunctions["identity-8"].enter(
                    at_most(seen.phi, most), number, j, "Phi_j <= Phi_{j-1}/(1 - gamma)",
                    seen.phi, most,
                )  # fmt: skip
            if gap is not None and before.u is not None and before.l is not None:
                grown = (gap - before.u + before.l) * self._gamma / (4 * d)
                wanted = self._pace / before.phi
                conjunctions["identity-1"].enter(
                    equal(grown, wanted), number, j, "r_j - r_{j-1} = c gamma/Phi_{j-1}",
                    grown, wanted,
                )  # fmt: skip
        if gap is None:
            return
        if seen.phi is not None:
            least = formulas.potential_at_least(d, gap)
            # At j = 0 both are gamma.
            verdict = at_most(least, seen.phi) if j else equal(least, seen.phi)
            conjunctions["potential-lower"].enter(
                verdict, number, j, "4d/gap <= Phi", least, seen.phi
            )
        if self._elapsed is not None:
            clock = formulas.clock(self._gamma, d, gap)
            passed = self._elapsed * self._gamma / (4 * d)
            if j:
                least = formulas.elapsed_at_least(self._gamma, clock)
                conjunctions["identity-3"].enter(
                    below(least, passed), number, j, "(k/4) r/(1 + r) < s", least, passed
                )
            self._stop(number, j, clock + passed, ended=False)

    def _stop(self, number: int, j: int | None, clock: arb, *, ended: bool) -> None:
        """Line 3 in units of 4d/gamma: r_j + s_j < 1 exactly while the loop runs."""
        verdict = below(clock, arb(1))
        if ended:
            verdict = ~verdict
        if self._state.stop_open and not verdict.holds:
            verdict = OPEN
        what = "the loop ended at r + s >= 1" if ended else "the loop went on at r + s < 1"
        self._conjunctions["stop-text"].enter(verdict, number, j, what, clock)

    def _distribution(
        self, number: int, line: IterationLine, seen: Reported, gap: arb | None
    ) -> None:
        """The probabilities, and the leverages that they must see."""
        conjunctions, j = self._conjunctions, line.j
        chances = seen.probabilities
        if chances is not None:
            total = sum(chances, arb(0))
            verdict = FAILS if any(p < 0 for p in chances) else equal(total, arb(1))
            conjunctions["probabilities-sum"].enter(
                verdict, number, j, "p >= 0 and sum of p = 1", total
            )
        condition = self._condition(line.index, seen)
        if condition is None or gap is None:
            self._conditions.append(None)
            return
        self._conditions.append((condition, gap))
        if seen.phi is not None:
            reached, most = condition, gap * seen.phi / 4
            verdict = at_most(reached, most) if j else equal(reached, most)
            conjunctions["identity-6"].enter(
                verdict, number, j, "|U(x)|^2/p <= (gap/4) Phi", reached, most
            )

    def _condition(self, index: int, seen: Reported) -> arb | None:
        """K_{D_j} = sup |U(x)|^2/p_x, over all points or only the one that was picked."""
        chances, leverages = seen.probabilities, self._leverages
        if chances is not None:
            zero = self._state.replay.vanishes
            ratios = [leverages[i] / p for i, p in enumerate(chances) if not zero(i)]
            return largest(ratios)
        return None if seen.p is None else leverages[index] / seen.p

    def _off(self, seen: Reported) -> arb:
        """eta: how far the true state may be from the reported one."""
        sides = [side.rad() for side in (seen.u, seen.l) if side is not None]
        return self._doubt + largest([*sides, arb(0)])

    def _judge_state(
        self, number: int, line: IterationLine, seen: Reported, step: LocalStep
    ) -> None:
        """The matrices; the local view has computed them."""
        conjunctions, j, weight = self._conjunctions, line.j, seen.weight
        eta = self._off(seen)
        share = eta * step.potential
        certain = step.definite and share < 1
        verdict: Verdict = HOLDS
        if not certain:
            verdict = OPEN
            if step.accumulated is not None:
                verdict = self._between(step.accumulated, step.upper, step.lower, eta)
        self._barriers(number, j, seen, verdict)
        if not certain or weight is None:
            for slug in _BETWEEN if seen.probabilities is not None else _BETWEEN[:-1]:
                conjunctions[slug].enter(OPEN, number, j, "the state may be at a barrier")
            return
        vague = arb(1, share / (1 - share))
        mass, potential = step.mass * vague, step.potential * vague
        enter = conjunctions["alg-potential"].enter
        if j == 0 and seen.u is not None and seen.l is not None:
            start = 2 * self._dimension / self._gamma
            enter(equal(seen.u, start), number, j, "u_0 = 2d/gamma", seen.u, start)
            enter(equal(seen.l, -start), number, j, "l_0 = -2d/gamma", seen.l, -start)
        if seen.phi is not None:
            enter(
                equal(seen.phi, potential), number, j, "Phi = Tr(u - A)^-1 + Tr(A - l)^-1",
                seen.phi, potential,
            )  # fmt: skip
        if seen.p is not None:
            chance = mass / potential
            enter(equal(seen.p, chance), number, j, "p = U^T E U/Phi", seen.p, chance)
        spent = weight * mass
        enter(equal(spent, self._gamma), number, j, "w' U^T E U = gamma", spent, self._gamma)
        if seen.probabilities is not None:
            first = seen.probabilities[: self._state.data.unlabelled]
            total, wanted = sum(first, arb(0)), step.unlabelled_mass * vague / potential
            conjunctions["sampling-mass"].enter(
                equal(total, wanted, arb(1)), number, j, "sum of p over X_1 = Phi^D/Phi",
                total, wanted,
            )  # fmt: skip
        above = weight * step.upper_mass * vague
        conjunctions["rank-one-upper"].enter(
            at_most(above, self._gamma), number, j, "w'w'^T <= gamma (u - A)", above, self._gamma
        )
        under = weight * (step.mass - step.upper_mass) * vague
        self._pending = None if seen.l is None else (under, potential, seen.l)

    def _rank_one_lower(self, number: int, j: int | None, following: arb | None) -> None:
        """w w^T <= f (A_j - l_{j+1}) exactly when w' U^T (A_j - l_{j+1})^-1 U <= f.

        With l_{j+1} = l_j + delta that form is at least its value at l_j, and at most this
        divided by 1 - delta Phi.
        """
        pending, self._pending = self._pending, None
        if pending is None or following is None:
            return
        under, potential, lower = pending
        left = 1 - (following - lower) * potential
        verdict = OPEN
        if left > 0 and under / left <= self._factor:
            verdict = HOLDS
        elif under > self._factor and following >= lower:
            verdict = FAILS
        self._conjunctions["rank-one-lower"].enter(
            verdict, number, j, "w'w'^T <= gamma (1 + 2 gamma)/(1 + gamma) (A - l)",
            under, self._factor,
        )  # fmt: skip

    def _between(self, total: arb_mat, upper: arb, lower: arb, eta: arb) -> Verdict:
        """l I < A < u I, by elimination or by a direction."""
        gram = self._state.replay.gram
        return definite(gram * arb(upper, eta) - total) & definite(total - gram * arb(lower, eta))

    def _barriers(self, number: int, j: int | None, seen: Reported, verdict: Verdict) -> None:
        """l_j I < A_j < u_j I as decided, and both barriers grow."""
        conjunction, before = self._conjunctions["invariant"], self._previous
        sides = [side for side in (seen.l, seen.u) if side is not None]
        conjunction.enter(verdict, number, j, "l I < A < u I", *sides)
        if before is None:
            return
        for name, old, new in (("u", before.u, seen.u), ("l", before.l, seen.l)):
            if old is not None and new is not None:
                conjunction.enter(below(old, new), number, j, f"{name} grows", old, new)

    # -- the result --------------------------------------------------------------------------

    def result(self, number: int, result: ResultLine) -> None:
        """The claims on the last line, after the state has heard it."""
        state, local = self._state, self._local
        if state.halted:
            return
        with ctx.workprec(local.bits):
            seen = state.reported
            self._rank_one_lower(number, None, seen.l)
            if seen.u is not None and seen.l is not None:
                if self._elapsed is not None:
                    clock = formulas.clock(self._gamma, self._dimension, seen.u - seen.l)
                    passed = self._elapsed * self._gamma / (4 * self._dimension)
                    self._stop(number, None, clock + passed, ended=True)
                if local.possible and result.u is not None and result.l is not None:
                    upper, lower = seen.u.mid(), seen.l.mid()
                    total, eta = local.accumulated, self._off(seen)
                    self._barriers(number, None, seen, self._between(total, upper, lower, eta))
            last = None
            if self._previous is not None and self._previous.u is not None:
                last = None if self._previous.l is None else self._previous.u - self._previous.l
            Ending(
                state,
                self._conjunctions,
                number,
                seen,
                last,
                (local.accumulated, self._doubt) if local.possible else None,
                self._conditions,
            ).judge_all(result.m)

    def views(self) -> dict[str, ClaimView]:
        """What became of every claim that speaks of a run."""
        state = self._state
        near = "the stop lies within the allowance of its bound"
        doubt = near if state.doubtful_stop else ""
        views = {}
        for slug, scope in SCOPES.items():
            conjunction = self._conjunctions[slug]
            if scope.rule not in (None, state.rule.name):
                detail = f"it speaks of the stopping rule {scope.rule}"
            elif not conjunction.places:
                detail = conjunction.premise or f"needs {scope.needs}"
            else:
                views[slug] = conjunction.view(doubt=doubt if scope.ends else "")
                continue
            views[slug] = ClaimView("not applicable", detail=detail)
        return views
