"""Tables as people have them are read right or refused with a line that helps."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asura import errors
from asura.engine import memory
from asura.engine.kernels import GaussianKernel, low_rank
from asura.engine.tables import Table, read_pairs, read_table, with_labels

HOUSES = np.array([[50.0, 2.0], [80.0, 3.0], [120.5, 5.0]])
PRICES = [100.0, None, 300.0]

MESSY: dict[str, str] = {
    "plain": "id,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300\n",
    "semicolons": "id;area;rooms;price\na;50;2;100\nb;80;3;NA\nc;120.5;5;300\n",
    "tabs": "id\tarea\trooms\tprice\na\t50\t2\t100\nb\t80\t3\tnan\nc\t120.5\t5\t300\n",
    "bars": "id|area|rooms|price\na|50|2|100\nb|80|3|?\nc|120.5|5|300\n",
    "quotes": '"id","area","rooms","price"\n"a","50","2","100"\n"b","80","3",""\n'
    '"c","120.5","5","300"\n',
    "byte order mark": "\ufeffid,area,rooms,price\na,50,2,100\nb,80,3,NULL\nc,120.5,5,300\n",
    "windows": "id,area,rooms,price\r\na,50,2,100\r\nb,80,3,\r\nc,120.5,5,300\r\n",
    "spaces": "id, area, rooms, price\na, 50, 2, 100\nb, 80, 3,\nc, 120.5, 5, 300\n",
    "exponents": "id,area,rooms,price\na,5e1,2.,1E2\nb,+80,3.0,None\nc,1205e-1,5,300\n",
    "no last newline": "id,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300",
    "commas in quotes": 'id,area,rooms,price\n"a",50,2,100\nb,80,3,n/a\nc,"120.5",5,300\n',
    "spaces before a gap": "id, area, rooms, price\na, 50,2,100\nb, 80,3, NA\nc, 120.5,5,300\n",
    "old line ends": "id,area,rooms,price\ra,50,2,100\rb,80,3,\rc,120.5,5,300\r",
    "a spreadsheet's gap": "id,area,rooms,price\na,50,2,100\nb,80,3,#N/A\nc,120.5,5,300\n",
    "blank lines first": "\n\nid,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300\n",
    "blank, windows": "\r\n\r\nid,area,rooms,price\r\na,50,2,100\r\nb,80,3,\r\nc,120.5,5,300",
    "commas at the end": "id,area,rooms,price,\na,50,2,100,\nb,80,3,,\nc,120.5,5,300,\n",
    "empty rows at the end": "id,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300\n,,,\n,,,\n",
    "an index": ",id,area,rooms,price\n0,a,50,2,100\n1,b,80,3,\n2,c,120.5,5,300\n",
    "a comment": "# made by hand, today\nid,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300\n",
    "names behind a #": "# id,area,rooms,price\na,50,2,100\nb,80,3,\nc,120.5,5,300\n",
    "a spreadsheet's sep": "sep=;\nid;area;rooms;price\na;50;2;100\nb;80;3;\nc;120.5;5;300\n",
    "one space": "id area rooms price\na 50 2 100\nb 80 3 NA\nc 120.5 5 300\n",
    "blank lines": "id,area,rooms,price\n\na,50,2,100\nb,80,3,\n\nc,120.5,5,300\n\n",
}


def _written(folder: Path, text: str, name: str = "t.csv") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


def _agrees(table: Table) -> None:
    assert table.columns == ("area", "rooms")
    assert table.features.tolist() == HOUSES.tolist()
    assert table.identifiers == ("a", "b", "c")
    assert [None if np.isnan(y) else y for y in table.labels] == PRICES


@pytest.mark.parametrize("kind", MESSY)
def test_messy_text(kind: str, tmp_path: Path) -> None:
    _agrees(read_table(_written(tmp_path, MESSY[kind]), target="price", identifier="id"))


def test_decimal_commas(tmp_path: Path) -> None:
    text = "id;area;rooms;price\na;50,0;2;100\nb;80;3;\nc;120,5;5;300\n"
    name = _written(tmp_path, text)
    _agrees(read_table(name, target="price", identifier="id", decimal=","))
    with pytest.raises(errors.TextColumn, match="--decimal ,"):
        read_table(name, target="price", identifier="id")

    # 1.500 may be fifteen hundred where commas are decimal: never guessed
    mixed = _written(tmp_path, "a;b\n1,5; NA\n1.500;1\n")
    with pytest.raises(errors.TextColumn, match="'a'"):
        read_table(mixed, decimal=",", target="b")
    spaced = _written(tmp_path, "a;b\n1,5; NA\n15;1,5\n")
    assert read_table(spaced, decimal=",", target="b").labels[1] == 1.5


def test_a_name_may_hold_a_line_break(tmp_path: Path) -> None:
    table = read_table(
        _written(tmp_path, 'id,"area\nm2",y\na,1,\nb,2,3\n'), target="y", identifier="id"
    )
    assert table.columns == ("area\nm2",)


def test_an_unnamed_first_column_names_the_rows(tmp_path: Path) -> None:
    """As pandas and R write it; as a feature it would be a number of the row."""
    name = _written(tmp_path, ",area,price\n007,50,100\n008,80,\n")
    table = read_table(name, target="price")
    assert (table.columns, table.identifiers) == (("area",), ("007", "008"))


def test_long_first_lines(tmp_path: Path) -> None:
    """A thousand columns with long names: the header is longer than what is looked at first."""
    names = [f"{'a long name ' * 9}{k}" for k in range(1000)]
    text = ",".join(names) + "\n" + (",".join(["1.5"] * 1000) + "\n") * 3
    assert read_table(_written(tmp_path, text)).features.shape == (3, 1000)


def test_a_pipe_is_refused_because_it_cannot_be_read_twice(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(errors.UnreadableFile, match="not a regular file"):
        read_table(tmp_path / "pipe")


def test_tabs_may_be_written_as_people_write_them(tmp_path: Path) -> None:
    for mark in ("\\t", "tab", "\t"):
        _agrees(
            read_table(
                _written(tmp_path, MESSY["tabs"]), target="price", identifier="id", delimiter=mark
            )
        )


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": np.random.default_rng(0).random(999)}).write_parquet(path)
    data = path.read_bytes()
    path.write_bytes(data[:4] + bytes(60) + data[64:])  # the head of the first page
    with pytest.raises(errors.UnreadableFile, match="damaged"):
        read_table(path)


def test_masked_values_are_unknown() -> None:
    array = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], [[False, False], [False, True]])
    assert np.isnan(read_table(array, target="2").labels[1])
    with pytest.raises(errors.MissingFeature, match="'column 2'"):
        read_table(array)


def test_columns_of_an_array_have_one_role() -> None:
    array = np.arange(6.0).reshape(2, 3)
    with pytest.raises(errors.ConflictingOptions, match="both the target and a feature"):
        read_table(array, target="3", features=["1", "3"])
    with pytest.raises(errors.ConflictingOptions, match="both the target and the id"):
        read_table(array, target="3", identifier="3")
    with pytest.raises(errors.DuplicateColumn, match="twice"):
        read_table(array, features=["1", "1"])
    assert read_table(array, identifier="1").identifiers == ("0", "3")
    with pytest.raises(errors.UnknownColumn) as caught:
        read_table(array, target="4")
    assert "--header" not in caught.value.line


def test_no_header_counts_columns_from_one(tmp_path: Path) -> None:
    table = read_table(_written(tmp_path, "50,2,100\n80,3,\n120.5,5,300\n"), target="3")
    assert table.columns == ("column 1", "column 2")
    assert table.features.tolist() == HOUSES.tolist()
    assert table.name(2) == "2"


def test_identifiers_stay_as_they_are_written(tmp_path: Path) -> None:
    table = read_table(_written(tmp_path, "id,x\n007,1\n08,2\n1e3,3\n"), identifier="id")
    assert table.identifiers == ("007", "08", "1e3")


def test_frames_parquet_and_arrays(tmp_path: Path) -> None:
    columns = {"id": ["a", "b", "c"], "area": HOUSES[:, 0], "rooms": [2, 3, 5], "price": PRICES}
    pandas, polars = pd.DataFrame(columns), pl.DataFrame(columns)
    polars.write_parquet(tmp_path / "t.parquet")
    folder = tmp_path / "folder"
    folder.mkdir()
    polars[:2].write_parquet(folder / "0.parquet")
    polars[2:].write_parquet(folder / "1.parquet")
    for source in (pandas, polars, tmp_path / "t.parquet", folder):
        _agrees(read_table(source, target="price", identifier="id"))
    _agrees(read_table(pandas.set_index("id"), target="price"))
    np.save(tmp_path / "t.npy", np.column_stack([HOUSES, [1.0, np.nan, 3.0]]))
    table = read_table(tmp_path / "t.npy", target="3")
    assert table.features.tolist() == HOUSES.tolist()
    assert table.known.tolist() == [True, False, True]
    assert read_table(HOUSES).features is HOUSES


def test_a_frame_older_than_the_stream_is_not_read_as_an_array_without_names() -> None:
    older = SimpleNamespace(__dataframe__=None, __array__=lambda *_, **__: HOUSES)
    with pytest.raises(errors.MissingPackage, match="newer can"):
        read_table(older)


def test_what_is_no_table_is_named() -> None:
    frame = pd.DataFrame({0: [1.0, 2.0], 1: [3.0, None]})
    one: Any = 1  # pandas allows numbers as names
    assert read_table(frame, target=one).columns == ("0",)
    mixed = pd.DataFrame({"c": np.array([1, "b"], dtype=object)})
    for source, error, word in (
        (mixed, errors.TextColumn, "column c"),
        (frame[0], errors.TextColumn, "expected a frame"),
        (pl.LazyFrame({"a": [1.0]}), errors.NotAScalar, "LazyFrame"),
        ({"a": [1.0]}, errors.NotAScalar, "dict"),
        (pd.DataFrame({"a": ["1", "2"]}), errors.TextColumn, "'1' in row 0"),
    ):
        with pytest.raises(error, match=word):
            read_table(source)


def test_features_are_chosen_by_name_in_the_order_asked_for(tmp_path: Path) -> None:
    table = read_table(
        _written(tmp_path, "city,b,a,y\nParis,1,2,3\n"), target="y", features=["a", "b"]
    )
    assert table.features.tolist() == [[2.0, 1.0]]
    long = _written(tmp_path, "bmi,b\n1,2\n")
    assert read_table(long, features="bmi").columns == ("bmi",)


def test_pairs_of_identifier_and_label(tmp_path: Path) -> None:
    plain = read_table(_written(tmp_path, MESSY["plain"]), target="price", identifier="id")
    for text in ("b,200\n", "parcel;price\nb;200\na;\n", '"id","y"\n"b","2e2"\n'):
        filled = with_labels(plain, read_pairs(_written(tmp_path, text, "pairs.csv")))
        assert filled.labels.tolist() == [100.0, 200.0, 300.0]
    with pytest.raises(errors.UnknownIdentifier, match="'z'") as caught:
        with_labels(plain, {"z": 1.0})
    assert caught.value.value == "z"
    assert read_pairs(pd.Series({"b": 2.0, "a": np.nan})) == {"b": 2.0}
    with pytest.raises(errors.NotAScalar, match="not list"):
        read_pairs([1.0, 2.0])
    with pytest.raises(errors.ConflictingOptions, match="two labels are given for 'a': 100"):
        with_labels(plain, {"a": 101.0})
    semicolons = _written(tmp_path, "a;1,5\nb;2,5\n", "pairs.csv")
    assert read_pairs(semicolons, decimal=",", delimiter="\t") == {"a": 1.5, "b": 2.5}
    colons = _written(tmp_path, "a:1\nb:2\n", "pairs.csv")
    assert read_pairs(colons, delimiter=":") == {"a": 1.0, "b": 2.0}
    with pytest.raises(errors.NotAScalar, match="label of 'a' is 'cheap'"):
        read_pairs({"a": "cheap"})
    assert read_pairs(_written(tmp_path, "007,1\n8,2\n", "pairs.csv")) == {"007": 1.0, "8": 2.0}


REFUSED: dict[str, tuple[str, dict[str, Any], type[errors.AsuraError], str]] = {
    "text column": ("a,b\n1,x\n", {}, errors.TextColumn, "'b'.*'x' in row 0"),
    "date column": ("a,b\n1,2020-01-02\n", {}, errors.TextColumn, "'b'"),
    "missing feature": ("a,b\n1,2\n1,\n", {}, errors.MissingFeature, "'b'.*row 1"),
    "infinite feature": ("a,b\n1,2\n1,inf\n", {}, errors.NotAScalar, "'b'.*row 1"),
    "text target": ("a,b\n1,x\n", {"target": "b"}, errors.TextColumn, "'b'"),
    "no such target": ("area,b\n1,2\n", {"target": "arae"}, errors.UnknownColumn, "'area'"),
    "no such id": ("a,b\n1,2\n", {"identifier": "z"}, errors.UnknownColumn, "'z'"),
    "another delimiter": ("a:b\n1:2\n", {"target": "b"}, errors.UnknownColumn, "--delimiter"),
    "years as names": ("2019,2020\n1,2\n", {"target": "2020"}, errors.UnknownColumn, "--header"),
    "no names": ("u,5,2\nv,3,\n", {"target": "3"}, errors.UnknownColumn, "--no-header"),
    "target as id": (
        "a,b\n1,2\n",
        {"target": "b", "identifier": "b"},
        errors.ConflictingOptions,
        "'b'",
    ),
    "a word for no label": ("a,b\n1,2\n3,later\n", {"target": "b"}, errors.TextColumn, "write NA"),
    "no such feature": ("a,b\n1,2\n", {"features": ["z"]}, errors.UnknownColumn, "'z'"),
    "feature twice": ("a,b\n1,2\n", {"features": ["a", "a"]}, errors.DuplicateColumn, "'a'"),
    "target as feature": (
        "a,b\n1,2\n",
        {"features": ["a", "b"], "target": "b"},
        errors.ConflictingOptions,
        "'b'",
    ),
    "column twice": ("a,a\n1,2\n", {}, errors.DuplicateColumn, "'a'"),
    "ragged": ("a,b\n1,2\n1,2,3\n", {}, errors.RaggedData, "line 3 has 3 entries"),
    "empty": ("", {}, errors.EmptyData, "no rows"),
    "header alone": ("a,b\n", {}, errors.EmptyData, "no rows"),
    "no feature left": ("a\n1\n", {"target": "a"}, errors.EmptyData, "feature"),
    "identifier twice": ("a,b\n1,2\n1,3\n", {"identifier": "a"}, errors.DuplicateIdentifier, "'1'"),
    "identifier missing": (
        "a,b\n1,2\n,3\n",
        {"identifier": "a"},
        errors.DuplicateIdentifier,
        "row 1",
    ),
    "binary": ("a\0b", {}, errors.UnreadableFile, "not a text"),
    "an open quote": (
        'a,b\n1,2\n"3,4\n5,6\n7,8\n',
        {},
        errors.RaggedData,
        "line 3 has 1 entry.*quotation mark",
    ),
    "a title": ("Houses\na,b\n1,2\n", {"target": "b"}, errors.RaggedData, "title"),
    "thousands": ('a,b\n1,"1,200"\n', {}, errors.TextColumn, "thousands"),
    "a long decimal point": ("a,b\n1,2\n", {"decimal": ".."}, errors.ConflictingOptions, "'..'"),
    "a row instead of names": (
        "u,5,2\nv,3,\n",
        {"target": "price"},
        errors.UnknownColumn,
        "--no-header",
    ),
    "long delimiter": ("a,b\n1,2\n", {"delimiter": ",,"}, errors.ConflictingOptions, "one char"),
    "decimal delimiter": (
        "a,b\n1,2\n",
        {"delimiter": ",", "decimal": ","},
        errors.ConflictingOptions,
        "decimal",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_with_a_line_that_helps(kind: str, tmp_path: Path) -> None:
    text, options, error, words = REFUSED[kind]
    with pytest.raises(error, match=words) as caught:
        read_table(_written(tmp_path, text), **options)
    assert "\n" not in caught.value.line


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: str(folder / "none.csv"),
        lambda folder: str(folder / "none.npy"),
        lambda folder: str(folder / "none.parquet"),
        lambda folder: _written(folder, "no parquet", "x.parquet"),
        lambda folder: _written(folder, "no array", "x.npy"),
        lambda folder: _written(folder, "", "x.npy"),
        lambda _: "example:../x.csv",
        lambda _: "bad\0name.csv",
    ],
)
def test_unreadable_files(make: Callable[[Path], str], tmp_path: Path) -> None:
    with pytest.raises(errors.UnreadableFile):
        read_table(make(tmp_path))


def test_tables_that_do_not_fit_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Predicted from the first lines, the metadata, or the shape, within a factor of two."""
    text = "a,b\n" + "".join(f"{k}.5,{k}.25\n" for k in range(10000))
    polars = pl.read_csv(text.encode())
    polars.write_parquet(tmp_path / "t.parquet")
    np.save(tmp_path / "t.npy", polars.to_numpy().astype(np.float32))
    sources = [_written(tmp_path, text), str(tmp_path / "t.parquet"), str(tmp_path / "t.npy")]
    truth = 10000 * (2 * 16 + 80)
    for source in sources:
        monkeypatch.setattr(memory, "available", lambda: 2 * truth)
        assert read_table(source).features.shape == (10000, 2)
        monkeypatch.setattr(memory, "available", lambda: truth // 2)
        with pytest.raises(errors.MemoryTooSmall, match="are free: save the features") as caught:
            read_table(source)
        assert "\n" not in caught.value.line
    monkeypatch.setattr(memory, "available", lambda: 10**6)
    points = np.random.default_rng(0).standard_normal((3000, 4))
    with pytest.raises(errors.MemoryTooSmall, match="3000 points"):
        low_rank(GaussianKernel(points, 0.1), 1e-3)


def test_limits_of_the_shell_count(monkeypatch: pytest.MonkeyPatch) -> None:
    free = memory.available()
    assert free > 1 << 20
    monkeypatch.setattr(memory, "_limit", lambda: 12345)
    assert memory.available() == 12345


def test_addresses_that_are_taken_already_do_not_count_as_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under `ulimit -v` the libraries alone take most of a small limit."""
    limit = 1 << 34
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    monkeypatch.setattr(memory, "_free_by_the_kernel", lambda: 1 << 50)
    assert limit - (1 << 33) < memory.available() < limit - (1 << 24)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_named(encoding: str, tmp_path: Path) -> None:
    """What spreadsheets call Unicode, and what they wrote before."""
    (tmp_path / "t.csv").write_bytes("größe,b\n1,2\n".encode(encoding))
    with pytest.raises(errors.UnreadableFile, match="UTF-8"):
        read_table(tmp_path / "t.csv")


def test_without_the_reader_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = _written(tmp_path, MESSY["plain"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(errors.MissingPackage, match="pip install") as caught:
        read_table(name)
    assert caught.value.value == "pyarrow"


@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=False, allow_infinity=False), st.text("ab,;\"'é| ", max_size=4)
        ),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(",;\t|"),
)
def test_what_python_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, str]], delimiter: str
) -> None:
    import csv

    path = tmp_path_factory.mktemp("csv") / "t.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["name", "x"])
        for number, (value, text) in enumerate(rows):
            writer.writerow([f"{number}{text}!", repr(value)])
    table = read_table(path, identifier="name", delimiter=delimiter)
    assert table.features[:, 0].tolist() == [value for value, _ in rows]
    assert table.identifiers == tuple(f"{k}{text}!" for k, (_, text) in enumerate(rows))
