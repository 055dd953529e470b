"""What is too much to judge, to the bit; and the command's own arguments."""

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from asura.dataset import dataset
from asura.errors import AsuraError, NotATrace, UnreadableFile
from asura.run import run
from asura.trace import FORMAT, HeaderLine, trace_lines, trace_scalar
from asura_verify.cli.main import application, execute
from asura_verify.oracle import check
from asura_verify.oracle.check import check_lines
from asura_verify.oracle.trace import reading
from asura_verify.oracle.trace.reading import (
    LONGEST_LINE,
    lines_of_file,
    refuse_unaffordable,
    without_effect,
)

Raw = int | float | str


def header(points: Sequence[Sequence[Raw]], scales: list[Raw] | None = None) -> HeaderLine:
    rows = [list(row) for row in points]
    return HeaderLine(
        format=FORMAT, gamma=0.25, points=rows, unlabelled=len(rows), squared_scales=scales
    )


def cost(monkeypatch: pytest.MonkeyPatch, wanted: HeaderLine) -> int:
    """The least limit that lets the data pass."""
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        monkeypatch.setattr(reading, "LARGEST_DATA", middle)
        try:
            refuse_unaffordable(wanted)
            high = middle
        except NotATrace:
            low = middle
    return high


@pytest.mark.parametrize(
    ("points", "scales", "expected"),
    [
        ([[1, 1], [1, 1]], None, 9),  # 8 entries, and a little for the two bits of a denominator 1
        ([[1, 1], [1, f"{2**1022}"]], None, 40),  # 1024 bits: five times as much
        ([[1, 1], [f"-{2**1022}", 1]], None, 40),
        ([[1, 1], [1, f"1/{2**511}"]], None, 40),
        ([[1, f"1/{2**255}"], [1, f"1/{2**511}"]], None, 40),  # what they have in common
        ([[1, 1], [1, 1]], [1, f"1/{2**511}"], 40),
        ([[1, 1], [1, 1]], [1, f"{2**1022}"], 40),
        ([[1, 2**20], [1, f"1/{2**501}"]], None, 40),  # above and below 1
        ([[1, 1], [1, 2.0**-511]], None, 40),
        ([[1, 1], [1, 2.0**1022]], None, 40),
    ],
)
def test_the_cost_of_data(
    points: list[list[Raw]],
    scales: list[Raw] | None,
    expected: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """n d^2 (1 + (H/512)^2), H being the bits over a common denominator."""
    assert cost(monkeypatch, header(points, scales)) == expected


def test_different_denominators_make_long_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    primes = (3, 5, 7, 11, 13, 17, 19, 23)
    powers = [f"1/{p ** int(128 / math.log2(p))}" for p in primes]
    alone = cost(monkeypatch, header([[1, 1]] * 7 + [[1, powers[0]]]))
    together = cost(monkeypatch, header([[1, text] for text in powers]))
    assert alone <= 32 * 1.3
    assert together >= 32 * (1 + (2 * 8 * 122 / 512) ** 2)


def test_denominators_are_multiplied_no_longer_than_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "TALLEST", 100)
    monkeypatch.setattr(reading, "LARGEST_DATA", 1 << 40)
    seen = []

    def read(value: Raw) -> Fraction:
        seen.append(value)
        return trace_scalar(value)

    monkeypatch.setattr(reading, "trace_scalar", read)
    refuse_unaffordable(header([[1, f"1/{2**99}"], [f"1/{2**100}", 1]]))
    assert len(seen) == 3  # 2^99 has a hundred bits, and one more is beyond
    seen.clear()
    refuse_unaffordable(header([[1, f"1/{2**99}"], [1, f"1/{2**98}"]]))
    assert len(seen) == 4


def test_the_widest_row_counts_and_nothing_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cost(monkeypatch, header([[1], [1, 1, 1]])) == 2 * 9 + 1
    refuse_unaffordable(header([]))


def test_wide_data_are_refused_before_their_numbers_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "trace_scalar", None)
    monkeypatch.setattr(reading, "LARGEST_DATA", 7)
    with pytest.raises(NotATrace, match="2 rows of 2 such numbers"):
        refuse_unaffordable(header([[1, 1], [1, 1]]))


