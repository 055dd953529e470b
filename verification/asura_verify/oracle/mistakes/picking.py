"""More known mistakes of the picks: other distributions, and other uses of the uniforms."""

from __future__ import annotations

import numpy as np

from asura_verify.oracle.mistakes.recipe import Doubles, Mistake, PickContext, Recipe

#: How often a sampler that sticks repeats its last pick.
STICKY = 0.1


def _rolled(shift: int) -> Recipe:
    return Recipe(choose=lambda s: np.roll(s.probabilities, shift, axis=-1))


def _sticking(scene: PickContext) -> Doubles:
    again = scene.again
    stuck = np.any(again, axis=-1, keepdims=True) * STICKY
    total = np.sum(scene.probabilities, axis=-1, keepdims=True)
    return np.asarray((1 - stuck) * scene.probabilities + stuck * total * again)


def _moving_on(scene: PickContext) -> Doubles:
    kept = np.where(scene.again, 0.0, scene.probabilities)
    possible = kept.sum(axis=-1, keepdims=True) > 0
    return np.where(possible, kept, scene.probabilities)


def _blended(scene: PickContext) -> Doubles:
    p = scene.probabilities
    return np.asarray(p + p.sum(axis=-1, keepdims=True) / p.shape[-1])


def _inverted(scene: PickContext) -> Doubles:
    p = scene.probabilities
    return np.divide(1.0, p, out=np.zeros_like(p), where=p > 1e-12)


CHANCES = (
    Mistake(
        "picks-repeated",
        "the last point is picked again with probability 1/10",
        Recipe(choose=_sticking),
    ),
    Mistake(
        "picks-never-twice-running",
        "the point that was picked last is not picked",
        Recipe(choose=_moving_on),
    ),
    Mistake("picks-next", "the point after the right one is picked", _rolled(1)),
    Mistake("picks-previous", "the point before the right one is picked", _rolled(-1)),
    Mistake(
        "picks-ranked",
        "what is picked is a rank among the sorted probabilities, not a point",
        Recipe(choose=lambda s: np.sort(s.probabilities, axis=-1)),
    ),
    Mistake(
        "picks-ranked-down",
        "what is picked is a rank among the probabilities sorted downwards, not a point",
        Recipe(choose=lambda s: -np.sort(-s.probabilities, axis=-1)),
    ),
    Mistake(
        "picks-inverted",
        "points are picked with the reciprocals of the probabilities",
        Recipe(choose=_inverted),
    ),
)

#: Other uses of the uniforms, and distributions too close to others to bet on.
USES = (
    Mistake(
        "uniforms-complement", "1 - r_j is used for r_j", Recipe(uniform=lambda r: 1 - r.at(r.j))
    ),
    Mistake(
        "uniforms-backward",
        "the probabilities are summed from the last point",
        Recipe(order="backward"),
    ),
    Mistake(
        "uniforms-ascending",
        "the probabilities are summed in ascending order",
        Recipe(order="ascending"),
    ),
    Mistake(
        "uniforms-descending",
        "the probabilities are summed in descending order",
        Recipe(order="descending"),
    ),
    Mistake(
        "uniforms-reversed",
        "the uniforms are used from the last one",
        Recipe(uniform=lambda r: r.at(len(r.given) - 1 - r.j)),
    ),
    Mistake("uniforms-reused", "r_0 is used in every iteration", Recipe(uniform=lambda r: r.at(0))),
    Mistake(
        "uniforms-twice", "every uniform is used twice", Recipe(uniform=lambda r: r.at(r.j // 2))
    ),
    Mistake("uniforms-early", "r_{j+1} is used for r_j", Recipe(uniform=lambda r: r.at(r.j + 1))),
    Mistake("uniforms-late", "r_{j-1} is used for r_j", Recipe(uniform=lambda r: r.at(r.j - 1))),
    Mistake(
        "uniforms-every-other", "r_{2j} is used for r_j", Recipe(uniform=lambda r: r.at(2 * r.j))
    ),
    Mistake("uniforms-squared", "r_j^2 is used for r_j", Recipe(uniform=lambda r: r.at(r.j) ** 2)),
    Mistake(
        "uniforms-unscaled",
        "r_j is compared with sums of masses, which are not divided by Phi_j",
        Recipe(uniform=lambda r: r.at(r.j) / r.potential if r.potential > 0 else 1.0),
    ),
    Mistake("uniforms-one-high", "the index is one too large", Recipe(index_shift=1)),
    Mistake("uniforms-one-low", "the index is one too small", Recipe(index_shift=-1)),
    Mistake(
        "picks-softmax",
        "points are picked with exponentials of the probabilities",
        Recipe(choose=lambda s: np.exp(s.probabilities)),
    ),
    Mistake(
        "picks-blended",
        "points are picked with the mean of p and the uniform distribution",
        Recipe(choose=_blended),
    ),
    Mistake(
        "picks-clipped",
        "points are picked with probabilities of at least a hundredth",
        Recipe(choose=lambda s: np.maximum(s.probabilities, 0.01)),
    ),
)
