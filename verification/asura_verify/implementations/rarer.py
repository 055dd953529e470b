"""The rarer mistakes: what else the lines of the textbook may be changed to."""

from __future__ import annotations

from asura_verify.implementations.exhibit import (
    ALPHAS,
    BOUND,
    CHOSEN,
    CLOCK,
    CUMULATIVE,
    CUT,
    FACTOR,
    FIRST,
    GAMMA,
    INDEX,
    LOW,
    LSTSQ,
    MID,
    PHI,
    SCALED,
    SVD,
    UP,
    UPDATE,
    WEIGHT,
    D,
    E,
    picks,
    uses,
    wrong,
)
from asura_verify.oracle.mistakes.values import JITTERS

_WHOLE = "values = np.ones(U.shape[1])"
_MOVED_UP, _MOVED_LOW = "(u + gamma / (1 - 2 * gamma) / {0})", "(l + gamma / (1 + 2 * gamma) / {0})"
_INVERSES = "np.linalg.inv({0} * identity - A) + np.linalg.inv(A - {1} * identity)"

VALUES = (
    wrong(
        "whitening-transposed",
        SVD,
        f"U = np.linalg.solve(np.linalg.cholesky(X.T @ X).T, X.T).T; {_WHOLE}",
    ),
    wrong("whitening-inverse", SVD, f"U = X @ np.linalg.inv(X.T @ X); {_WHOLE}"),
    wrong("whitening-of-moments", CUT, f"{CUT} * np.sqrt(size)"),
    wrong(
        "whitening-unlabelled-only",
        SVD,
        'own = X[: header["unlabelled"]]; '
        f"U = np.linalg.solve(np.linalg.cholesky(own.T @ own), X.T).T; {_WHOLE}",
    ),
    wrong("columns-normalised", SVD, f"U = X / np.linalg.norm(X, axis=0); {_WHOLE}"),
    wrong(
        "rows-normalised",
        CUT,
        f"{CUT}; U = U / np.where(U.any(axis=1), np.linalg.norm(U, axis=1), 1.0)[:, None]",
    ),
    wrong(
        "points-centred",
        SVD,
        "U, values, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)",
    ),
    wrong(
        "points-intercept",
        SVD,
        "U, values, _ = np.linalg.svd(np.hstack([X, np.ones((size, 1))]), full_matrices=False)",
    ),
    wrong("rank-truncated", CUT, f"{CUT}[:, :-1]"),
    wrong(
        "points-in-single",
        SVD,
        "U, values, _ = np.linalg.svd(X.astype(np.float32).astype(float), full_matrices=False)",
    ),
    *(
        wrong(
            f"ridge-jitter-{size}",
            SVD,
            f"L = np.linalg.cholesky(X.T @ X + {size} * np.eye(width)); "
            f"U = np.linalg.solve(L, X.T).T; {_WHOLE}",
        )
        for size in JITTERS
    ),
    wrong("potential-mean", PHI, "phi = float(np.trace(upper + lower)) / len(identity)"),
    wrong("potential-in-single", PHI, "phi = float(np.float32(np.trace(upper + lower)))"),
    wrong(
        "bracket-squared", E, "E = upper @ upper + lower @ lower", PHI, "phi = float(np.trace(E))"
    ),
    wrong(
        "masses-after-barriers",
        E,
        "before_phi = float(np.trace(upper + lower)); E = "
        + _INVERSES.format(_MOVED_UP.format("before_phi"), _MOVED_LOW.format("before_phi")),
    ),
    wrong(
        "weight-previous-potential",
        PHI,
        f"old_phi = phi; {PHI}; old_phi = old_phi if steps else phi",
        WEIGHT,
        "weight = gamma / old_phi / float(p[index])",
    ),
    wrong(
        "weight-previous-probability",
        "earlier = p\n",
        "old, earlier = (p if earlier is None else earlier), p\n",
        WEIGHT,
        "weight = gamma / phi / float(old[index])",
    ),
    wrong(
        "weight-next-potential",
        WEIGHT,
        "moved = float(np.trace("
        + _INVERSES.format(_MOVED_UP.format("phi"), _MOVED_LOW.format("phi"))
        + ")); weight = gamma / moved / float(p[index])",
    ),
    wrong("weight-doubled", WEIGHT, "weight = 2 * gamma / phi / float(p[index])"),
    wrong("weight-squared-gamma", WEIGHT, "weight = gamma**2 / phi / float(p[index])"),
    wrong("weight-squared-probability", WEIGHT, "weight = gamma / phi / float(p[index]) ** 2"),
    wrong("update-without-potential", FACTOR, "factor = gamma / float(p[index])"),
    wrong("update-doubled", FACTOR, "factor = 2 * weight"),
    wrong("update-rooted", FACTOR, "factor = weight**0.5"),
    wrong("update-subtracted", FACTOR, "factor = -weight"),
    wrong(
        "update-direction",
        UPDATE,
        "A = A + factor * np.outer(U[index], U[index]) / (U[index] @ U[index])",
    ),
    wrong("upper-sign", UP, "u = u - gamma / (1 - 2 * gamma) / phi"),
    wrong(
        "rates-previous-potential",
        PHI,
        f"old_phi = phi; {PHI}; old_phi = old_phi if steps else phi",
        UP,
        "u = u + gamma / (1 - 2 * gamma) / old_phi",
        LOW,
        "l = l + gamma / (1 + 2 * gamma) / old_phi",
    ),
    wrong(
        "rates-four-gamma",
        UP,
        "u = u + gamma / (1 - 4 * gamma) / phi",
        LOW,
        "l = l + gamma / (1 + 4 * gamma) / phi",
    ),
    wrong(
        "rates-doubled",
        UP,
        UP.replace("gamma /", "2 * gamma /", 1),
        LOW,
        LOW.replace("gamma /", "2 * gamma /", 1),
    ),
    wrong("rates-halved", UP, f"{UP} / 2", LOW, f"{LOW} / 2"),
    wrong(
        "rates-without-gamma",
        UP,
        "u = u + 1 / (1 - 2 * gamma) / phi",
        LOW,
        "l = l + 1 / (1 + 2 * gamma) / phi",
    ),
    wrong("rates-squared-potential", UP, f"{UP} / phi", LOW, f"{LOW} / phi"),
    wrong(
        "rates-unscaled",
        UP,
        "u = u + gamma / (phi - 2 * gamma)",
        LOW,
        "l = l + gamma / (phi + 2 * gamma)",
    ),
    wrong("barriers-without-gamma", FIRST, "u, l = 2.0 * d, -2.0 * d"),
    wrong("barriers-squared-gamma", FIRST, "u, l = 2 * d / gamma**2, -2 * d / gamma**2"),
    wrong("barriers-rooted-dimension", FIRST, "u, l = 2 * d**0.5 / gamma, -2 * d**0.5 / gamma"),
    wrong("barriers-asymmetric", FIRST, "u, l = 2 * d / gamma, -d / gamma"),
    wrong("gamma-doubled", GAMMA, 'gamma = 2 * float(header["gamma"])'),
    wrong("gamma-in-single", GAMMA, 'gamma = float(np.float32(header["gamma"]))'),
    wrong("gamma-one-digit", GAMMA, 'gamma = round(float(header["gamma"]), 1)'),
    wrong("dimension-plus-one", D, f"{D} + 1"),
    wrong("dimension-minus-one", D, f"{D} - 1"),
    wrong("stop-bound-halved", BOUND, "bound = 4 * d / gamma"),
    wrong("stop-bound-six", BOUND, "bound = 6 * d / gamma"),
    wrong("stop-bound-without-dimension", BOUND, "bound = 8 / gamma"),
    wrong("stop-bound-squared-gamma", BOUND, "bound = 8 * d / gamma**2"),
    wrong("stop-sum-late", CLOCK, "clock = (u - l) + last_total"),
    wrong(
        "stop-sum-early",
        CLOCK,
        "clock = (u - l) + total + float(np.trace(" + _INVERSES.format("u", "l") + "))",
    ),
    wrong("stop-last-potential", CLOCK, "clock = (u - l) + phi"),
    wrong("stop-sum-of-barriers", CLOCK, "clock = (u + l) + total"),
    wrong("stop-upper", CLOCK, "clock = u + total"),
)

