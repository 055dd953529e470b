"""The catalogue of known mistakes, most specific first."""

# ruff: noqa: ARG005 - a recipe's lambdas all see the same arguments

from __future__ import annotations

import math

import numpy as np

from asura_verify.oracle.mistakes.answers import ANSWERS
from asura_verify.oracle.mistakes.picking import CHANCES, USES
from asura_verify.oracle.mistakes.recipe import Doubles, Mistake, PickContext, Recipe
from asura_verify.oracle.mistakes.values import VALUES


def _product(up: Doubles, low: Doubles) -> float:
    return float(np.trace(up @ low))


def _tilted(scene: PickContext) -> Doubles:
    tilt = np.ones(scene.probabilities.shape[-1])
    tilt[0] = 1.1
    return np.asarray(scene.probabilities * tilt)


def _without(scene: PickContext, index: int) -> Doubles:
    kept = scene.probabilities.copy()
    kept[..., index] = 0
    return kept


def _where_possible(kept: Doubles, scene: PickContext) -> Doubles:
    possible = kept.sum(axis=-1, keepdims=True) > 0
    return np.where(possible, kept, scene.probabilities)


def _unlabelled_only(scene: PickContext) -> Doubles:
    kept = scene.probabilities.copy()
    kept[..., scene.unlabelled :] = 0
    return _where_possible(kept, scene)


def _without_replacement(scene: PickContext) -> Doubles:
    return _where_possible(np.where(scene.taken, 0.0, scene.probabilities), scene)


