"""How long a run is: the bound on m, and the stopping criterion in words."""

from __future__ import annotations

from fractions import Fraction

from asura.arithmetic import EXACT
from asura.dataset import dataset
from asura.run import run
from asura.verdict import decided
from asura_verify import formulas
from asura_verify.deciding.comparisons import Comparisons, conjunction
from asura_verify.instances.families import RUNS
from asura_verify.instances.run import RunInstance
from asura_verify.registry.claim import GAMMA, Check, Counterexample, Demonstration
from asura_verify.registry.shorthand import claim, demonstrated, printed, reading, sharper, step


@conjunction
def stops_in_time(compare: Comparisons, instance: RunInstance) -> None:
    """m <= 2d/gamma^2."""
    bound = 2 * instance.data.dimension / instance.gamma**2
    compare.at_most("m <= 2d/gamma^2", instance.run.length, bound)


@conjunction
def stops_in_time_sharply(compare: Comparisons, instance: RunInstance) -> None:
    """m <= ceil(d sqrt(k)/gamma^2) < d/gamma^2, that is (m-1)^2 < d^2 k/gamma^4."""
    gamma, dimension = instance.gamma, instance.data.dimension
    square = formulas.squared_length(gamma, dimension)
    compare.below("(m-1)^2 < d^2 k/gamma^4", (instance.run.length - 1) ** 2, square)
    compare.below("m < d/gamma^2", instance.run.length, dimension / gamma**2)


@conjunction
def stops_by_line_three(compare: Comparisons, instance: RunInstance) -> None:
    """(u_j - l_j) + sum_{i<j} Phi_i < 8d/gamma for j < m, and not for j = m."""
    with instance.working() as path:
        bound = 8 * path.dimension / path.gamma
        total = path.potential[0] * 0
        for j in range(path.length):
            compare.below(f"clock at {j}", path.gap(j) + total, bound)
            total = total + path.potential[j]
        compare.at_most("clock at m", bound, path.gap(path.length) + total)


def _text_criterion() -> Demonstration:
    gamma = Fraction(1, 4)
    finished = run(dataset([[1]]), gamma, arithmetic=EXACT)
    grown = finished.upper.midpoint - finished.lower.midpoint - 4 / gamma
    total = sum((step.potential.midpoint for step in finished.steps()), Fraction(0))
    at_stop = grown + total
    return demonstrated(
        decided(at_stop < 8 / gamma),
        rf"$d = 1$, $\gamma = 1/4$: Algorithm 2 stops at $m = {finished.length}$",
        rf"there $\sum 4 \gamma^2/(\Phi_i (1 - 4 \gamma^2)) + \sum \Phi_i = {float(at_stop):.4f}$, "
        r"below $8d/\gamma = 32$: by the text the loop would go on",
        r"the sum leaves out $u_0 - l_0 = 4d/\gamma$, so the bound should be $4d/\gamma = 16$",
    )


def _misindexed() -> Demonstration:
    gamma = Fraction(1, 4)
    done = run(dataset([[1]]), gamma, arithmetic=EXACT)
    total = sum((step.potential.lower for step in done.steps()), Fraction(0))
    clock = done.upper.lower - done.lower.lower + total
    return demonstrated(
        decided(done.length == 9 and clock >= 8 / gamma),
        r"$X = [1]$, $\gamma = 1/4$: $m = 9$, so $m \ge 9$",
        rf"$(u_9 - l_9) + \sum_{{i<9}} \Phi_i = {float(clock):.4f} \ge 32 = 8d/\gamma$",
        "the condition at $t$ says $m > t$",
    )


CLAIMS = (
    claim(
        "m-bound",
        "The number of samples",
        "lemma:m-ub, Section 4",
        printed(
            r"$m \le 2d/\gamma^2$, surely",
            GAMMA,
            Check("length", RUNS, stops_in_time),
            proved_by="amgm-printed",
            theorems="m_bound_as_printed termination",
        ),
        step(
            "event",
            r"$m \ge t$ exactly when the loop's condition holds at $t$",
            Counterexample("misindexed", r"$X = [1]$, $\gamma = 1/4$, $t = 9$", _misindexed),
            refutations="m_bound_event_refuted",
        ),
        sharper(
            "sharp",
            r"$m \le \lceil d \sqrt{1 - 4 \gamma^2}/\gamma^2\rceil < d/\gamma^2$, surely",
            GAMMA,
            Check("length-sharp", RUNS, stops_in_time_sharply),
            proved_by="amgm-per-step length-below-d-over-gamma-squared",
            theorems="m_bound termination",
        ),
        depends="stop-text",
    ),
    claim(
        "stop-text",
        "The stopping criterion in the text",
        "Section 4",
        printed(
            "the loop ends once "
            r"$\sum 4 \gamma^2/(\Phi_i (1 - 4 \gamma^2)) + \sum \Phi_i > 8d/\gamma$",
            Counterexample("text-criterion", r"$X = [1]$, $\gamma = 1/4$", _text_criterion),
            refutations="stop_text_refuted",
        ),
        reading(
            "line-3",
            r"the bound is $4d/\gamma$ once $u_0 - l_0$ is taken out, as in Algorithm 2",
            GAMMA,
            Check("line-3", RUNS, stops_by_line_three),
            proved_by="stop-criterion-in-text",
            theorems="stop_text_line_three",
        ),
    ),
)
