"""The published schema of the protocol: what goes over the wire is valid, what is wrong is not."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import asura_verify.implementations.examples
from asura.trace import schema_text as trace_schema_text
from asura_verify.cli.main import execute
from asura_verify.conforming.process import CannotStart
from asura_verify.conforming.protocol import PROTOCOL, REQUESTS, schema_text
from asura_verify.conforming.session import USUAL, attempt, selected
from asura_verify.conforming.targets import CommandTarget
from tests.json_schema import problems

FOLDER = Path(asura_verify.implementations.examples.__file__).parent
SCHEMA = json.loads(schema_text())
REQUEST, ANSWER = ({"$ref": f"#/$defs/{name}"} for name in ("Request", "Answer"))
DOCS = Path(__file__).parents[3] / "docs" / "conform.md"


def wrong(message: object, kind: dict[str, Any] = SCHEMA) -> list[str]:
    return problems(message, kind, SCHEMA)


def test_the_published_schema_is_current_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    published = resources.files("asura_verify.conforming") / "protocol.schema.json"
    assert published.read_text(encoding="utf-8") == schema_text()
    assert execute(["conform", "--schema"]) == 0
    assert capsys.readouterr().out == schema_text()
    assert execute(["check", "--schema"]) == 0
    assert capsys.readouterr().out == trace_schema_text()


def python(_: Path) -> str:
    return f"{sys.executable} {FOLDER / 'harness.py'}"


def c(folder: Path) -> str:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    subprocess.run([compiler, "-O2", "-o", folder / "asura", FOLDER / "asura.c", "-lm"], check=True)
    return str(folder / "asura")


def refusing(folder: Path) -> str:
    text = (FOLDER / "harness.py").read_text()
    changed = text.replace('asura(request["header"])', '{"error": "not today"}')
    assert changed != text
    (folder / "refusing.py").write_text(changed)
    return f"{sys.executable} {folder / 'refusing.py'}"


@pytest.mark.parametrize("example", [python, c, refusing])
def test_everything_on_the_wire_is_valid(example: Callable[[Path], str], tmp_path: Path) -> None:
    asked, answered = tmp_path / "asked", tmp_path / "answered"
    pipe = f"tee {asked} | {example(tmp_path)} | tee {answered}"
    target = CommandTarget(["sh", "-c", pipe], timeout=20)
    cases = [c for c in selected(USUAL, seed=0, random=8) if c.name != "gamma-smallest"]
    passed = [attempt(target, case).passed for case in cases]
    target.close()
    assert all(passed) == (example is not refusing)
    requests = [json.loads(line) for line in asked.read_text().splitlines()]
    answers = [json.loads(line) for line in answered.read_text().splitlines()]
    assert [request["cmd"] for request in requests] == ["start", *["run"] * len(cases), "stop"]
    assert len(answers) == len(cases) + 1
    of_variants = {"rates", "variant", "ending", "draws"}
    assert {key for r in requests[1:-1] for key in r["header"]} | of_variants == set(
        SCHEMA["$defs"]["Header"]["properties"]
    )
    for message in requests:
        assert wrong(message, REQUEST) == []
        assert wrong(message) == []
    for message in answers:
        assert wrong(message, ANSWER) == []
        assert wrong(message) == []


HEADER = {"format": "asura-trace/1", "gamma": 0.25, "points": [[1.0]], "unlabelled": 1}
RUN = {"cmd": "run", "seq": 2, "header": HEADER | {"uniforms": [0.5]}}
DONE = {"seq": 2, "iterations": [{"j": 0, "index": 0}], "result": {"m": 1}}
START = {"cmd": "start", "protocol": PROTOCOL, "seq": 1}
STARTED = {"seq": 1, "protocol": PROTOCOL}


@pytest.mark.parametrize("message", [RUN, DONE, START, STARTED, STARTED | {"more": 1}])
def test_the_smallest_messages_are_valid(message: dict[str, Any]) -> None:
    assert wrong(message) == []


@pytest.mark.parametrize(
    "message",
    [
        [],
        {},
        {"cmd": "go", "seq": 1},
        {"cmd": "stop", "seq": "x"},
        START | {"protocol": "asura-conform/2"},
        {"cmd": "start", "protocol": PROTOCOL},
        START | {"more": 1},
        START | {"seq": 0},
        RUN | {"header": HEADER},
        RUN | {"header": HEADER | {"uniforms": None}},
        RUN | {"header": HEADER | {"uniforms": ["1/2"]}},
        RUN | {"header": HEADER | {"uniforms": [0.5], "gamma": "1/4"}},
        RUN | {"header": HEADER | {"uniforms": [0.5], "stopping": "late"}},
        RUN | {"header": HEADER | {"uniforms": [0.5], "colour": 1}},
        RUN | {"header": HEADER | {"uniforms": [0.5], "unlabelled": True}},
        DONE | {"iterations": {}},
        DONE | {"iterations": [{"j": 0}]},
        DONE | {"iterations": [{"j": 0, "index": -1}]},
        DONE | {"iterations": [{"j": 0, "index": 0, "colour": 1}]},
        DONE | {"result": {}},
        {"iterations": [], "result": {"m": 0}},
        {"seq": 2, "iterations": []},
        {"seq": 2, "error": 3},
        STARTED | {"precision": 0},
        STARTED | {"implementation": 7},
    ],
)
def test_wrong_messages_are_refused(message: dict[str, Any] | list[Any]) -> None:
    assert wrong(message, REQUEST if "cmd" in message else ANSWER) != []


@pytest.mark.parametrize(
    "field",
    ["'precision': 'high'", "'precision': '53'", "'precision': True", "'implementation': 7"],
)
def test_the_tool_refuses_what_the_schema_refuses(field: str) -> None:
    answer = f"print(json.dumps({{'seq': 1, 'protocol': {PROTOCOL!r}, {field}}}), flush=True)"
    program = f"import json, sys\nsys.stdin.readline()\n{answer}\nsys.stdin.readline()"
    with pytest.raises(CannotStart, match="its answer to `start`"):
        CommandTarget([sys.executable, "-c", program], timeout=10)


def test_the_table_of_the_documentation_is_the_schema() -> None:
    table = DOCS.read_text(encoding="utf-8").partition("| request | answer |")[2]
    rows = table.partition("\n\n")[0].splitlines()[2:]
    requests, answers = [], []
    for row in rows:
        _, left, right, _ = row.split(" | " if row.startswith(" ") else "|")
        filled = [
            text.replace('"header": {...}', f'"header": {json.dumps(RUN["header"])}')
            .replace('"iterations": [...]', f'"iterations": {json.dumps(DONE["iterations"])}')
            .replace('"result": {...}', f'"result": {json.dumps(DONE["result"])}')
            for text in re.findall(r"`(\{.*?\})`", f"{left} || {right}")
        ]
        requests.append(json.loads(filled[0]))
        answers += [json.loads(text) for text in filled[1:]]
    assert [wrong(message, REQUEST) for message in requests] == [[]] * len(REQUESTS)
    commands = [SCHEMA["$defs"][k.__name__]["properties"]["cmd"]["enum"][0] for k in REQUESTS]
    assert [request["cmd"] for request in requests] == commands
    kinds = [kind["$ref"].rpartition("/")[2] for kind in SCHEMA["$defs"]["Answer"]["anyOf"]]
    fitting = [
        [k for k in kinds if not wrong(answer, {"$ref": f"#/$defs/{k}"})] for answer in answers
    ]
    assert fitting == [[kind] for kind in kinds]
    started = SCHEMA["$defs"]["Started"]["properties"]
    assert answers[0].keys() == started.keys()
