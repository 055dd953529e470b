"""Text, Parquet and .npy files as tables of cells, read by pyarrow and NumPy.

Delimiter and header are found out from the first lines; every decimal is correctly rounded.
"""

from __future__ import annotations

import csv
import difflib
import io
import itertools
import json
import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from asura.engine import memory
from asura.errors import (
    ConflictingOptions,
    DuplicateColumn,
    EmptyData,
    RaggedData,
    UnknownColumn,
    UnreadableFile,
    missing_package,
)
from asura.files import EXAMPLE

if TYPE_CHECKING:
    import pyarrow as pa

#: What stands for an unknown value in a text table.
UNKNOWN = (
    "", "NA", "N/A", "n/a", "na", "nan", "NaN", "NAN", "-nan", "-NaN", "null", "NULL", "Null",
    "None", "none", "<NA>", "#N/A", "#NA", "?",
)  # fmt: skip
DELIMITERS = ",;\t|"
#: So much of a text is looked at to find its delimiter and its header, or more until a few lines
#: are whole.
_HEAD, _LINES = 1 << 16, 4


def pyarrow_module() -> Any:
    """The reader, or one line that says what to install."""
    try:
        import pyarrow  # noqa: PLC0415 - tables are the only part that needs it
    except ImportError:
        raise missing_package("tables are read by pyarrow", "plan", "pyarrow") from None
    return pyarrow


def _resolve(name: str) -> str:
    """The path of a file, or of an example that comes with the package."""
    if not name.startswith(EXAMPLE):
        return name
    plain = name.removeprefix(EXAMPLE)
    if Path(plain).name != plain:
        raise UnreadableFile(f"{name}: expected the plain name of an example", value=name)
    return str(resources.files("asura") / "examples" / plain)


def _beginning(name: str, path: str) -> tuple[bytes, bool]:
    """The first lines of a file, and whether that is all of it."""
    try:
        if Path(path).exists() and not Path(path).is_file():  # it could not be read twice
            raise UnreadableFile(f"{name}: not a regular file: save it as one first", value=name)
        with Path(path).open("rb") as file:
            data = file.read(_HEAD)
            while more := b"" if len(data.splitlines()) >= _LINES else file.read(len(data) + 1):
                data += more
            return data, not file.read(1)
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"{name}: {getattr(error, 'strerror', None) or error}", value=name
        ) from None


def _head(name: str, path: str) -> str:
    data, whole = _beginning(name, path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # what spreadsheets call Unicode
        raise UnreadableFile(f"{name}: not text in UTF-8: save it again as UTF-8", value=name)
    if b"\0" in data:
        raise UnreadableFile(f"{name}: not a text, expected CSV, .parquet or .npy", value=name)
    text = data.decode("utf-8-sig", errors="replace")
    if "\ufffd" in text[:-4]:
        raise UnreadableFile(f"{name}: not text in UTF-8: save it again as UTF-8", value=name)
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text if whole or end < 0 else text[: end + 1]  # the last line may be cut


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        rows = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter)
        yield from ([cell.strip() for cell in row] for row in itertools.islice(rows, 50) if row)
    except csv.Error:
        return


def _delimiter(text: str, decimal: str) -> str:
    """The delimiter that cuts the first lines into most columns, the same number in each."""

    def width(delimiter: str) -> int:
        widths = {len(row) for row in _records(text, delimiter)}
        return widths.pop() if len(widths) == 1 else 0

    best = max((mark for mark in DELIMITERS if mark != decimal), key=width)
    if width(best) > 1:
        return best
    if len(next(_records(text, ","), [""])) > 1:  # ragged
        return ","
    if width(" ") > 1:  # as NumPy writes them
        return " "
    return max(DELIMITERS, key=text.strip().splitlines()[0].count)  # one column


@dataclass(frozen=True)
class _Layout:
    """How a text is cut: its delimiter, the lines before the table, and its first record."""

    delimiter: str
    skipped: int
    first: list[str]


def _layout(name: str, text: str, delimiter: str | None, decimal: str) -> _Layout:
    """Empty lines, `sep=;` and comments may come first.

    A line with # is no comment where it names every column.
    """
    lines = text.splitlines(keepends=True)
    start = 0
    told = None
    while start < len(lines) and (not lines[start].strip() or lines[start].startswith("#")):
        start += 1
    if start < len(lines) and lines[start].strip().lower()[:-1] == "sep=":
        told = lines[start].strip()[-1]
        start += 1
    rest = "".join(lines[start:])
    if not rest.strip():
        raise EmptyData(f"{name}: no rows, expected at least one", value=name)
    mark = {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)
    mark = mark or told or _delimiter(rest, decimal)
    if len(mark) != 1 or mark in '"\r\n':
        raise ConflictingOptions(f"--delimiter {mark!r}: expected one character", value=mark)
    if mark == decimal:
        raise ConflictingOptions(
            f"{mark!r} is both the delimiter and the decimal point", value=mark
        )
    first = next(_records(rest, mark))
    if told is None and start and lines[start - 1].startswith("#"):
        above = next(_records(lines[start - 1], mark))
        if len(above) == len(first) > 1:
            return _Layout(mark, start - 1, [above[0].lstrip("# ") or "#", *above[1:]])
    return _Layout(mark, start, first)


