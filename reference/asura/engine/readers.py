"""Text, Parquet and .npy files as tables of cells, read by pyarrow and NumPy.

Delimiter and header are found out from the first lines; every decimal is correctly rounded.
"""

from __future__ import annotations

import csv
import difflib
import io
import itertools
import math
from collections.abc import Container, Iterator, Sequence
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
    MissingPackage,
    RaggedData,
    UnknownColumn,
    UnreadableFile,
)
from asura.files import EXAMPLE

if TYPE_CHECKING:
    import pyarrow as pa

#: What stands for an unknown value in a text table.
UNKNOWN = (
    "",
    "NA",
    "N/A",
    "n/a",
    "na",
    "nan",
    "NaN",
    "NAN",
    "-nan",
    "-NaN",
    "null",
    "NULL",
    "None",
    "<NA>",
    "#N/A",
    "?",
)
DELIMITERS = ",;\t|"
#: So much of a text is looked at to find its delimiter and its header.
_HEAD = 1 << 16


def pyarrow_module() -> Any:
    """The reader, or one line that says what to install."""
    try:
        import pyarrow  # noqa: PLC0415 - tables are the only part that needs it
    except ImportError:
        raise MissingPackage(
            "tables are read by pyarrow, which is not installed: "
            "pip install 'asura-reference[plan]'",
            value="pyarrow",
        ) from None
    return pyarrow


def _resolve(name: str) -> str:
    """The path of a file, or of an example that comes with the package."""
    if not name.startswith(EXAMPLE):
        return name
    plain = name.removeprefix(EXAMPLE)
    if Path(plain).name != plain:
        raise UnreadableFile(f"{name}: expected the plain name of an example", value=name)
    return str(resources.files("asura") / "examples" / plain)


def _head(name: str, path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_HEAD)
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"{name}: {getattr(error, 'strerror', None) or error}", value=name
        ) from None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # what spreadsheets call Unicode
        raise UnreadableFile(f"{name}: not text in UTF-8: save it again as UTF-8", value=name)
    if b"\0" in data:
        raise UnreadableFile(f"{name}: not a text, expected CSV, .parquet or .npy", value=name)
    text = data.decode("utf-8-sig", errors="replace")
    if "\ufffd" in text[:-4]:
        raise UnreadableFile(f"{name}: not text in UTF-8: save it again as UTF-8", value=name)
    if len(data) == _HEAD and "\n" in text:  # the last line may be cut
        text = text[: text.rindex("\n") + 1]
    return text


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    try:
        rows = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter)
        yield from ([cell.strip() for cell in row] for row in itertools.islice(rows, 50) if row)
    except csv.Error:
        return


def _blank(text: str) -> int:
    """How many empty lines come first."""
    lines = text.splitlines()
    return next((k for k, line in enumerate(lines) if line), len(lines))


def _delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into most columns, the same number in each."""

    def width(delimiter: str) -> int:
        widths = {len(row) for row in _records(text, delimiter)}
        return widths.pop() if len(widths) == 1 else 0

    best = max(DELIMITERS, key=width)
    if width(best) > 1:
        return best
    first = next(_records(text, ","), [""])  # ragged, or one column
    return "," if len(first) > 1 else max(DELIMITERS, key=text.strip().splitlines()[0].count)


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


def _require_rectangle(name: str, path: str, delimiter: str, columns: int) -> None:
    """Refuse a ragged text by its line, which the threads of the reader do not know."""
    with Path(path).open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file, delimiter=delimiter)
        for row in rows:
            if row and len(row) != columns:
                raise RaggedData(
                    f"{name}, line {rows.line_num} has {len(row)} entries: expected {columns}",
                    value=row,
                )


def read_csv(
    name: str, delimiter: str | None, header: bool | None, decimal: str, texts: Sequence[str]
) -> pa.Table:
    """A text table, with the columns `texts` as they are written."""
    pa = pyarrow_module()
    from pyarrow import csv as reader  # noqa: PLC0415

    path = _resolve(name)
    text = _head(name, path)
    if not text.strip():
        raise EmptyData(f"{name}: no rows, expected at least one", value=name)
    mark = delimiter or _delimiter(text)
    if len(mark) != 1:
        raise ConflictingOptions(f"--delimiter {mark!r}: expected one character", value=mark)
    if mark == decimal:
        raise ConflictingOptions(
            f"{mark!r} is both the delimiter and the decimal point", value=mark
        )
    first = next(_records(text, mark))
    named = header if header is not None else not all(is_number(c, decimal) for c in first)
    names = [c or f"column {k}" for k, c in enumerate(first, 1)] if named else None
    names = names or [f"column {k}" for k in range(1, len(first) + 1)]
    no_duplicates(name, names)
    _require_memory(name, path, text, len(names), len(texts))
    columns = {locate(name, names, text): pa.string() for text in texts}
    try:
        table = reader.read_csv(
            path,
            # rows, not lines: a name may hold a line break; empty rows are counted
            read_options=reader.ReadOptions(
                column_names=names, skip_rows_after_names=_blank(text) + 1 if named else 0
            ),
            parse_options=reader.ParseOptions(
                delimiter=mark, newlines_in_values="\n" in "".join(first) or '"' in text
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
        _require_rectangle(name, path, mark, len(names))
        text = str(error).removeprefix("CSV parse error: ")
        raise UnreadableFile(f"{name}: {text}", value=name) from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{name}: {error}", value=name) from None
    return _trimmed(pa, table, decimal, columns)


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
    return found.to_table()


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
    advice = ""
    if len(names) == 1:
        advice = "; if that is more than one column, give --delimiter"
    elif all(n == f"column {k}" for k, n in enumerate(names, 1)):
        advice = "; if the first line holds the names, give --header"
    elif wanted.isdecimal():
        advice = "; if the first line holds no names, give --no-header"
    raise UnknownColumn(
        f"{source} has no column {wanted!r}: {hint}it has {shown}{advice}", value=wanted
    )


def first_pair(name: str) -> tuple[str, str]:
    """The first line of a file of pairs: a header, or a pair already."""
    text = _head(name, _resolve(name))
    first = next(_records(text, _delimiter(text)), []) if text.strip() else []
    if len(first) != 2:
        raise RaggedData(
            f"{name}: {len(first)} columns, expected identifier and label", value=first
        )
    return first[0] or "column 1", first[1]
