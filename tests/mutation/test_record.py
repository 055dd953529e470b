"""The record of the last campaign: it is of these sources, complete, and a sample still happens.

Mutants are named by their syntax, which Python spells a little differently in every version: the
record is held against the sources by the version that made it, which is also the one of the gate.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.record import Record, counted, exists, read_reasons
from tests.mutation.targets import TARGETS, source_of
from tests.mutation.weaving import weave

ROOT = Path(__file__).parents[2]
RECORDED = (3, 11)

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != RECORDED, reason="another Python spells syntax trees differently"
)


def test_every_mutant_is_killed_or_has_its_reason() -> None:
    woven = {module: weave(source_of(module).read_text("utf-8")) for module in TARGETS}
    record = Record.read(ROOT / "tests/mutation/record")
    count = counted(woven, record, read_reasons(ROOT / "tests/mutation/equivalent"))
    assert count.faults == (), "run `make mutants`"
    assert count.killed + count.excused == count.mutants


def test_every_test_of_the_record_exists() -> None:
    for path in (ROOT / "tests/mutation/record").glob("*.json"):
        named = json.loads(path.read_text(encoding="utf-8"))["tests"]
        assert [test for test in named if not exists(test, ROOT)] == [], "run `make mutants`"
    here = "tests/mutation/test_record.py::test_every_test_of_the_record"
    assert exists(f"{here}_exists[1]", ROOT)
    assert not exists(here, ROOT)
    assert not exists("no/file.py::x", ROOT)


def test_a_sample_of_the_recorded_kills_happens_again() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", "verify", "--count", "60", "--jobs", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "60 recorded kills tried, 0 did not happen" in done.stdout