_LINES = (
    Mistake(
        "potential-product",
        "the potential is the trace of the product of the two inverses, as line 4 is printed; "
        "it must be the trace of their sum",
        Recipe(potential=_product),
    ),
    Mistake(
        "potential-upper-only",
        "the potential has the upper barrier only",
        Recipe(potential=lambda up, low: float(np.trace(up))),
    ),
    Mistake(
        "potential-lower-only",
        "the potential has the lower barrier only",
        Recipe(potential=lambda up, low: float(np.trace(low))),
    ),
    Mistake(
        "potential-halved",
        "the potential is the mean of the two traces, not their sum",
        Recipe(potential=lambda up, low: float(np.trace(up + low)) / 2),
    ),
    Mistake(
        "bracket-upper-only",
        "potential and probabilities see the upper barrier only",
        Recipe(bracket=lambda up, low: up, potential=lambda up, low: float(np.trace(up))),
    ),
    Mistake(
        "bracket-lower-only",
        "potential and probabilities see the lower barrier only",
        Recipe(bracket=lambda up, low: low, potential=lambda up, low: float(np.trace(low))),
    ),
    Mistake(
        "weight-without-probability",
        "the weight lacks the factor 1/p_j",
        Recipe(weight=lambda g, phi, p: g / phi),
    ),
    Mistake(
        "weight-square-root",
        "the weight is a square root of gamma/(Phi_j p_j)",
        Recipe(weight=lambda g, phi, p: math.sqrt(abs(g / phi / p))),
    ),
    Mistake(
        "weight-without-potential",
        "the weight lacks the factor 1/Phi_j",
        Recipe(weight=lambda g, phi, p: g / p),
    ),
    Mistake(
        "weight-without-gamma",
        "the weight lacks the factor gamma",
        Recipe(weight=lambda g, phi, p: 1 / phi / p),
    ),
    Mistake(
        "weight-times-probability",
        "the weight is multiplied by p_j instead of divided",
        Recipe(weight=lambda g, phi, p: g / phi * p),
    ),
    Mistake(
        "weight-times-potential",
        "the weight is multiplied by Phi_j instead of divided",
        Recipe(weight=lambda g, phi, p: g * phi / p),
    ),
    Mistake(
        "update-without-weight",
        "the matrix is updated with x x^T without its weight",
        Recipe(update=lambda g, phi, p: 1.0),
    ),
    Mistake(
        "update-without-probability",
        "the matrix is updated with gamma/Phi_j, without 1/p_j, though the weight is right",
        Recipe(update=lambda g, phi, p: g / phi),
    ),
    Mistake(
        "update-squared",
        "the matrix is updated with the squared weight",
        Recipe(update=lambda g, phi, p: (g / phi / p) ** 2),
    ),
    Mistake(
        "matrix-never-updated", "the matrix A stays zero", Recipe(update=lambda g, phi, p: 0.0)
    ),
    Mistake("matrix-stale", "iteration j uses the matrix of iteration j - 1", Recipe(stale=True)),
    Mistake(
        "rates-swapped",
        "u grows by gamma/(1 + 2 gamma) and l by gamma/(1 - 2 gamma): swapped",
        Recipe(
            upper_step=lambda g, phi: g / (1 + 2 * g) / phi,
            lower_step=lambda g, phi: g / (1 - 2 * g) / phi,
        ),
    ),
    Mistake(
        "upper-rate-sign",
        "u grows by gamma/(1 + 2 gamma), with the sign of the lower rate",
        Recipe(upper_step=lambda g, phi: g / (1 + 2 * g) / phi),
    ),
    Mistake(
        "lower-rate-sign",
        "l grows by gamma/(1 - 2 gamma), with the sign of the upper rate",
        Recipe(lower_step=lambda g, phi: g / (1 - 2 * g) / phi),
    ),
    Mistake(
        "rates-one-gamma",
        "the rates have 1 - gamma and 1 + gamma in place of 1 - 2 gamma and 1 + 2 gamma",
        Recipe(
            upper_step=lambda g, phi: g / (1 - g) / phi, lower_step=lambda g, phi: g / (1 + g) / phi
        ),
    ),
    Mistake(
        "rates-plain",
        "both barriers move by gamma/Phi_j",
        Recipe(upper_step=lambda g, phi: g / phi, lower_step=lambda g, phi: g / phi),
    ),
    Mistake(
        "rates-times-potential",
        "the barriers move by a multiple of Phi_j, not of 1/Phi_j",
        Recipe(
            upper_step=lambda g, phi: g / (1 - 2 * g) * phi,
            lower_step=lambda g, phi: g / (1 + 2 * g) * phi,
        ),
    ),
    Mistake(
        "rates-without-potential",
        "the barriers move by constants",
        Recipe(
            upper_step=lambda g, phi: g / (1 - 2 * g), lower_step=lambda g, phi: g / (1 + 2 * g)
        ),
    ),
    Mistake(
        "lower-sign",
        "the lower barrier moves down",
        Recipe(lower_step=lambda g, phi: -g / (1 + 2 * g) / phi),
    ),
    Mistake("upper-frozen", "the upper barrier never moves", Recipe(upper_step=lambda g, phi: 0.0)),
    Mistake("lower-frozen", "the lower barrier never moves", Recipe(lower_step=lambda g, phi: 0.0)),
    Mistake(
        "rates-next-potential",
        "the barriers move with the potential of the next state",
        Recipe(rate_potential="next"),
    ),
    Mistake(
        "barriers-halved",
        "the first barriers are d/gamma and -d/gamma",
        Recipe(first=lambda d, g: (d / g, -d / g)),
    ),
    Mistake(
        "barriers-without-dimension",
        "the first barriers are 2/gamma and -2/gamma, without d",
        Recipe(first=lambda d, g: (2 / g, -2 / g)),
    ),
    Mistake(
        "barriers-doubled",
        "the first barriers are 4d/gamma and -4d/gamma",
        Recipe(first=lambda d, g: (4 * d / g, -4 * d / g)),
    ),
    Mistake("gamma-halved", "gamma is halved", Recipe(gamma=lambda g: g / 2)),
    Mistake("gamma-rooted", "sqrt(gamma) is used for gamma", Recipe(gamma=math.sqrt)),
    Mistake("gamma-squared", "gamma^2 is used for gamma", Recipe(gamma=lambda g: g * g)),
    Mistake(
        "dimension-is-width",
        "d is the number of columns, not the rank",
        Recipe(dimension=lambda rank, width, size: width),
    ),
    Mistake(
        "dimension-is-size",
        "d is the number of points",
        Recipe(dimension=lambda rank, width, size: size),
    ),
    Mistake("raw-coordinates", "X is used in place of U", Recipe(points="raw")),
    Mistake("scales-ignored", "the squared scales are ignored", Recipe(points="unscaled")),
    Mistake("scales-not-rooted", "a point is c x, not sqrt(c) x", Recipe(points="overscaled")),
    Mistake(
        "stop-gap-only",
        "the loop watches the gap u - l alone, without the sum of potentials",
        Recipe(clock=lambda at: at.gap),
    ),
    Mistake(
        "stop-sum-only",
        "the loop watches the sum of potentials alone",
        Recipe(clock=lambda at: at.potential_sum),
    ),
    Mistake(
        "stop-growth",
        "the loop compares with 8d/gamma what was added to the gap, as in the text (stop-text)",
        Recipe(clock=lambda at: at.gap - (at.first_upper - at.first_lower) + at.potential_sum),
    ),
    Mistake(
        "stop-bound-doubled", "the loop ends at 16d/gamma", Recipe(bound=lambda d, g: 16 * d / g)
    ),
    Mistake(
        "stop-one-late",
        "the loop ends one iteration late: its test sees the previous state",
        Recipe(clock_shift=-1),
    ),
    Mistake(
        "stop-one-early",
        "the loop ends one iteration early: its test sees the next state",
        Recipe(clock_shift=1),
    ),
    Mistake("mid-upper", "mid is u_m", Recipe(mid=lambda e: e.upper)),
    Mistake("mid-sum", "mid is u_m + l_m, not half of it", Recipe(mid=lambda e: e.upper + e.lower)),
    Mistake("mid-gap", "mid is (u_m - l_m)/2", Recipe(mid=lambda e: (e.upper - e.lower) / 2)),
    Mistake(
        "mid-first-barrier",
        "mid is made of u_0 in place of u_m",
        Recipe(mid=lambda e: (e.first_upper + e.lower) / 2),
    ),
    Mistake(
        "mid-first-lower",
        "mid is made of l_0 in place of l_m",
        Recipe(mid=lambda e: (e.upper + e.first_lower) / 2),
    ),
    Mistake(
        "mid-previous",
        "mid is made of u_{m-1} and l_{m-1}",
        Recipe(mid=lambda e: (e.previous_upper + e.previous_lower) / 2),
    ),
    Mistake(
        "weights-unnormalised",
        "the final weights are not divided by mid",
        Recipe(normalised=lambda weights, mid: weights),
    ),
    Mistake(
        "weights-times-mid",
        "the final weights are multiplied by mid",
        Recipe(normalised=lambda weights, mid: weights * mid),
    ),
    Mistake(
        "alpha-with-probability",
        "alpha_j contains 1/p_j: it is the weight",
        Recipe(alpha=lambda shares, weights, mid, g: weights / mid),
    ),
    Mistake(
        "alpha-unnormalised",
        "the alphas are not divided by mid",
        Recipe(alpha=lambda shares, weights, mid, g: shares),
    ),
    Mistake(
        "beta-unweighted", "the regression ignores the weights", Recipe(regression="unweighted")
    ),
    Mistake(
        "beta-unlabelled-only",
        "the regression uses the sampled points of X_1 only",
        Recipe(regression="unlabelled"),
    ),
    Mistake(
        "beta-squared-weights",
        "the regression squares the weights: rows were scaled by w_j, not sqrt(w_j)",
        Recipe(regression="squared"),
    ),
    Mistake(
        "beta-rooted-weights",
        "the regression uses sqrt(w_j) as the weight of the squared residual",
        Recipe(regression="rooted"),
    ),
    Mistake(
        "beta-distinct",
        "a point that was sampled several times enters the regression once",
        Recipe(regression="distinct"),
    ),
    Mistake(
        "beta-everything",
        "the regression uses all points, unweighted",
        Recipe(regression="everything"),
    ),
    Mistake(
        "probability-unnormalised",
        "the reported p is U(x)^T E_j U(x), not divided by Phi_j",
        Recipe(reported_probability=lambda p, phi: p * phi),
    ),
    Mistake("index-from-one", "indices count from 1", Recipe(index_from=1)),
    Mistake(
        "reports-after-step",
        "u and l of an iteration are those after the step",
        Recipe(reports_after=True),
    ),
    Mistake("m-off-by-one", "m counts one iteration too many", Recipe(counts_extra=1)),
)

