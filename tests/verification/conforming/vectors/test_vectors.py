"""The packaged vectors are what is generated, and get the verdicts that they state."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from asura.trace import read_trace
from asura_verify.cli.main import execute
from asura_verify.cli.vectors import mismatch
from asura_verify.conforming.vectors.generate import (
    arithmetic_vectors,
    feature_vectors,
    files,
    wrong_trace,
)
from asura_verify.conforming.vectors.many_digits import arrays, implementation
from asura_verify.conforming.vectors.model import FLAGS, VectorGroup, folder, load
from asura_verify.conforming.vectors.variants import wrong_variant_trace
from asura_verify.implementations.exhibit import Exhibit
from asura_verify.implementations.exhibits import COMMON
from asura_verify.implementations.kept_exhibits import KEPT_EXHIBITS
from asura_verify.implementations.survey import instance
from asura_verify.oracle.check import check_file
from asura_verify.oracle.trace.values import claims_exactness


def test_regenerating_gives_the_same_bytes() -> None:
    for name, data in files().items():
        assert (folder() / name).read_bytes() == data, name


def test_the_reference_writes_the_valid_vectors() -> None:
    packaged = {vector.name: vector for group in load() for vector in group.vectors}
    features = ("basic", "scales", "degenerate", "conditioning", "stopping")
    right = [vector for feature in features for vector in feature_vectors(feature)]
    assert len(right) > 15
    for vector in (*arithmetic_vectors(), *right):
        assert vector == packaged[vector.name]


def test_every_promised_feature_has_a_vector() -> None:
    papers = [v for g in load() for v in g.vectors if g.group != "variants"]
    right = {v.name: v for v in papers if v.verdict == "conforms"}
    headers = {name: json.loads(vector.lines[0]) for name, vector in right.items()}
    read = {name: read_trace(line.encode() for line in v.lines) for name, v in right.items()}
    assert {trace.data.dimension for trace in read.values()} >= set(range(1, 17))
    assert {header.get("precision", 53) for header in headers.values()} >= {
        25,
        51,
        53,
        96,
        128,
        201,
    }
    assert {trace.stopping.name for trace in read.values()} == {"paper", "sure"}
    assert min(trace.gamma for trace in read.values()) < Fraction(51, 1000)
    assert max(trace.gamma for trace in read.values()) >= Fraction(4999, 10000)
    assert read["rank-deficient"].data.dimension < read["rank-deficient"].data.width
    assert {n for n, h in headers.items() if "squared_scales" in h} == {
        *("ridge", "kernel", "zero-scale", "worst-ridge-tiny", "worst-ridge-huge")
    }
    duplicates, zero = read["duplicates"].data.points, read["zero-row"].data.points
    assert len(set(duplicates)) < len(duplicates)
    assert any(not any(row) for row in zero)
    for name in ("exact-one-dimension", "exact-two-dimensions"):
        assert any(
            line.u is not None and claims_exactness(line.u) for line in read[name].iterations
        )


def test_every_variant_has_vectors_of_every_ending() -> None:
    kept = next(group.vectors for group in load() if group.group == "variants")
    right = [v for v in kept if v.verdict == "conforms"]
    traces = {v.name: read_trace(line.encode() for line in v.lines) for v in right}
    headers = [trace.header for trace in traces.values()]
    assert {(h.variant, h.stopping, h.ending) for h in headers} == {
        ("two-sided", "paper", "overshoot"),
        *(("two-sided", "sure", ending) for ending in ("overshoot", "clip", "coin")),
        *(("one-sided", "paper", ending) for ending in ("clip", "coin")),
        ("asura", "paper", "overshoot"),
    }
    assert {h.rates for h in headers} == {"paper", "tight"}
    left_out = [t for t in traces.values() if t.data.unlabelled in t.picks and t.header.draws]
    assert left_out
    assert any(not trace.picks for trace in traces.values())
    assert any(claims_exactness(x.phi or 0) for t in traces.values() for x in t.iterations)


def test_every_scalar_is_a_string() -> None:
    def scalars(value: object) -> Iterator[object]:
        if isinstance(value, list):
            for entry in value:
                yield from scalars(entry)
        elif value is not None:
            yield value

    counts = {"j", "index", "m", "unlabelled", "precision"}
    for group in load():
        for vector in group.vectors:
            if vector.verdict == "malformed":
                continue
            for line in vector.lines:
                record = json.loads(line)
                for name, value in record.items():
                    kind = int if name in counts else str
                    assert all(type(x) is kind for x in scalars(value)), (vector.name, name)


def test_names_of_vectors_are_names_of_files(tmp_path: Path) -> None:
    target = tmp_path / "failing.json"
    data = (folder() / "coverage.json").read_bytes()
    assert execute(["vectors", "--verify", str(folder() / "coverage.json")]) == 0
    for name in ("../outside", "/outside", "", ".", "a/b", "a\\n", "a" * 101):
        target.write_bytes(data.replace(b'"indices-only"', json.dumps(name).encode()))
        assert execute(["vectors", str(target), "--traces", str(tmp_path / "traces")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["failing.json"]


@pytest.mark.parametrize(
    "content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"format":"asura-vectors/2"}', None]
)
def test_a_file_that_holds_no_vectors(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "vectors.json"
    if content is not None:
        target.write_bytes(content)
    assert execute(["vectors", str(target)]) == 2
    assert execute(["vectors", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("NotVectors") == captured.err.count("\n") == 2
    assert execute(["vectors", str(folder() / "gamma.json"), "--regenerate"]) == 2


def test_wrong_traces_do_not_depend_on_the_linear_algebra_of_a_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a machine's own arithmetic")

    for name in ("svd", "inv", "lstsq", "qr", "solve", "eigh", "cholesky"):
        monkeypatch.setattr(np.linalg, name, refuse)
    for name in ("default_rng", "RandomState"):
        monkeypatch.setattr(np.random, name, refuse)
    for name in ("sqrt", "einsum_path", "exp", "log", "dot"):
        monkeypatch.setattr(np, name, refuse)
    packaged = {v.diagnosis: v for g in load() for v in g.vectors if v.verdict == "violates"}
    for exhibit in COMMON[::5]:
        assert wrong_trace(exhibit) == packaged[exhibit.mistake].lines
    for exhibit in KEPT_EXHIBITS[::5]:
        assert wrong_variant_trace(exhibit) == packaged[exhibit.mistake].lines
    with pytest.raises(AssertionError, match="own arithmetic"):
        COMMON[0].run({"gamma": 0.25, "points": [[1.0]], "unlabelled": 1}, [0.5] * 99)


@pytest.mark.parametrize("exhibit", COMMON[::7], ids=lambda exhibit: str(exhibit.mistake))
def test_sixty_digits_and_doubles_agree(exhibit: Exhibit) -> None:
    """Two evaluations of one text: printed to ten digits they are the same."""
    header = instance(exhibit, 1)
    doubles = [json.loads(line) for line in exhibit.run(header, header["uniforms"])]
    digits = [json.loads(line) for line in implementation(exhibit)(header, header["uniforms"])]
    assert len(doubles) == len(digits) > 2
    for ours, theirs in zip(digits[1:], doubles[1:], strict=True):
        assert ours.keys() == theirs.keys()
        for name, value in theirs.items():
            assert ours[name] == pytest.approx(value, rel=1e-9, abs=1e-12), name


def test_least_squares_of_dependent_rows_is_the_shortest_solution() -> None:
    rng = np.random.default_rng(3)
    for rows in (rng.integers(-3, 4, (5, 3)), np.ones((4, 2)), [[1, 2, 3], [2, 4, 6]], [[1, 0]]):
        matrix, target = np.array(rows, dtype=float), np.arange(1.0, len(rows) + 1)
        found = arrays.linalg.lstsq(arrays.array(matrix), arrays.array(target), rcond=None)[0]
        expected = np.linalg.lstsq(matrix, target, rcond=None)[0]
        assert [float(x) for x in found] == pytest.approx(expected.tolist(), abs=1e-12)


def test_every_vector_gets_its_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["vectors", "--verify"]) == 0
    assert ", 0 in disagreement" in capsys.readouterr().out


def test_the_vectors_cover_every_mistake_and_flag() -> None:
    groups = load()
    named = {vector.diagnosis for group in groups for vector in group.vectors}
    assert named >= {exhibit.mistake for exhibit in (*COMMON, *KEPT_EXHIBITS)}
    assert {flag for group in groups for flag in group.flags} == set(FLAGS) - {"failing"}
    names = [vector.name for group in groups for vector in group.vectors]
    assert len(set(names)) == len(names)


def test_a_vector_that_the_oracle_contradicts_is_told() -> None:
    vectors = {vector.name: vector for group in load() for vector in group.vectors}
    right, wrong = vectors["one-point"], vectors["mistake-mid-gap"]
    assert mismatch(right) is None
    assert mismatch(wrong) is None
    for changed, told in (
        (msgspec.structs.replace(right, verdict="violates"), "conforms, expected violates"),
        (msgspec.structs.replace(wrong, verdict="conforms"), "violates, expected conforms"),
        (msgspec.structs.replace(wrong, diagnosis="mid-sum"), "mid-gap, expected mid-sum"),
        (msgspec.structs.replace(wrong, lines=right.lines), "conforms, expected violates"),
        (msgspec.structs.replace(right, lines=right.lines[:-1]), "malformed, expected conforms"),
    ):
        assert (mismatch(changed) or "").endswith(told)


def test_readers_refuse_unknown_fields() -> None:
    data = (folder() / "arithmetics.json").read_bytes()
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(data.replace(b'"group":', b'"extra":1,"group":'), type=VectorGroup)


def test_vectors_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        execute(["vectors", "--traces", str(tmp_path / "t"), "--output", str(tmp_path / "o")]) == 0
    )
    assert execute(["vectors"]) == 0
    assert "mistakes/mistake-mid-gap: violates, mid-gap" in capsys.readouterr().out
    written = tmp_path / "t" / "mistake-mid-gap.jsonl"
    assert check_file(str(written)).diagnosis[0].mistake == "mid-gap"
    for name in ("manifest.json", "dimensions.json", "mistakes.json"):
        assert (tmp_path / "o" / name).read_bytes() == (folder() / name).read_bytes()
