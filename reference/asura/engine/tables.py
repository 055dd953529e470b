"""Tables as people have them: CSV, Parquet, .npy, arrays, and frames of any library.

pyarrow reads files, and frames of pandas, polars and others by Arrow's protocol. Measured on
300,000 x 20 numbers all three round every decimal correctly; pyarrow starts first (0.17 s against
0.26 and 0.8), polars reads first (0.6 s against 1.0 and 1.0), and pyarrow has the smallest API to
lean on: one table type for files, folders and foreign frames.

>>> table = read_table("example:houses.csv", target="price", identifier="parcel")
>>> table.columns, table.features.shape, table.identifiers[:2]
(('area', 'rooms', 'age'), (60, 3), ('p01', 'p02'))
>>> int(table.known.sum())
9
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from asura.engine.readers import (
    first_pair,
    is_number,
    locate,
    no_duplicates,
    pyarrow_module,
    read_array,
    read_csv,
    read_parquet,
    require_table,
)
from asura.engine.rows import ArrayRows
from asura.engine.threads import Progress, silent
from asura.errors import (
    ConflictingOptions,
    DuplicateColumn,
    DuplicateIdentifier,
    EmptyData,
    MissingFeature,
    MissingPackage,
    NotAScalar,
    RaggedData,
    TextColumn,
    UnknownIdentifier,
)

if TYPE_CHECKING:
    import pyarrow as pa

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]


#: What a table is called that came without a file.
ARRAY, DASK, FRAME = IN_MEMORY = ("array", "dask array", "frame")


@runtime_checkable
class Series(Protocol):
    """Values with an index that names them, as in pandas."""

    @property
    def index(self) -> Iterable[object]:
        """The names."""

    def tolist(self) -> list[Any]:
        """The values."""

    def items(self) -> Iterable[tuple[object, Any]]:
        """Both."""


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of numbers with their names; an unknown label is nan."""

    source: str
    columns: tuple[str, ...]
    features: Matrix
    labels: Vector
    identifiers: tuple[str, ...] | None
    target: str | None

    def __repr__(self) -> str:
        rows, columns = self.features.shape
        known = int(self.known.sum())
        return f"Table({self.source}: {rows} rows, {columns} features, {known} labels known)"

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have their label."""
        return ~np.isnan(self.labels)

    def name(self, row: int) -> str:
        """How to call a row: by its identifier, else by its number from 0."""
        return str(row) if self.identifiers is None else self.identifiers[row]


def _cells(column: pa.ChunkedArray) -> Iterator[Any]:
    """The cells, so many at a time that an interrupt is heard."""
    for start in range(0, len(column), 1 << 16):
        yield from column.slice(start, 1 << 16).to_pylist()


def _first_text(column: pa.ChunkedArray) -> tuple[int, str]:
    for row, cell in enumerate(_cells(column)):
        if cell is not None and not (isinstance(cell, str) and is_number(cell.strip(), ".")):
            return row, str(cell)
    return next(((row, str(cell)) for row, cell in enumerate(_cells(column)) if cell), (0, ""))


def _numbers(source: str, table: pa.Table, name: str, missing_allowed: bool) -> Vector:
    """One column as doubles, nan where unknown; anything else than a number is refused."""
    pa = pyarrow_module()
    column = table.column(name)
    kind = column.type
    if pa.types.is_null(kind):
        values = np.full(len(column), np.nan)
    elif pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        doubles = column.cast(pa.float64(), safe=False)
        values = np.asarray(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)
    elif pa.types.is_decimal(kind):
        values = np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    else:
        row, cell = _first_text(column)
        comma = ""
        if re.fullmatch(r"[-+]?[\d.]+(,\d+)+(\.\d*)?", cell.strip()):
            comma = "; with decimal commas give --decimal , and take marks of thousands away"
        advice = (
            "leave unknown labels empty, or write NA"
            if missing_allowed
            else "leave it out (--features), use it as --id, or code it as numbers"
        )
        raise TextColumn(
            f"{source}: column {name!r} is not numeric but {kind} ({cell!r} in row {row}): "
            f"{advice}{comma}",
            value=name,
        )
    return _checked(source, name, values, missing_allowed)


def _checked(source: str, name: str, values: Vector, missing_allowed: bool) -> Vector:
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise NotAScalar(
            f"{source}: column {name!r} is infinite in row {infinite[0]}: expected finite numbers",
            value=name,
        )
    missing = np.flatnonzero(np.isnan(values))
    if missing.size and not missing_allowed:
        raise MissingFeature(
            f"{source}: column {name!r} has {missing.size} missing value(s), the first in row "
            f"{missing[0]}: fill them in, drop the rows, leave the column out (--features), or "
            "make it the --target",
            value=name,
        )
    return values


def _name(cell: object) -> str:
    """An identifier as a text; whole numbers may have been stored as doubles."""
    whole = isinstance(cell, float) and cell.is_integer()
    return (f"{cell:.0f}" if whole else str(cell)).strip()


def _identifiers(source: str, name: str, cells: Iterable[object]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for row, cell in enumerate(cells):
        text = "" if cell is None else _name(cell)
        if text in {"", "nan"}:
            raise DuplicateIdentifier(
                f"{source}: row {row} has no {name!r}: give it one", value=name
            )
        if text in seen:
            raise DuplicateIdentifier(
                f"{source}: rows {seen[text]} and {row} both have {name} = {text!r}: "
                "identifiers must differ",
                value=name,
            )
        seen[text] = row
    return tuple(seen)


def _index_columns(table: pa.Table) -> list[str]:
    """The columns that hold the index of a pandas frame."""
    metadata = table.schema.pandas_metadata or {}
    return [c for c in metadata.get("index_columns", []) if c in table.column_names]


@dataclass(frozen=True)
class _Chosen:
    """Which columns are what."""

    target: str | None
    identifier: str | None
    features: tuple[str, ...]


def _choose(
    source: str,
    names: Sequence[str],
    target: str | None,
    identifier: str | None,
    features: Sequence[str] | None,
    index: Sequence[str] = (),
) -> _Chosen:
    goal = None if target is None else locate(source, names, target)
    key = None if identifier is None else locate(source, names, identifier)
    if goal is not None and goal == key:
        raise ConflictingOptions(f"column {goal!r} is both the target and the id", value=goal)
    if features is None:
        chosen = tuple(n for n in names if n not in {goal, key, *index})
    else:
        known = set(names)  # there may be many
        chosen = tuple(n if n in known else locate(source, names, n) for n in features)
        if goal in chosen:
            raise ConflictingOptions(
                f"column {goal!r} is both the target and a feature", value=goal
            )
        for name, count in Counter(chosen).items():
            if count > 1:
                raise DuplicateColumn(f"column {name!r} is given twice as a feature", value=name)
    if not chosen:
        raise EmptyData(f"{source}: no column is left as a feature", value=source)
    return _Chosen(goal, key, chosen)


def _from_arrow(
    source: str,
    table: pa.Table,
    target: str | None,
    identifier: str | None,
    features: Sequence[str] | None,
) -> Table:
    names = [str(name) for name in table.column_names]
    no_duplicates(source, names)
    if table.num_rows == 0:
        raise EmptyData(f"{source}: no rows, expected at least one", value=source)
    index = _index_columns(table)
    use = _choose(source, names, target, identifier, features, index)
    rows = table.num_rows
    matrix = np.empty((rows, len(use.features)))
    for k, name in enumerate(use.features):
        matrix[:, k] = _numbers(source, table, name, missing_allowed=False)
    labels = (
        np.full(rows, np.nan)
        if use.target is None
        else _numbers(source, table, use.target, missing_allowed=True)
    )
    keys = None
    if use.identifier is not None:
        keys = _identifiers(source, use.identifier, _cells(table.column(use.identifier)))
    elif index:
        levels = [list(_cells(table.column(name))) for name in index]
        cells = (
            levels[0]
            if len(levels) == 1
            else [", ".join(map(str, cell)) for cell in zip(*levels, strict=True)]
        )
        keys = _identifiers(source, "index", cells)
    return Table(source, use.features, matrix, labels, keys, use.target)


def all_finite(matrix: Matrix, progress: Progress = silent) -> bool:
    """Whether there is no nan and no infinite number, a few MB at a time."""
    rows = ArrayRows(matrix)
    for done, total in rows.over_blocks(lambda _start, block: float(block.sum())):
        if not np.isfinite(total):  # or the sum is too large: whoever is told looks closer
            return False
        progress(done / rows.size)
    return True


#: How the numbers of an array are looked at: whether all are finite.
Look = Callable[[Matrix], bool]


def _from_array(
    source: str,
    array: NDArray[Any],
    target: str | None,
    identifier: str | None,
    features: Sequence[str] | None,
    look: Look,
) -> Table:
    if array.dtype.kind not in "iufb":
        raise NotAScalar(
            f"{source}: an array of {array.dtype}, expected real numbers", value=str(array.dtype)
        )
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise RaggedData(
            f"{source}: {array.ndim} axes, expected rows and columns", value=array.ndim
        )
    if 0 in array.shape:
        raise EmptyData(
            f"{source}: shape {array.shape}, expected at least one row and column",
            value=array.shape,
        )
    names = [f"column {k}" for k in range(1, array.shape[1] + 1)]
    use = _choose(source, names, target, identifier, features)
    whole = len(use.features) == len(names) and array.dtype == np.float64
    places = {name: place for place, name in enumerate(names)}
    picks = [places[name] for name in use.features]
    if not whole and isinstance(array, np.memmap):  # then it is copied
        require_table(source, len(array), len(picks))
    matrix = array if whole else np.ascontiguousarray(array[:, picks], dtype=np.float64)
    if not look(matrix):
        for k, name in enumerate(use.features):
            _checked(source, name, np.asarray(matrix[:, k]), missing_allowed=False)
    labels = (
        np.full(len(array), np.nan)
        if use.target is None
        else _checked(source, use.target, np.array(array[:, places[use.target]], float), True)
    )
    keys = None
    if use.identifier is not None:
        cells = array[:, places[use.identifier]].tolist()
        keys = _identifiers(source, use.identifier, cells)
    return Table(source, use.features, matrix, labels, keys, use.target)


def _from_dask(source: Any, *others: object) -> Table:
    """A Dask array stays where it is: its numbers are looked at in the passes."""
    if any(other is not None for other in others):
        raise ConflictingOptions(
            "a Dask array holds features only: give its labels as pairs of row and label",
            value=others,
        )
    if not hasattr(source, "chunks") or source.ndim != 2 or np.isnan(sum(source.shape)):
        raise RaggedData(
            "expected a Dask array of rows and columns whose chunks have known sizes "
            "(to_dask_array(lengths=True))",
            value=type(source).__name__,
        )
    names = tuple(f"column {k}" for k in range(1, source.shape[1] + 1))
    return Table(DASK, names, source, np.full(source.shape[0], np.nan), None, None)


def _unmasked(source: object) -> object:
    """A masked array with nan where it is masked, which NumPy would forget."""
    if not (isinstance(source, np.ma.MaskedArray) and np.ma.is_masked(source)):
        return source
    return np.ma.filled(source.astype(np.float64), np.nan)


def _streamed(source: object) -> pa.Table:
    """A frame by Arrow's protocol."""
    pa = pyarrow_module()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # numbers as names become texts
            return pa.table(source)
    except (pa.ArrowException, TypeError) as error:
        reason = ", ".join(str(part) for part in error.args)
        raise TextColumn(
            f"frame: its columns cannot be read: {reason}; expected a frame whose columns have "
            "one type each",
            value=type(source).__name__,
        ) from None