def is_number(cell: str, decimal: str) -> bool:
    """Whether a cell may stand in a column of numbers."""
    if cell in UNKNOWN:
        return True
    try:
        float(cell.replace(decimal, "."))
    except ValueError:
        return False
    return True


#: Per number: once as it was read, once in the matrix. Per name: as a text and as a key.
_BYTES_PER_NUMBER, _BYTES_PER_NAME = 16, 250
_ADVICE = (
    "save the features alone as .npy of doubles, which is read as needed, give a Dask array, or "
    "take a machine with more memory"
)


def _require_memory(name: str, path: str, head: str, columns: int, texts: int) -> None:
    """Refuse a text whose table would not fit, judged by the length of its first lines."""
    size = Path(path).stat().st_size
    rows = math.ceil(size / max(1.0, len(head.encode()) / max(1, head.count("\n"))))
    require_table(name, rows, columns, texts)


def require_table(name: str, rows: int, columns: int, texts: int = 0) -> None:
    """Refuse a table that would not fit."""
    each = _BYTES_PER_NUMBER * columns + _BYTES_PER_NAME * texts + memory.BYTES_PER_ROW
    memory.require(rows * each, f"{name}: about {rows} rows of {columns} columns", _ADVICE)


def _require_rectangle(name: str, path: str, layout: _Layout) -> None:
    """Refuse a ragged text by its line, which the threads of the reader do not know."""
    expected = len(layout.first)
    with Path(path).open(encoding="utf-8-sig", errors="replace", newline="") as file:
        for _ in range(layout.skipped):
            file.readline()
        rows = csv.reader(file, delimiter=layout.delimiter)
        line = layout.skipped + 1
        for row in rows:
            if row and len(row) != expected:
                noun = "entry" if len(row) == 1 else "entries"
                advice = " (is the first line a title?)" if expected == 1 else ""
                if layout.skipped + rows.line_num > line + 1:
                    advice = " (is a quotation mark left open there?)"
                raise RaggedData(
                    f"{name}, line {line} has {len(row)} {noun}: expected {expected}{advice}",
                    value=row,
                )
            line = layout.skipped + rows.line_num + 1


def read_csv(
    name: str, delimiter: str | None, header: bool | None, decimal: str, texts: Sequence[str]
) -> pa.Table:
    """A text table, with the columns `texts` as they are written."""
    pa = pyarrow_module()
    from pyarrow import csv as reader  # noqa: PLC0415

    if decimal not in {".", ","}:
        raise ConflictingOptions(f"--decimal {decimal!r}: expected . or a comma", value=decimal)
    path = _resolve(name)
    text = _head(name, path)
    layout = _layout(name, text, delimiter, decimal)
    first = layout.first
    named = header if header is not None else not all(is_number(c, decimal) for c in first)
    names = [(named and c) or f"column {k}" for k, c in enumerate(first, 1)]
    no_duplicates(name, names)
    _require_memory(name, path, text, len(names), len(texts))
    # rows of pandas and R have their names in a first column without one
    index = names[:1] if named and not first[0] and any(first) else []
    columns = {locate(name, names, text): pa.string() for text in [*texts, *index]}
    try:
        table = reader.read_csv(
            path,
            # a record, not a line, after the names: a name may hold a line break
            read_options=reader.ReadOptions(
                column_names=names,
                skip_rows=layout.skipped,
                skip_rows_after_names=1 if named else 0,
            ),
            parse_options=reader.ParseOptions(
                delimiter=layout.delimiter, newlines_in_values="\n" in "".join(first) or '"' in text
            ),
            convert_options=reader.ConvertOptions(
                null_values=list(UNKNOWN),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                decimal_point=decimal,
                column_types=columns,
            ),
        )
    except pa.ArrowInvalid as error:
        _require_rectangle(name, path, layout)
        text = str(error).removeprefix("CSV parse error: ")
        raise UnreadableFile(f"{name}: {text}", value=name) from None
    except (OSError, ValueError, pa.ArrowException) as error:
        raise UnreadableFile(f"{name}: {error}", value=name) from None
    table = _trimmed(pa, table, decimal, columns)
    unnamed = [n for n, c in zip(names, first, strict=True) if named and not c]
    return _without_margins(table, unnamed, index)