_PICKS = (
    Mistake(
        "picks-uniform",
        "points are picked uniformly",
        Recipe(choose=lambda s: np.ones_like(s.probabilities)),
    ),
    Mistake(
        "picks-leverage",
        "points are picked by leverage scores",
        Recipe(choose=lambda s: s.leverages),
    ),
    Mistake(
        "picks-rooted",
        "points are picked with square roots of the probabilities",
        Recipe(choose=lambda s: np.asarray(np.sqrt(np.maximum(s.probabilities, 0)))),
    ),
    Mistake(
        "picks-squared",
        "points are picked with squares of the probabilities",
        Recipe(choose=lambda s: np.asarray(s.probabilities**2)),
    ),
    Mistake(
        "picks-stale",
        "points are picked with the probabilities of the previous iteration",
        Recipe(choose=lambda s: s.previous),
    ),
    Mistake(
        "picks-unlabelled-only", "points of X_2 are never picked", Recipe(choose=_unlabelled_only)
    ),
    Mistake("picks-tilted", "the first point is favoured by a tenth", Recipe(choose=_tilted)),
    Mistake(
        "picks-never-last",
        "the last point is never picked",
        Recipe(choose=lambda s: _without(s, -1)),
    ),
    Mistake(
        "picks-never-first",
        "the first point is never picked",
        Recipe(choose=lambda s: _without(s, 0)),
    ),
    Mistake(
        "picks-without-replacement",
        "a point is not picked twice while others are left",
        Recipe(choose=_without_replacement),
    ),
    Mistake("picks-greedy", "the most probable point is picked", Recipe(greedy=True)),
)

STRUCTURAL = (*_LINES, *VALUES, *ANSWERS)
#: Other distributions of the picks; then other uses of the uniforms.
SAMPLING = (*_PICKS, *CHANCES)
CATALOGUE = (*STRUCTURAL, *SAMPLING, *USES)
BY_NAME = {mistake.name: mistake for mistake in CATALOGUE}