def read_table(
    source: object,
    *,
    target: str | None = None,
    identifier: str | None = None,
    features: Sequence[str] | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    look: Look = all_finite,
) -> Table:
    """A table from a file name, an array, or a frame of pandas, polars or another library.

    The target may be unknown in some rows, a feature in none. Without `features` every column
    but the target and the identifier is one. Delimiter and header are found out unless given;
    a table without header has columns 1, 2, ...
    """
    if isinstance(source, Table):
        return source
    if isinstance(features, str):  # one name, not its letters
        features = [features]
    if isinstance(source, str | Path):
        name = str(source)
        if name.endswith(".npy"):
            return _from_array(name, read_array(name), target, identifier, features, look)
        if name.endswith((".parquet", ".pq")) or Path(name).is_dir():
            table = read_parquet(name)
        else:
            texts = [identifier] if identifier is not None else []
            table = read_csv(name, delimiter, header, decimal, texts)
        return _from_arrow(name, table, target, identifier, features)
    if hasattr(source, "to_frame"):  # what becomes of a series depends on versions
        kind = type(source).__name__
        raise TextColumn(f"a {kind} is one column: expected a frame", value=kind)
    if hasattr(source, "__dask_graph__"):
        return _from_dask(source, target, identifier, features)
    if hasattr(source, "__arrow_c_stream__"):
        return _from_arrow(FRAME, _streamed(source), target, identifier, features)
    if hasattr(source, "__dataframe__"):  # as an array it would lose its names and its index
        raise MissingPackage(
            "this frame cannot be read as an Arrow stream: pandas 2.2, polars 1.3 or newer can",
            value=type(source).__module__,
        )
    try:
        array = np.asarray(_unmasked(source))
    except ValueError:
        raise RaggedData("table: its rows differ in length", value=source) from None
    if array.dtype == object and array.ndim == 0:
        raise NotAScalar(
            f"expected a file, an array of numbers or a frame, not {type(source).__name__}",
            value=type(source).__name__,
        )
    return _from_array(ARRAY, array, target, identifier, features, look)


