"""Registry, notes, obligations and theorems keep in step."""

import re
from pathlib import Path

import pytest

from asura_verify import claims
from asura_verify.audit import baseline
from asura_verify.proofs import theorems
from asura_verify.proofs.obligations import OBLIGATIONS
from asura_verify.registry.claim import Claim

ROOT = Path(__file__).parents[3]

#: In the paper's order, then what goes beyond it.
SLUGS = [
    slug
    for line in (
        "def-reduced-rank ridge-is-ssar kernel-is-ssar rr-ridge rr-kernel leverage-sampling",
        "alg-potential probabilities-sum def-well-balanced eq-m1 sampling-mass iterations",
        "invariant rank-one-lower rank-one-upper potential-monotone potential-lower wald m-bound",
        "stop-text query-main query-appendix trace-identity u-grows um-lower event-gamma",
        "gap-final lm-positive condition-number spectral sum-alpha alpha-k well-balanced main",
        "sure-stop coreset packing lower-bound-opt lower-bound optimal bias identity-1",
        "identity-2 identity-3 identity-4 identity-5 identity-6 identity-7 identity-8",
    )
    for slug in line.split()
]


def test_every_claim_is_registered_once() -> None:
    assert sorted(claim.slug for claim in claims.CLAIMS) == sorted(SLUGS)


def test_every_statement_can_be_judged() -> None:
    for claim in claims.CLAIMS:
        for statement in claim.statements:
            assert (
                statement.checks
                or statement.computations
                or statement.counterexamples
                or statement.proved_by
                or statement.theorems
                or statement.citation
            ), f"{claim.slug}/{statement.key}"
        keys = [statement.key for statement in claim.statements]
        assert len(set(keys)) == len(keys)
        assert all(slug in claims.BY_SLUG for slug in claim.depends)


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.slug)
def test_every_claim_has_a_note(claim: Claim) -> None:
    assert (ROOT / claim.note).is_file()


def test_every_note_has_a_claim() -> None:
    notes = {path.stem for path in (ROOT / "proofs_notes").glob("*.md")} - {"README"}
    assert notes == set(SLUGS)


def test_every_obligation_serves_a_statement_and_none_is_made_up() -> None:
    used = {
        name
        for claim in claims.CLAIMS
        for statement in claim.statements
        for name in (*statement.proved_by, *statement.helped_by)
    }
    assert used == {obligation.name for obligation in OBLIGATIONS}


def test_named_theorems_exist_once_the_development_is_built() -> None:
    known = theorems.development()
    named = {
        name
        for claim in claims.CLAIMS
        for statement in claim.statements
        for name in (*statement.theorems, *statement.refutations)
    }
    if known.problem:
        assert known.closed == {}
    else:
        assert {name for name in named if known.find(name) is None} == set()


def test_baseline_covers_every_statement() -> None:
    recorded = baseline.read().claims
    assert set(recorded) == set(SLUGS)
    for claim in claims.CLAIMS:
        assert set(recorded[claim.slug]) == {statement.key for statement in claim.statements}


def test_no_tolerances_in_the_verification() -> None:
    forbidden = re.compile(r"\b(rtol|atol|isclose|allclose|approx)\b")
    for path in (ROOT / "verification").rglob("*.py"):
        assert not forbidden.search(path.read_text(encoding="utf-8")), path


def test_an_installed_package_carries_the_build_of_the_theorems_or_none() -> None:
    if theorems.development().problem:
        assert not theorems.COPY.exists()
    else:
        assert theorems.COPY.read_bytes() == theorems.RESULT.read_bytes()