_REPORTED_P = ('"p": float(p[index])', '"probabilities": p.tolist()')


def _reports(mistake: str, shown: str) -> tuple[str, ...]:
    """Another p in both fields."""
    one, every = _REPORTED_P
    return (
        mistake, one, f'"p": float(({shown})[index])', every, f'"probabilities": ({shown}).tolist()'
    )  # fmt: skip


ANSWERS = (
    wrong(
        "weight-reported-normalised",
        MID,
        f"{MID}\n    for step in steps:\n        step['weight'] /= mid",
    ),
    wrong("weight-reported-rooted", '"weight": weight,', '"weight": weight**0.5,'),
    wrong("weight-reported-share", '"weight": weight,', '"weight": gamma / phi,'),
    wrong("weight-reported-inverse-probability", '"weight": weight,', '"weight": 1 / p[index],'),
    wrong("potential-reported-mean", '"phi": phi', '"phi": phi / d'),
    wrong("potential-reported-inverse", '"phi": phi', '"phi": 1 / phi'),
    wrong("reports-swapped", '"u": old_u', '"u": old_l', '"l": old_l', '"l": old_u'),
    wrong("lower-reported-positive", '"l": old_l', '"l": -old_l'),
    wrong(*_reports("probability-logarithm", "np.log(np.maximum(p, 1e-300))")),
    wrong(*_reports("probability-cumulative", "np.cumsum(p)")),
    wrong(*_reports("probability-clipped", "np.maximum(p, 0.01)")),
    wrong(*_reports("probability-rounded", "np.round(p, 4)")),
    wrong(*_reports("probability-in-single", "p.astype(np.float32)")),
    wrong(*_reports("probability-twice-normalised", "p / phi")),
    wrong("mid-lower", MID, "mid = l"),
    wrong("mid-full-gap", MID, "mid = u - l"),
    wrong("mid-geometric", MID, "mid = float(np.sqrt(abs(u * l)))"),
    wrong("mid-harmonic", MID, "mid = 2 * u * l / (u + l)"),
    wrong("mid-negated", MID, "mid = -(u + l) / 2"),
    wrong("weights-rooted", SCALED, "scaled = [abs(w / mid) ** 0.5 for w in weights]"),
    wrong("weights-sum-one", SCALED, "scaled = [w / sum(weights) for w in weights]"),
    wrong("weights-mean", SCALED, "scaled = [w / len(weights) for w in weights]"),
    wrong("weights-mean-one", SCALED, "scaled = [w / float(np.mean(weights)) for w in weights]"),
    wrong("weights-twice-normalised", SCALED, "scaled = [w / mid**2 for w in weights]"),
    wrong("weights-in-single", SCALED, "scaled = [float(np.float32(w / mid)) for w in weights]"),
    wrong("alpha-without-gamma", ALPHAS, "alphas = [a / gamma / mid for a in shares]"),
    wrong("alpha-squared-gamma", ALPHAS, "alphas = [a * gamma / mid for a in shares]"),
    wrong("alpha-times-potential", ALPHAS, "alphas = [gamma**2 / a / mid for a in shares]"),
    wrong("alpha-sum-one", ALPHAS, "alphas = [a / sum(shares) for a in shares]"),
    wrong("alpha-twice-normalised", ALPHAS, "alphas = [a / mid**2 for a in shares]"),
    wrong("beta-labels-unweighted", LSTSQ, LSTSQ.replace("roots * Y", "Y")),
    wrong("beta-points-unweighted", LSTSQ, LSTSQ.replace("roots[:, None] * X", "X")),
    wrong("beta-scales-ignored", LSTSQ, LSTSQ.replace("X[chosen]", "points[chosen]")),
    wrong(
        "beta-scales-not-rooted",
        LSTSQ,
        LSTSQ.replace("X[chosen]", "(squared[:, None] * points)[chosen]"),
    ),
    wrong("beta-without-last", CHOSEN, "chosen, weighting = picks[:-1], np.array(scaled[:-1])"),
    wrong("beta-alphas", CHOSEN, "chosen, weighting = picks, np.array(alphas)"),
    wrong(
        "beta-inverse-probability",
        CHOSEN,
        'chosen, weighting = picks, np.array([1 / step["p"] for step in steps])',
    ),
    wrong("beta-negated", LSTSQ, LSTSQ.replace("beta = ", "beta = -")),
    wrong(
        "beta-intercept",
        LSTSQ,
        LSTSQ.replace("X[chosen]", "np.hstack([X, np.ones((size, 1))])[chosen]") + "[:width]",
    ),
    wrong(
        "beta-unit-columns",
        LSTSQ,
        LSTSQ.replace("X[chosen]", "(X / np.linalg.norm(X, axis=0))[chosen]"),
    ),
    wrong(
        "beta-ridge",
        LSTSQ,
        "W = roots[:, None] * X[chosen]; "
        "beta = np.linalg.solve(W.T @ W + np.eye(width), W.T @ (roots * Y))",
    ),
    wrong(
        "beta-distinct-unweighted",
        CHOSEN,
        "chosen = list(dict.fromkeys(picks)); weighting = np.ones(len(chosen))",
    ),
)