def as_label(value: object, key: object) -> float:
    """A label that somebody gave for a row; None and nan are unknown."""
    if value is None:
        return float("nan")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise NotAScalar(
            f"the label of {str(key)!r} is {value!r}: expected a number", value=value
        ) from None


def read_pairs(
    source: object, *, delimiter: str | None = None, decimal: str = "."
) -> dict[str, float]:
    """Labels as pairs of identifier and label, without unknown ones.

    They come from a file, a mapping, or a series of pandas by its index.
    """
    if isinstance(source, Series):
        names = _identifiers("labels", "index", list(source.index))  # each once
        source = dict(zip(names, source.tolist(), strict=True))
    if isinstance(source, Mapping):
        pairs = {_name(key): as_label(value, key) for key, value in source.items()}
        return {key: value for key, value in pairs.items() if not np.isnan(value)}
    if not isinstance(source, str | Path):
        raise NotAScalar(
            "labels: expected a file of pairs, a mapping or a series with the names of its rows, "
            f"not {type(source).__name__}",
            value=type(source).__name__,
        )
    name = str(source)
    if name.endswith((".parquet", ".pq")):
        table = read_parquet(name)
    else:
        first, second, mark = first_pair(name, delimiter, decimal)
        headless = is_number(second, decimal)
        table = read_csv(name, mark, not headless, decimal, ["1" if headless else first])
    if table.num_columns != 2:
        raise RaggedData(
            f"{name}: {table.num_columns} columns, expected identifier and label",
            value=table.num_columns,
        )
    key, goal = table.column_names
    keys = _identifiers(name, key, _cells(table.column(0)))
    values = _numbers(name, table, goal, missing_allowed=True)
    return {k: float(v) for k, v in zip(keys, values, strict=True) if not np.isnan(v)}


