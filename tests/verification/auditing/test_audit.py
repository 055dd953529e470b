"""The audit: exit codes, formats, resuming, baseline."""

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from asura.verdict import HOLDS
from asura_verify import claims
from asura_verify.auditing import baseline
from asura_verify.auditing import perform as auditing
from asura_verify.auditing.executors import executor
from asura_verify.auditing.perform import JOURNAL, Audit, audit
from asura_verify.cli.main import execute
from asura_verify.deciding.comparisons import CheckResult
from asura_verify.deciding.strength import Strength
from asura_verify.registry.claim import Claim, Computation, Statement
from asura_verify.registry.evidence import Evidence, Finding
from asura_verify.registry.ruling import ClaimRuling, rule_claim
from asura_verify.report.audit import audit_data, headline
from asura_verify.report.formats import SUFFIXES

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
    assert (
        "trace-identity (printed): false (exact) -> holds (machine-checked)"
        in capsys.readouterr().out
    )


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
    for name in SUFFIXES:
        assert execute(["audit", "rr-ridge", *QUICK, "--format", name]) == 0
        text = capsys.readouterr().out
        if name == "junit":
            assert Xml.fromstring(text)[0].get("failures") == "0"  # noqa: S314 our own output
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
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == [claim.slug for claim in claims.CLAIMS]
    assert {len(row) for row in rows} == {4}  # nobody looks: one line per claim
    assert execute(["claims", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [claim["slug"] for claim in listed] == [row[0] for row in rows]
    assert all(each["recorded"] for claim in listed for each in claim["statements"])
    assert execute(["claims", "rr-ridge", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["printed"]["verdict"] == "holds"
    assert execute(["claims", "alg-potential"]) == 0
    text = capsys.readouterr().out
    assert "misprint" in text
    assert "Reproduce: asura audit alg-potential" in text


def test_losing_strength_is_a_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = baseline.read()
    rows = dict(known.claims)
    rows["bias"] = {"printed": baseline.Recorded("holds", "machine-checked")}
    stronger = tmp_path / "baseline.json"
    stronger.write_bytes(baseline.write(baseline.Baseline(rows)))
    arguments = ["audit", "bias", *QUICK, "--baseline", str(stronger)]
    assert execute(arguments) == 1
    told = capsys.readouterr().out
    assert "bias (printed): holds (machine-checked) -> holds (exact)" in told
    rows["bias"] = {"printed": baseline.Recorded("holds", "sampled")}
    stronger.write_bytes(baseline.write(baseline.Baseline(rows)))
    assert execute(arguments) == 0  # a gain is no change


def test_a_file_is_no_folder_for_the_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "audit"
    place.write_text("kept")
    assert execute(["audit", "bias", *QUICK, "--output", str(place)]) == 2
    assert capsys.readouterr().err == f"asura: UnwritableFile: {place}: not a directory\n"
    assert place.read_text() == "kept"


def test_recording_writes_one_file(tmp_path: Path) -> None:
    assert execute(["audit", "bias", *QUICK, "--record", str(tmp_path / "verdicts.json")]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts.json"]


@pytest.fixture
def everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small stand-in for all that a verdict rests on."""
    for package in ("asura", "asura_verify"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / "asura_verify" / "pins.json").write_text("{}")
    (tmp_path / "coq" / "Theory").mkdir(parents=True)
    (tmp_path / "coq" / "Theory" / "Forms.v").write_text("Fact a : True.")
    monkeypatch.setattr(auditing, "PACKAGES", (tmp_path / "asura", tmp_path / "asura_verify"))
    monkeypatch.setattr(auditing, "SOURCES", tmp_path / "coq")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["asura/__init__.py", "asura_verify/pins.json", "coq/Theory/Forms.v", "coq/New.v"]
)
def test_a_resumed_audit_takes_over_nothing_that_rests_on_other_files(
    everything: Path, name: str
) -> None:
    before = auditing.fingerprint(0, 1.0)
    (everything / "coq" / "Theory" / "Forms.vo").write_text("compiled")
    assert auditing.fingerprint(0, 1.0) == before
    (everything / name).write_text("something else")
    assert auditing.fingerprint(0, 1.0) != before


@pytest.mark.usefixtures("everything")
def test_a_resumed_audit_takes_over_nothing_of_other_libraries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = auditing.fingerprint(0, 1.0)
    monkeypatch.setattr(auditing, "_version", lambda library: f"{library} of tomorrow")
    assert auditing.fingerprint(0, 1.0) != before


def _ruled(statement: Statement, strength: Strength, finding: Finding) -> ClaimRuling:
    claim = Claim(
        "c",
        "title",
        "Section 1",
        Statement("printed", "p", citation="a book"),
        repaired=(statement,),
    )
    item = Evidence("c", statement.key, "check", "tried", strength, finding, 7)
    return rule_claim(claim, [item])


@pytest.mark.parametrize(
    ("strength", "finding", "kind"),
    [
        (Strength.EXACT, Finding.SUPPORTS, "instances"),
        (Strength.CERTIFIED, Finding.SUPPORTS, "instances"),
        (Strength.SAMPLED, Finding.SUPPORTS, "sampled"),
        (Strength.EXACT, Finding.UNDECIDED, "undecided"),
        (Strength.EXACT, Finding.REFUTES, None),
    ],
)
def test_what_is_not_proved_names_repaired_statements(
    strength: Strength, finding: Finding, kind: str | None
) -> None:
    ruling = _ruled(Statement("fix", "text"), strength, finding)
    report = audit_data(Audit((ruling,), (), 0, 1.0, 0.0), baseline.Baseline({}))
    told = report.summary.not_proved
    assert [item.slug for item in told["cited"]] == ["c"]
    assert [name for name, items in told.items() if any(i.key == "fix" for i in items)] == (
        [kind] if kind else []
    )


def test_computed_as_a_whole_and_tried_are_different_words() -> None:
    whole = Computation("table", lambda: (CheckResult(HOLDS), ""), Strength.EXACT, settles=True)
    computed = _ruled(
        Statement("fix", "t", computations=(whole,)), Strength.EXACT, Finding.SUPPORTS
    )
    tried = _ruled(Statement("fix", "t"), Strength.EXACT, Finding.SUPPORTS)
    assert computed.others["fix"].reason == "computed as a whole by table"
    assert tried.others["fix"].reason == "tried on 7 instances, each decided"
    report = audit_data(Audit((computed,), (), 0, 1.0, 0.0), baseline.Baseline({}))
    assert report.summary.not_proved["instances"] == ()


def test_the_headline_counts_the_paper_apart_and_names_what_is_false() -> None:
    wrong = Claim("wrong", "t", "Section 4", Statement("printed", "p"))
    new = Claim("new", "t", "beyond the paper", Statement("printed", "p"))
    evidence = [
        Evidence("wrong", "printed", "check", "n", Strength.EXACT, Finding.REFUTES),
        Evidence("new", "printed", "check", "n", Strength.EXACT, Finding.REFUTES),
    ]
    rulings = tuple(rule_claim(claim, evidence) for claim in (wrong, new))
    assert headline(Audit(rulings, (), 0, 1.0, 0.0)) == [
        "1 claim of the paper: 1 false; false: wrong",
        "1 claim (beyond the paper): 1 false; false: new",
    ]
