"""Registry, notes, obligations and theorems keep in step."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

import asura_verify
from asura_verify import claims
from asura_verify.auditing import baseline, tasks
from asura_verify.proofs import standing, theorems
from asura_verify.proofs.obligations import OBLIGATIONS
from asura_verify.proofs.reviewed import REVIEWED
from asura_verify.registry.claim import Claim
from asura_verify.registry.evidence import Finding

ROOT = Path(__file__).parents[3]

#: In the paper's order, then what goes beyond it, then the field.
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
        "drift theta-supermartingale tail-sharp main-15 main-13 tight-rates free-draws one-sided",
        "sure-budget heavy-points two-sided zero-labels shrunken-draws independent-draws",
        "two-stages constants near-optimal",
        "leverage-determinants sampled-gram volume-normaliser volume-unbiased volume-loss",
        "volume-inverse leveraged-volume ridge-process nystrom bss-barriers bss-labels",
        "label-coreset",
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
                or statement.refutations
                or statement.citation
            ), f"{claim.slug}/{statement.key}"
        keys = [statement.key for statement in claim.statements]
        assert len(set(keys)) == len(keys)
        assert all(slug in claims.BY_SLUG for slug in (*claim.depends, *claim.borrows))


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.slug)
def test_every_link_is_to_a_theorem_about_the_claim_or_is_declared(claim: Claim) -> None:
    known = theorems.development().theorems
    for statement in claim.statements:
        for name in (*statement.theorems, *statement.refutations):
            assert claim.may_use(known[name].slug), (statement.key, name)


def test_a_theorem_about_another_claim_supports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = claims.find("trace-identity")
    (name,) = claim.printed.theorems[:1]
    known = theorems.development().theorems
    stranger = replace(claim, printed=replace(claim.printed, theorems=("bracket_of_others",)))
    others = {"bracket_of_others": structs.replace(known[name], slug="m-bound")}
    monkeypatch.setattr(tasks, "development", lambda: standing.Development(others))
    monkeypatch.setattr(claims, "find", lambda _: stranger)
    task = tasks.SingleTask("theorem", claim.slug, claim.printed.key, "bracket_of_others")
    evidence = tasks.perform_single(task)
    assert evidence.finding is Finding.MISSING
    assert "does not borrow" in evidence.detail


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


def test_an_installed_package_carries_the_record_and_the_pins() -> None:
    package = Path(str(asura_verify.__file__)).parent
    assert theorems.RECORD.is_relative_to(package)
    assert theorems.PINS.is_relative_to(package)
    assert standing.read(theorems.RECORD, theorems.PINS, None, REVIEWED).problem == ""
