"""Beyond the paper: keep the labelled points, and sample only what must be paid for.

X_2 is kept whole at weight 1 and never sampled, so that every draw is a label. In the paper's
coordinates sum over X of U U^T = I, D = sum over X_1 of U U^T, R = Tr D = R_X.

- `asura.kept.variants`, `asura.kept.barriers`, `asura.kept.runs`: K1 and K2, the barriers of
  Algorithm 2 moved along D;
- `asura.kept.coins`: K6, independent coins for the points of X_1 (the practical default);
- `asura.kept.screening`: draw for free, check, draw again, then pay; around any procedure;
- `asura.kept.choosing`: which coins and which check, for a budget or for an accuracy;
- `asura.kept.trials`, `asura.kept.spectrum`, `asura.kept.confidence`: what they rest on.
"""