def _without_margins(table: pa.Table, unnamed: Sequence[str], index: Sequence[str]) -> pa.Table:
    """Without what spreadsheets leave at the margins: empty columns that have no name, empty rows.

    The index is marked as pandas itself does.
    """
    rows = table.num_rows
    empty = [name for name in unnamed if table.column(name).null_count == rows]
    table = table.drop_columns(empty)
    if table.num_columns > 1:
        while rows and not any(column[rows - 1].is_valid for column in table.columns):
            rows -= 1
    kept = [name for name in index if name not in empty]
    metadata = {"pandas": json.dumps({"index_columns": kept})} if kept else None
    return table.slice(0, rows).replace_schema_metadata(metadata)


def _trimmed(pa: Any, table: pa.Table, decimal: str, texts: Container[str]) -> pa.Table:
    """The table where " NA" is unknown too: the reader takes spaces from numbers alone."""
    from pyarrow import compute  # noqa: PLC0415

    for k, name in enumerate(table.column_names):
        column = table.column(k)
        if name in texts or not pa.types.is_string(column.type):
            continue
        words = compute.utf8_trim_whitespace(column)
        known = compute.if_else(compute.is_in(words, pa.array(UNKNOWN)), None, words)
        if decimal != "." and compute.any(compute.match_substring(known, ".")).as_py():
            continue  # 1.500 may be fifteen hundred
        try:
            numbers = compute.replace_substring(known, decimal, ".").cast(pa.float64())
        except pa.ArrowInvalid:
            continue
        table = table.set_column(k, name, numbers)
    return table


def read_parquet(name: str) -> pa.Table:
    """A Parquet file, or a folder of them."""
    pa = pyarrow_module()
    from pyarrow import dataset as folders  # noqa: PLC0415

    try:
        found = folders.dataset(_resolve(name), format="parquet")
        rows = found.count_rows()
    except (OSError, ValueError, pa.ArrowException) as error:
        gone = isinstance(error, FileNotFoundError)
        reason = "No such file or directory" if gone else "not a Parquet file or folder"
        raise UnreadableFile(f"{name}: {reason}", value=name) from None
    require_table(name, rows, len(found.schema.names))
    try:
        return found.to_table()
    except (OSError, ValueError, pa.ArrowException) as error:
        raise UnreadableFile(f"{name}: damaged: {error}", value=name) from None


def read_array(name: str) -> NDArray[Any]:
    """A .npy file, left on the disk until its rows are asked for."""
    try:
        array = np.load(name, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "not a whole .npy file of numbers"
        raise UnreadableFile(f"{name}: {reason}", value=name) from None
    if not isinstance(array, np.ndarray):
        raise UnreadableFile(f"{name}: expected one array, not an archive", value=name)
    return array


def no_duplicates(source: str, names: Sequence[str]) -> None:
    """Refuse two columns of one name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DuplicateColumn(
                f"{source}: two columns are called {name!r}: rename one", value=name
            )
        seen.add(name)


def locate(source: str, names: Sequence[str], name: str | int) -> str:
    """A column by its name, or `column K`, where there are no names, by K from 1."""
    wanted = str(name)  # pandas allows numbers as names
    if wanted in names:
        return wanted
    if f"column {wanted}" in names:
        return f"column {wanted}"
    close = difflib.get_close_matches(wanted, names, 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    raise UnknownColumn(
        f"{source} has no column {wanted!r}: {hint}it has {shown}"
        + _other_names(source, names, wanted),
        value=wanted,
    )


def _other_names(source: str, names: Sequence[str], wanted: str) -> str:
    """How a text may be read with other names than these."""
    if source.endswith((".npy", ".parquet", ".pq")) or not Path(_resolve(source)).is_file():
        return ""
    if len(names) == 1:
        return "; if that is more than one column, give --delimiter; if it is a title, remove it"
    if all(n == f"column {k}" for k, n in enumerate(names, 1)):
        return "; if the first line holds the names, give --header"
    if wanted.isdecimal() or any(is_number(n, ".") for n in names):
        return "; if the first line holds no names, give --no-header"
    return ""


def first_pair(name: str, delimiter: str | None, decimal: str) -> tuple[str, str, str]:
    """The first line of a file of pairs, a header or a pair already, and its delimiter.

    The delimiter of the table is tried where none is found.
    """
    text = _head(name, _resolve(name))
    for mark in (None, delimiter):
        layout = _layout(name, text, mark, decimal)
        if len(layout.first) == 2:
            break
    else:
        raise RaggedData(
            f"{name}: {len(layout.first)} columns, expected identifier and label",
            value=layout.first,
        )
    return layout.first[0] or "column 1", layout.first[1], layout.delimiter