def test_limits() -> None:
    assert LONGEST_LINE == 2**26
    assert (reading.LARGEST_DATA, reading.TALLEST) == (2**23, 2**20)


def test_unaffordable_data_are_refused_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = list(trace_lines(run(dataset([[1], [2]]), "1/4")))
    monkeypatch.setattr(reading, "LARGEST_DATA", 1)
    monkeypatch.setattr(check, "Judge", None)
    assert "too much to judge" in (check_lines(lines).fault or "")


def test_long_lines_are_cut_when_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"x" * 40 + b"\nshort")
    monkeypatch.setattr(reading, "LONGEST_LINE", 16)
    assert [len(text) for text in lines_of_file(str(path))] == [17, 17, 7, 5]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "not a regular file, expected a trace"),
        ("/dev/null", "not a regular file, expected a trace"),
        ("no/such/file", "No such file or directory"),
        ("nul\0", "embedded null byte"),
    ],
)
def test_what_is_no_file(name: str, reason: str, tmp_path: Path) -> None:
    wanted = name or str(tmp_path)
    with pytest.raises(UnreadableFile) as caught:
        list(lines_of_file(wanted))
    assert str(caught.value) == f"{wanted}: {reason}"


@pytest.mark.parametrize("arguments", [["--false-alarm", a] for a in ("0", "1", "1.5", "-1")])
def test_a_false_alarm_lies_between_zero_and_one(arguments: list[str]) -> None:
    from typer.testing import CliRunner

    answer = CliRunner().invoke(application(["check"]), ["check", "none.jsonl", *arguments])
    assert isinstance(answer.exception, AsuraError)
    assert "expected 0 < A < 1" in str(answer.exception)


def trace_without_uniforms(tmp_path: Path) -> str:
    import json

    lines = list(trace_lines(run(dataset([[1], [2]]), "1/4")))
    first = json.loads(lines[0])
    first.pop("uniforms", None)
    path = tmp_path / "bare.jsonl"
    path.write_text("\n".join([json.dumps(first), *lines[1:]]))
    return str(path)


@pytest.mark.parametrize(
    "extra", [[], ["--tilt", "0"], ["--tilt", "0.5"], ["--false-alarm", "0.5"]]
)
def test_the_test_of_the_picks_is_printed_for_people(
    extra: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["check", trace_without_uniforms(tmp_path), *extra]) == 0
    text = capsys.readouterr().out
    assert "show no bias" in text
    assert "conforms" in text


def test_a_bias_makes_the_exit_code_one() -> None:
    from asura_verify.cli.check import exit_code
    from asura_verify.oracle.judgement import Judgement, Ruling

    good, wrong, broken, vague = (Judgement("t", ruling) for ruling in Ruling)
    assert exit_code([]) == exit_code([good]) == 0
    assert exit_code([good], biased=True) == exit_code([good, wrong]) == 1
    assert exit_code([good, vague]) == 3
    assert exit_code([vague], biased=True) == exit_code([vague, wrong]) == 1
    assert exit_code([vague, broken]) == 2
    assert exit_code([good, broken]) == exit_code([wrong, broken], biased=True) == 2


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        ({"level": 1}, ""),
        ({"level": "2/2"}, ""),  # what an absent level means
        ({"level": 2.5, "stopping": "sure"}, ""),
        ({"level": 2.5, "stopping": "sure", "variant": "two-sided"}, ""),
        ({"level": 2.5}, "level 2.5 has no effect: expected stopping 'sure'"),
        ({"level": "-1/3", "variant": "two-sided"}, "level -1/3 has no effect: expected"),
        (
            {"level": 3, "stopping": "sure", "variant": "one-sided"},
            "level 3 has no effect: the one",
        ),
        ({"level": "1" * 99}, f"level {'1' * 40} has no effect"),
    ],
)
def test_a_level_that_no_rule_uses_is_remarked(words: dict[str, Any], remark: str) -> None:
    told = without_effect(HeaderLine(FORMAT, 0.25, [[1]], 1, **words))
    assert len(told) == bool(remark)
    assert all(each.startswith(remark) for each in told)
