"""The packaged vectors are what is generated, and get the verdicts that they state."""

from pathlib import Path

import msgspec
import pytest

from asura_verify.command_line import execute
from asura_verify.museum.exhibits import EXHIBITS
from asura_verify.oracle.check import check_file
from asura_verify.vectors.generate import files
from asura_verify.vectors.model import FLAGS, Group, folder, load


def test_regenerating_gives_the_same_bytes() -> None:
    for name, data in files().items():
        assert (folder() / name).read_bytes() == data, name


def test_every_vector_gets_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["vectors", "--verify"]) == 0
    assert ", 0 in disagreement" in capsys.readouterr().out


def test_the_vectors_cover_every_mistake_and_flag() -> None:
    groups = load()
    named = {vector.diagnosis for group in groups for vector in group.vectors}
    assert named >= {exhibit.mistake for exhibit in EXHIBITS}
    assert {flag for group in groups for flag in group.flags} == set(FLAGS)
    names = [vector.name for group in groups for vector in group.vectors]
    assert len(set(names)) == len(names)


def test_readers_refuse_unknown_fields() -> None:
    data = (folder() / "exact.json").read_bytes()
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data.replace(b'"group":', b'"extra":1,"group":'), type=Group)


def test_vectors_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        execute(["vectors", "--traces", str(tmp_path / "t"), "--output", str(tmp_path / "o")]) == 0
    )
    assert execute(["vectors"]) == 0
    assert "mistakes/mistake-mid-gap: violates, mid-gap" in capsys.readouterr().out
    written = tmp_path / "t" / "mistake-mid-gap.jsonl"
    assert check_file(str(written)).diagnosis[0].mistake == "mid-gap"
    for name in ("manifest.json", "valid.json", "mistakes.json"):
        assert (tmp_path / "o" / name).read_bytes() == (folder() / name).read_bytes()
