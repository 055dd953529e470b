"""Every attack on the check of the proofs fails, for the right reason.

Each is carried out on a mutated copy of a small development. For each we name the defences that
keep it out, and watch three things: the whole check refuses it and says why; without any of these
defences it comes through; and every one of them alone keeps it out.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from asura_verify.proofs.coq_build import clean, missing_programs
from asura_verify.proofs.coq_sources import CheckError, read
from asura_verify.proofs.examination import Rules, examine, inspect, recorded
from asura_verify.proofs.record import Record, pins_of, pins_text, record_bytes
from asura_verify.proofs.standing import differences
from tests.verification.proofs.attacks import ATTACKS, MAGIC, Attack
from tests.verification.proofs.small_development import BY_MAGIC, FILES, write

pytestmark = pytest.mark.skipif(bool(missing_programs()), reason="Coq is not installed")


def everything(origin: Path, folder: Path) -> None:
    """The copy that we do not make: the whole folder, compiled files and scripts included."""
    shutil.copytree(origin, folder, dirs_exist_ok=True)


def carried_out(attack: Attack, place: Path) -> Path:
    """The small development, attacked, in a folder of its own."""
    files = {name: text.replace("{place}", str(place)) for name, text in attack.files.items()}
    folder = write(place / "development", {**FILES, **files})
    attack.prepare(folder)
    return folder


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return examine(read(write(tmp_path_factory.mktemp("honest"), FILES)))


def rules_without(attack: Attack, place: Path, without: set[str]) -> Rules:
    """The rules of the check, less some of its defences."""
    rules = Rules()
    rules = replace(
        rules,
        refusals={name: rule for name, rule in rules.refusals.items() if name not in without},
        judgements={name: rule for name, rule in rules.judgements.items() if name not in without},
    )
    if "copy" in without:
        origin = place / "development"
        rules = replace(rules, copy=lambda _, folder: everything(origin, folder))
    if "environment" in without:
        extra = {key: value.format(place=place) for key, value in attack.environment.items()}
        rules = replace(rules, environment=lambda home: {**clean(home), **extra})
    return rules


def unpinned(found: Record, honest: Record) -> list[str]:
    """The attacker lets the build write its record; the pins are those of before."""
    reviewed = pins_of(honest).digest
    return [*differences(found, record_bytes(found), pins_text(honest), reviewed)]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_kept_out_by_each_of_its_defences_and_by_nothing_else(
    attack: Attack, tmp_path: Path, honest: Record
) -> None:
    sources = read(carried_out(attack, tmp_path))
    whole = rules_without(attack, tmp_path, set())

    # The whole check refuses it, and says why.
    with pytest.raises((CheckError, AssertionError), match=re.escape(attack.reason)):
        assert not unpinned(examine(sources, whole), honest)

    # Without its defences it comes through.
    rest = rules_without(attack, tmp_path, set(attack.defences))
    signed, answers = inspect(sources, rest)
    assert not [each for judge in rest.judgements.values() for each in judge(signed, answers)]
    found = recorded(sources, signed, answers)
    assert "pins" in attack.defences or not unpinned(found, honest)

    # And each of them alone keeps it out.
    for alone in attack.defences:
        if alone in whole.refusals:
            assert [*whole.refusals[alone](sources)], alone
        elif alone in whole.judgements:
            assert [*whole.judgements[alone](signed, answers)], alone
        elif alone == "pins":
            assert unpinned(found, honest)
        elif len(attack.defences) > 1:
            with pytest.raises(CheckError):
                inspect(sources, rules_without(attack, tmp_path, {*attack.defences} - {alone}))


def test_every_defence_is_needed_by_an_attack() -> None:
    rules = Rules()
    defences = {*rules.refusals, *rules.judgements, "copy", "environment", "pins"}
    assert {each for attack in ATTACKS for each in attack.defences} == defences


def test_a_hypothesis_of_a_section_does_not_fit_the_specification(tmp_path: Path) -> None:
    """The plain form of the attack: Coq itself refuses the module of proofs."""
    magic = f"Section S. Hypothesis magic : {MAGIC}."
    spoilt = {"Theory/Work.v": BY_MAGIC.format(magic=magic) + "End S.\n"}
    with pytest.raises(CheckError, match=r"(?s)make: exit 2.*Signature components for field main"):
        examine(read(write(tmp_path, {**FILES, **spoilt})))


def test_the_small_development_passes(honest: Record) -> None:
    assert [theorem.name for theorem in honest.theorems] == ["main", "node"]
    assert [theorem.slug for theorem in honest.theorems] == ["m-bound", "sum-alpha"]
    assert all(theorem.closed for theorem in honest.theorems)
    assert honest.theorems[0].premises == ["0 < n", "m = n"]
    assert honest.theorems[0].variables == ["n : nat", "m : nat"]
    reviewed = pins_of(honest).digest
    assert not [*differences(honest, record_bytes(honest), pins_text(honest), reviewed)]
