"""The command line as a whole: what it imports, what it says when an extra is missing."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import asura
import asura_verify
from asura_verify.cli.main import COMMANDS, EXTRAS, execute
from asura_verify.implementations.examples import harness

HEAVY = ("z3", "sympy", "hypothesis", "matplotlib", "jinja2", "sklearn", "dask", "scipy")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_loaded_and_teaches(name: str) -> None:
    text = inspect.getdoc(COMMANDS[name].load()) or ""
    assert len(text.splitlines()) > 1
    assert COMMANDS[name].summary.endswith(".")


@pytest.mark.parametrize("columns", ["80", "60"])
def test_the_list_of_commands_is_not_cut(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert execute(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "..." not in shown.split("Commands")[1]
    for name, command in COMMANDS.items():
        assert name in shown
        assert command.summary in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"asura {asura.__version__}"


def test_the_names_of_the_reference_are_a_dozen_and_documented() -> None:
    page = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"auto(?:function|class):: asura\.(\w+)$", page, flags=re.MULTILINE))
    assert shown == set(asura.__all__) - {"__version__"}
    assert len(shown) == 12
    assert all(getattr(asura, name) is not None for name in asura.__all__)
    assert shown <= set(dir(asura))


@pytest.mark.parametrize("module", ["asura", "asura_verify", "asura_verify.cli.main"])
def test_the_front_door_opens_without_what_it_does_not_need(module: str) -> None:
    forbidden = (*HEAVY, "numpy", "flint", "rich", *(("typer",) if "cli" not in module else ()))
    code = f"import sys, {module}; print([n for n in {forbidden!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def without(modules: tuple[str, ...], arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """The command in a process that cannot import these modules."""
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {modules!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from asura_verify.cli.main import execute\n"
        f"sys.exit(execute({arguments!r}))\n"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_run_and_check_need_no_extra(tmp_path: object) -> None:
    trace = f"{tmp_path}/trace.jsonl"
    ran = without(
        HEAVY,
        ["run", "--points", "example:small.csv", "--ridge=1", "--gamma=1/4", "--output", trace],
    )
    assert ran.returncode == 0, ran.stderr
    checked = without(HEAVY, ["check", trace])
    assert checked.returncode == 0, checked.stderr
    assert "conforms" in checked.stdout


def test_a_program_is_judged_without_extras(tmp_path: Path) -> None:
    example, wrong = Path(harness.__file__), tmp_path / "wrong.py"
    done = without(HEAVY, ["smoke", "--", sys.executable, str(example)])
    assert done.returncode == 0, done.stderr
    text = example.read_text(encoding="utf-8")
    assert text.count('["weight"] / mid') == 1
    wrong.write_text(text.replace('["weight"] / mid', '["weight"] * mid'))
    command = ["conform", "--case", "random-0-0", "--", sys.executable, str(wrong)]
    found = without(HEAVY, command)
    assert found.returncode == 1, found.stderr
    assert "as it is (the extra verify would shrink it): {" in found.stdout


def test_a_wrong_use_is_sent_to_the_help_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["fit"]) == 2
    assert capsys.readouterr().err.endswith("(see asura fit --help)\n")
    assert execute(["fti"]) == 2
    assert capsys.readouterr().err.endswith("(see asura --help)\n")


@pytest.mark.parametrize(
    ("missing", "arguments"),
    [
        (("z3",), ["audit", "invariant", "--jobs", "1", "--thorough", "0.01"]),
        (("matplotlib",), ["experiment", "bias"]),
    ],
)
def test_a_missing_extra_is_named_on_one_line(
    missing: tuple[str, ...], arguments: list[str]
) -> None:
    done = without(missing, arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert f"pip install '.[{EXTRAS[missing[0]]}]' in a clone" in lines[0]


def test_a_claim_is_explained_without_its_solvers() -> None:
    """All but the solvers' proofs is shown, and one line says what these need."""
    done = without(HEAVY, ["claims", "invariant"])
    assert done.returncode == 0, done.stderr
    assert ", check, exact, " in done.stdout
    assert "not tried: z3 is not installed" in done.stdout
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("asura: ")]
    assert "pip install '.[verify]' in a clone" in line
    free = without(HEAVY, ["claims", "trace-identity"])
    assert free.returncode == 0
    assert "asura: " not in free.stderr


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (
            ["run", "--points", "example:small.csv", "--gamma=1/4"],
            r"3/4 I \preceq A^T A \preceq 5/4 I",
        ),
        (["claims"], r"l_j I \preceq A_j \preceq u_j I for every j, for every \gamma < 1"),
    ],
)
def test_a_terminal_without_such_characters_gets_others(arguments: list[str], shown: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("asura"), *arguments],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


def test_no_message_names_a_package_that_no_index_has() -> None:
    roots = [Path(str(package.__file__)).parent for package in (asura, asura_verify)]
    named = re.compile(r"install '?\"?asura|asura-reference\[")
    sources = [path for root in roots for path in root.rglob("*.py")]
    assert [path.name for path in sources if named.search(path.read_text("utf-8"))] == []
    assert named.search("pip install asura")