def names_rows(labels: object, rows: int) -> bool:
    """Whether labels come with names: an index that only counts all rows names none."""
    if isinstance(labels, Series):
        return list(labels.index) != list(range(rows))
    return isinstance(labels, str | Path | Mapping)


def label_array(labels: object) -> Vector:
    """Labels one after the other as doubles; None and nan are unknown."""
    try:
        return np.asarray(_unmasked(labels), dtype=np.float64)
    except (TypeError, ValueError):
        cells = list(labels) if isinstance(labels, Iterable) else [labels]
        return np.array([as_label(cell, place) for place, cell in enumerate(cells)])


def with_known(
    table: Table, labels: object, *, delimiter: str | None = None, decimal: str = "."
) -> Table:
    """The table with labels by name (a file, a mapping, a series) or one for each of its rows."""
    if names_rows(labels, len(table.labels)):
        return with_labels(table, read_pairs(labels, delimiter=delimiter, decimal=decimal))
    return with_values(table, label_array(labels))


def with_labels(table: Table, pairs: Mapping[str, float]) -> Table:
    """The table with these labels filled in, by identifier, or by row number from 0."""
    values = np.full(len(table.labels), np.nan)
    rows = {table.name(row): row for row in range(len(values))}
    for key, value in pairs.items():
        if key not in rows:
            raise UnknownIdentifier(
                f"a label is given for {key!r}, which {table.source} does not have: its rows are "
                f"{table.name(0)!r} to {table.name(len(values) - 1)!r}",
                value=key,
            )
        values[rows[key]] = value
    return with_values(table, values)


def with_values(table: Table, values: Vector) -> Table:
    """The table with one more label per row, nan where there is none; no label is overwritten."""
    before = table.labels
    if values.shape != before.shape:
        raise RaggedData(
            f"labels of shape {values.shape}: expected one for each of the {len(before)} rows",
            value=values.shape,
        )
    for row in np.flatnonzero(np.isinf(values))[:1]:
        raise NotAScalar(
            f"the label of {table.name(row)!r} is {values[row]}: expected a finite number",
            value=float(values[row]),
        )
    for row in np.flatnonzero(~np.isnan(before) & ~np.isnan(values) & (before != values))[:1]:
        raise ConflictingOptions(
            f"two labels are given for {table.name(row)!r}: {before[row]:.17g} in {table.source}, "
            f"and {values[row]:.17g}: keep one",
            value=table.name(row),
        )
    return replace(table, labels=np.where(np.isnan(values), before, values))
