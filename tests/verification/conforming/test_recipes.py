"""The recipes for continuous integration do what they say."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import asura_verify.implementations.examples
from asura_verify.cli.main import execute

ROOT = Path(__file__).parents[3]
ACTION = (ROOT / "docs" / "ci" / "action.yml").read_text()
EXAMPLE = Path(next(iter(asura_verify.implementations.examples.__path__))) / "harness.py"


def scripts() -> list[str]:
    """The shell scripts of the action, in order."""
    found = re.findall(r"^      run: (\|\n(?:(?: {8}.*)?\n)+|.*\n)", ACTION, flags=re.MULTILINE)
    return [textwrap.dedent(text.removeprefix("|\n")) for text in found]


def inputs() -> dict[str, str]:
    """The defaults of the action."""
    names = re.findall(
        r"^  ([a-z]+):\n    description: .*\n    default: (.*)\n", ACTION, re.MULTILINE
    )
    return {name: default.strip('"') for name, default in names}


def acted(folder: Path, command: str, baseline: str = "") -> tuple[int, str]:
    """The code of the second step, and the summary that the third leaves."""
    defaults = inputs()
    environment = os.environ | {
        "COMMAND": command,
        "BASELINE": baseline,
        "RANDOM_CASES": "2",
        "SEED": defaults["seed"],
        "TIMEOUT": defaults["timeout"],
        "REPORTS": defaults["reports"],
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    _, judge, summarise = scripts()
    codes = [
        subprocess.run(
            ["bash", "-e", "-c", script], env=environment, cwd=folder, capture_output=True,
            check=False,
        ).returncode
        for script in (judge, summarise)
    ]  # fmt: skip
    assert codes[1] == 0
    summary = folder / "summary.md"
    return codes[0], summary.read_text() if summary.exists() else ""


def test_the_action_judges_and_leaves_reports(tmp_path: Path) -> None:
    spaced = tmp_path / "with space"
    spaced.mkdir()
    program = spaced / "harness.py"
    program.write_text(EXAMPLE.read_text())
    command = f"'{sys.executable}' '{program}'"
    code, summary = acted(tmp_path, command)
    assert code == 0
    assert "| vector:ridge | conforms |" in summary
    reports = tmp_path / inputs()["reports"]
    assert {path.name for path in reports.iterdir()} == {"asura.xml", "asura.sarif", "asura.md"}
    program.write_text(EXAMPLE.read_text().replace("(u + low) / 2", "(u - low) / 2"))
    code, summary = acted(tmp_path, command)
    assert code == 1
    assert "mid-gap" in summary
    assert (reports / "failing.json").exists()


def test_a_command_that_cannot_start_fails_the_action(tmp_path: Path) -> None:
    assert acted(tmp_path, "/nonexistent/asura") == (2, "")


def test_every_option_of_the_recipes_exists() -> None:
    shown = subprocess.run(
        [Path(sys.executable).with_name("asura"), "conform", "--help"],
        capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "200"},
    ).stdout  # fmt: skip
    text = (ROOT / "docs" / "conform.md").read_text()
    told = {
        o
        for line in text.splitlines()
        if "asura conform" in line
        for o in re.findall(r"--[a-z]+", line)
    }
    assert told >= {"--baseline", "--record", "--junit", "--sarif", "--summary", "--failing"}
    for option in told | set(re.findall(r"--[a-z]+", scripts()[1])):
        assert f"{option} " in shown, option


def test_the_readme_shows_a_real_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert execute(["vectors", "--traces", "."]) == 0
    capsys.readouterr()
    assert execute(["check", "mistake-weight-without-probability.jsonl"]) == 1
    assert f"```text\n{capsys.readouterr().out}```" in (ROOT / "README.md").read_text()
