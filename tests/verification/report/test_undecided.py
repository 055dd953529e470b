"""The fourth verdict in every format, and picks that overrule a verdict."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asura_verify.cli.check import with_picks
from asura_verify.cli.main import execute
from asura_verify.implementations.exhibits import SAMPLING
from asura_verify.implementations.sampling import bare, instance, traces
from asura_verify.oracle.judgement import Diagnosis, Judgement, Ruling
from asura_verify.oracle.picks.distribution import UNNAMED, DistributionReport
from asura_verify.report.formats import Format, written
from asura_verify.report.judgements import Judgements

EXHIBITS = {exhibit.mistake: exhibit.run for exhibit in SAMPLING}
VAGUE = Judgement(
    "some.jsonl", Ruling.UNDECIDED, "mine", checked={"u": 6, "phi": 4}, vague={"phi": 3}, length=4,
    coverage=("uniforms",), remarks=("24 bits decide too little: most values of phi are open",),
)  # fmt: skip


@pytest.mark.parametrize("form", list(Format))
def test_every_format_tells_what_is_undecided(form: Format) -> None:
    text = written(Judgements([VAGUE]), form)
    assert "undecided" in text or "decides too little" in text
    assert "conforms" not in text.replace("0 of 1 traces conform", "")
    if form is Format.JSON:
        facts = json.loads(text)
        assert (facts["verdict"], facts["decided"], facts["vague"]) == (
            "undecided",
            0.7,
            {"phi": 3},
        )
    elif form is Format.PRETTY:
        assert "70 % of the values decided" in text


def report_of(**facts: Any) -> DistributionReport:
    known: dict[str, Any] = {
        "implementation": "mine", "traces": 2, "draws": 99, "log_evidence": 23.0,
        "false_alarm": 1e-6, "biased": True, "decided_at": 60, "explanation": "picks-uniform",
        "needs": (),
    }  # fmt: skip
    return DistributionReport(**(known | facts))


GOOD = Judgement("a", Ruling.CONFORMS, "mine", drawn=4, length=4, coverage=("uniforms",))


def test_biased_picks_overrule() -> None:
    given = Judgement("b", Ruling.CONFORMS, "mine")  # its uniforms decided its picks
    other = Judgement("c", Ruling.CONFORMS, "other", drawn=4)
    broken = Judgement("d", Ruling.MALFORMED, "mine", drawn=4)
    before = [GOOD, replace(VAGUE, drawn=4), given, other, broken]
    after = [judgement.ruling for judgement in with_picks(before, [report_of()])]
    assert after == ["violates", "violates", "conforms", "conforms", "malformed"]
    assert with_picks(before, [report_of(biased=False)]) == before


def test_picks_that_do_not_count_are_not_convicted_by_others() -> None:
    """A file that is remarked so keeps its own verdict, named or not."""
    nameless = [replace(GOOD, implementation=None), replace(VAGUE, implementation=None)]
    report = report_of(implementation=UNNAMED)
    convicted, kept = with_picks(nameless, [report])
    assert (convicted.ruling, kept) == (Ruling.VIOLATES, nameless[1])
    assert with_picks([GOOD, VAGUE], [report_of()])[1] is VAGUE
    facts = [json.loads(x) for x in Judgements([convicted, kept], [report]).json().splitlines()]
    assert ["distribution" in each for each in facts] == [True, False]


def test_a_verdict_that_rests_on_the_picks_says_so() -> None:
    """The contract promises the first violation and a diagnosis, in every format."""
    (found,) = with_picks([GOOD], [report_of()])
    first = found.first
    assert first is not None
    assert (first.line, first.j, first.field, first.slug) == (5, 3, "index", "sampling-mass")
    assert (first.reported, first.lower, first.upper) == (
        "e-value 10^10.0", "e-value 0", "e-value 1e+06",
    )  # fmt: skip
    assert (first.gap, first.allowance) == (None, 0.0)
    assert first.message.startswith("no single pick is wrong, but all together: mine: the picks")
    assert "false-alarm probability 1e-06" in first.message
    assert "picks-uniform" in first.message
    assert found.by_picks
    assert found.violations == 0
    assert found.diagnosis == (Diagnosis("picks-uniform", "points are picked uniformly", 5, False),)
    assert repr(found) == "Judgement(a violates at line 5, index: picks-uniform)"
    report = Judgements([found], [report_of()])
    for form in Format:
        text = written(report, form)
        assert "do not follow the algorithm" in text
        assert "1 wrong" not in text
    facts = json.loads(report.json())
    assert facts["first"]["field"] == "index"
    assert [each["mistake"] for each in facts["diagnosis"]] == ["picks-uniform"]
    (mistake,) = report.mistakes()  # once, not as a file and as an implementation
    assert (mistake.rule, mistake.places[0].line) == ("sampling-mass", 5)
    assert report.total()[1] == (
        "the failure: the picks do not follow the algorithm's distribution"
    )


@pytest.mark.parametrize(
    ("explanation", "diagnosed"),
    [
        ("picks-greedy", ("picks-greedy", "the most probable point is picked")),
        (
            "uniforms-moved (by 0.618 from one to the next)",
            ("uniforms-moved", "the uniforms: by 0.618 from one to the next"),
        ),
        ("point 3 never picked", None),
        ("some points are picked too often, others too rarely", None),
        (None, None),
    ],
)
def test_a_bet_without_a_name_is_no_diagnosis(
    explanation: str | None, diagnosed: tuple[str, str] | None
) -> None:
    report = report_of(explanation=explanation)
    (found,) = with_picks([GOOD], [report])
    assert [(each.mistake, each.explanation) for each in found.diagnosis] == (
        [] if diagnosed is None else [diagnosed]
    )
    text = written(Judgements([found], [report]), Format.PRETTY)
    assert "no single known mistake" not in text


def test_what_reproduces_a_verdict_on_many_files() -> None:
    files = [replace(GOOD, name=f"{k} x") for k in range(21)]
    assert with_picks(files[:2], [report_of()])[1].command == "asura check '0 x' '1 x'"
    told = with_picks(files, [report_of(false_alarm=1e-3)])[0].command
    assert told.startswith("asura check --false-alarm 0.001 '0 x' ")
    assert told.endswith("'19 x' ...")
    assert with_picks(files[:20], [report_of()])[0].command.endswith(" '19 x'")


def test_traces_without_a_name_are_said_to_be_taken_for_one_s() -> None:
    said = "traces that name no implementation are taken for those of one"
    for form in (Format.PRETTY, Format.MARKDOWN, Format.JUNIT, Format.SARIF):
        nameless = report_of(implementation=UNNAMED)
        assert said in written(Judgements([], [nameless]), form)
        for other in (report_of(), report_of(implementation=UNNAMED, traces=1)):
            assert said not in written(Judgements([], [other]), form)
    fair = report_of(implementation=UNNAMED, biased=False)
    assert said in written(Judgements([], [fair]), Format.PRETTY)


def test_through_the_front_door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is given twice is convicted twice, one whose picks do not count is not."""
    runs = traces(EXHIBITS["picks-greedy"], instance())
    names = []
    for number, lines in zip(range(9), runs, strict=False):
        header = json.loads(bare(lines)[0])
        header.pop("implementation", None)
        if number == 8:
            header["precision"] = 12
        names.append(str(tmp_path / f"{number}.jsonl"))
        Path(names[-1]).write_text("\n".join([json.dumps(header), *bare(lines)[1:]]))
    assert execute(["check", "--format", "json", *names, names[0]]) == 1
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["verdict"] for each in facts] == [*["violates"] * 8, "undecided", "violates"]
    assert [each["first"] is None for each in facts] == [*[False] * 8, True, False]
    assert [each["drawn"] > 0 for each in facts] == [*[True] * 8, False, True]
    assert {each["diagnosis"][0]["mistake"] for each in facts if each["diagnosis"]} == {
        "picks-greedy"
    }
    assert execute(["check", *names]) == 1
    *_, last = capsys.readouterr().out.replace("\n    ", " ").splitlines()
    assert last == f"violating by their picks: {', '.join(names[:8])}"
