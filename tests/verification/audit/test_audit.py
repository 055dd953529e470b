"""The audit: exit codes, formats, resuming, baseline."""

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from asura_verify import claims
from asura_verify.audit import baseline
from asura_verify.audit.executors import executor
from asura_verify.audit.perform import JOURNAL, audit
from asura_verify.cli.main import execute
from asura_verify.report.audit import FORMATS

QUICK = ["--thorough", "0.01", "--jobs", "1"]


def test_audit_equals_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["audit", "trace-identity", "invariant", *QUICK, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [claim["slug"] for claim in report["claims"]] == ["invariant", "trace-identity"]
    invariant = report["claims"][0]
    assert invariant["printed"]["verdict"] == "holds on a smaller range"
    assert {"slug", "printed", "repaired", "evidence", "counterexamples"} <= set(invariant)
    assert invariant["counterexamples"][0]["arithmetic"]
    assert report["summary"]["changed"] == []


def test_a_changed_verdict_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = baseline.read()
    rows = dict(known.claims)
    rows["trace-identity"] = {"printed": baseline.Recorded("false", "exact")}
    wrong = tmp_path / "baseline.json"
    wrong.write_bytes(baseline.write(baseline.Baseline(rows)))
    code = execute(["audit", "trace-identity", *QUICK, "--baseline", str(wrong)])
    assert code == 1
    assert "trace-identity (printed): false -> holds" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "no-such-claim"],
        ["audit", "--format", "no-such-format"],
        ["audit", "--thorough", "-1"],
        ["audit", "--thorough", "nan"],
        ["audit", "--jobs", "0"],
        ["audit", "--baseline", "no-such-file"],
        ["claims", "no-such-claim"],
    ],
)
def test_usage_errors(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(arguments) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_formats(capsys: pytest.CaptureFixture[str]) -> None:
    for name in FORMATS:
        assert execute(["audit", "rr-ridge", *QUICK, "--format", name]) == 0
        text = capsys.readouterr().out
        if name == "junit":
            assert Xml.fromstring(text).get("failures") == "0"  # noqa: S314 our own output
        elif name == "markdown":
            assert "| rr-ridge | holds |" in text
        else:
            json.loads(text)


def test_nothing_finished_is_lost(tmp_path: Path) -> None:
    selected = claims.selected(["trace-identity", "rr-ridge", "invariant"])

    def stop(done: int, *_: object) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with executor(1) as pool:
        first = audit(selected, pool, factor=0.01, folder=tmp_path, watcher=stop)
    assert first.interrupted
    assert first.unfinished
    kept = (tmp_path / JOURNAL).read_bytes()
    (tmp_path / JOURNAL).write_bytes(kept + b'{"task": "half a li')
    with executor(1) as pool:
        second = audit(selected, pool, factor=0.01, folder=tmp_path)
    assert not second.unfinished
    assert kept.count(b"\n") == 5  # the header and four tasks
    assert (tmp_path / JOURNAL).read_bytes().startswith(kept)
    assert not baseline.changes(second.rulings, baseline.read())


def test_claims_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["claims"]) == 0
    assert "potential-monotone" in capsys.readouterr().out
    assert execute(["claims", "alg-potential"]) == 0
    text = capsys.readouterr().out
    assert "misprint" in text
    assert "Reproduce: asura audit alg-potential" in text
