"""One wrong constant in the sampler makes the audit fail, with the right slug."""

import importlib.util
from pathlib import Path

import pytest

from asura_verify import baseline, claims
from asura_verify.audit import audit
from asura_verify.executors import executor

_SPECIFICATION = importlib.util.spec_from_file_location(
    "mutants", Path(__file__).with_name("mutants.py")
)
assert _SPECIFICATION is not None
assert _SPECIFICATION.loader is not None
mutants = importlib.util.module_from_spec(_SPECIFICATION)
_SPECIFICATION.loader.exec_module(mutants)


def _changed(slugs: tuple[str, ...]) -> set[str]:
    with executor(1) as pool:
        result = audit(claims.selected(list(slugs)), pool, factor=0.01)
    return {change.slug for change in baseline.changes(result.rulings, baseline.read())}


@pytest.mark.parametrize("mutant", mutants.MUTANTS, ids=lambda mutant: mutant.name)
def test_mistake_is_noticed(mutant, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    mutant.plant(monkeypatch)
    assert _changed(mutant.noticed_by) == set(mutant.noticed_by)


def test_correct_sampler_passes() -> None:
    slugs = tuple(dict.fromkeys(slug for each in mutants.MUTANTS for slug in each.noticed_by))
    assert _changed(slugs) == set()
