"""ASURA, semi-supervised active regression: Algorithms 1, 2 and 3 of the paper, exactly.

Where to look, in the order of the paper:

- `asura.dataset`: points X_1 and X_2, labels, ridge and kernel ridge regression;
- `asura.dimensions`: the reduced rank and its relatives (Section 3);
- `asura.algorithm2_asura`: Algorithm 2, with `asura.stopping` (when it ends) and `asura.run`;
- `asura.algorithm1_regression`: Algorithm 1, with `asura.sampling` and `asura.labels`;
- `asura.algorithm3_packing` and `asura.lower_bound`: the lower bound (Section 5);
- `asura.guarantees`: from an accuracy to gamma, with explicit constants;
- `asura.arithmetic`: the four arithmetics; `asura.coordinates`: why no root is needed;
- `asura.trace`: what an implementation shows of its run.

Numbers go in as ints, `Fraction`s, floats or strings ("1/3", "0.1") and are read exactly; they
come out as `Fraction`s and enclosures.
"""