CHANCES = (
    picks(
        "picks-repeated",
        "np.where(np.arange(size) == picks[-1], 0.9 * p + 0.1 * p.sum(), 0.9 * p) if picks else p",
    ),
    picks(
        "picks-never-twice-running",
        "np.where(np.arange(size) == picks[-1], 0.0, p) if picks else p",
    ),
    picks("picks-next", "np.roll(p, 1)"),
    picks("picks-previous", "np.roll(p, -1)"),
    picks("picks-ranked", "np.sort(p)"),
    picks("picks-ranked-down", "np.sort(p)[::-1]"),
    picks("picks-inverted", "np.where(p > 1e-12, 1 / np.maximum(p, 1e-12), 0.0)"),
)

_RIGHT, _R = "cumulative / cumulative[-1], r, side", "j = len(steps); given = list(uniforms)"


def _other(r: str) -> str:
    return INDEX.replace(_RIGHT, f"cumulative / cumulative[-1], {r}, side")


USES = (
    uses("uniforms-complement", INDEX, _other("1 - r")),
    uses(
        "uniforms-backward",
        CUMULATIVE,
        "cumulative = np.cumsum(np.maximum(chance[::-1], 0.0))",
        INDEX,
        f"{INDEX}; index = size - 1 - index",
    ),
    uses(
        "uniforms-ascending",
        CUMULATIVE,
        "order = np.argsort(p, kind='stable'); cumulative = np.cumsum(chance[order])",
        INDEX,
        f"{INDEX}; index = int(order[index])",
    ),
    uses(
        "uniforms-descending",
        CUMULATIVE,
        "order = np.argsort(-p, kind='stable'); cumulative = np.cumsum(chance[order])",
        INDEX,
        f"{INDEX}; index = int(order[index])",
    ),
    uses("uniforms-reversed", INDEX, f"{_R}; {_other('given[len(given) - 1 - j]')}"),
    uses("uniforms-reused", INDEX, f"{_R}; {_other('given[0]')}"),
    uses("uniforms-twice", INDEX, f"{_R}; {_other('given[j // 2]')}"),
    uses("uniforms-early", INDEX, f"{_R}; {_other('given[min(j + 1, len(given) - 1)]')}"),
    uses("uniforms-late", INDEX, f"{_R}; {_other('given[max(j - 1, 0)]')}"),
    uses("uniforms-every-other", INDEX, f"{_R}; {_other('given[min(2 * j, len(given) - 1)]')}"),
    uses("uniforms-squared", INDEX, _other("r * r")),
    uses(
        "uniforms-unscaled",
        INDEX,
        INDEX.replace("cumulative / cumulative[-1], r", "cumulative * phi, r"),
    ),
    uses("uniforms-one-high", INDEX, f"{INDEX}; index = min(index + 1, size - 1)"),
    uses("uniforms-one-low", INDEX, f"{INDEX}; index = max(index - 1, 0)"),
    picks("picks-softmax", "np.exp(p)"),
    picks("picks-blended", "(p + 1 / size) / 2"),
    picks("picks-clipped", "np.maximum(p, 0.01)"),
)

#: Mistakes that nobody can reproduce from the trace: they depend on what it does not show.
NAMELESS = (
    wrong("update-diagonal", UPDATE, "A = A + factor * np.diag(U[index] ** 2)"),  # on the basis
    wrong("whitening-in-single", CUT, f"{CUT}.astype(np.float32).astype(float)"),
    wrong("matrix-in-single", UPDATE, f"{UPDATE}; A = A.astype(np.float32).astype(float)"),
    wrong("inverses-in-single", E, "E = (upper + lower).astype(np.float32).astype(float)"),
    wrong(
        "weight-noisy",
        WEIGHT,
        "weight = gamma / phi / float(p[index]) * (1 + 1e-3 * np.sin(7.0 * len(steps)))",
    ),
    wrong(
        "potential-by-probing",
        PHI,
        "probe = np.sign(np.sin(1.0 + np.arange(len(identity)))); "
        "phi = float(probe @ (upper + lower) @ probe)",
    ),
    uses("picks-by-another-generator", INDEX, "r = (7 * r + 0.3) % 1; " + INDEX),
)
