"""How many labels are queried."""

from __future__ import annotations

from asura.dimensions import d_matrix, leverage_scores, reduced_rank
from asura_verify.evidence import Judgement, Ledger
from asura_verify.families import POINTS
from asura_verify.instances import PointsInstance
from asura_verify.statements import Check, Claim, Statement


def trace_of_d_is_reduced_rank(instance: PointsInstance) -> Judgement:
    """Tr D = sum over X_1 of |U(x)|^2 = R_X, and over all points it is d."""
    ledger = Ledger()
    data = instance.data
    scores = leverage_scores(data)
    value = reduced_rank(data)
    matrix = d_matrix(data)
    ledger.equal("Tr D", sum(matrix[i][i] for i in range(len(matrix))), value)
    ledger.equal("sum of |U(x)|^2 over X_1", sum(scores[: data.unlabelled]), value)
    ledger.equal("sum of |U(x)|^2", sum(scores), data.dimension)
    for i, score in enumerate(scores):
        ledger.at_most(f"0 <= |U(x_{i})|^2", 0, score)
        ledger.at_most(f"|U(x_{i})|^2 <= 1", score, 1)
    return ledger.judgement()


CLAIMS = (
    Claim(
        "trace-identity",
        "The trace of D is the reduced rank",
        "lemma:trD-vs-rr, Section 4.2",
        Statement(
            "printed",
            "Tr D = R_X with D = sum over X_1 of U(x) U(x)^T",
            checks=(Check("trace", POINTS, trace_of_d_is_reduced_rank),),
        ),
        depends=("def-reduced-rank",),
    ),
)
