"""Reading numbers from CSV and .npy files, and writing files whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import BinaryIO, TypeVar

import numpy as np

from asura.errors import EmptyData, NotAScalar, RaggedData, UnreadableFile, UnwritableFile
from asura.scalars import read_scalar, read_text

Cell = TypeVar("Cell")

#: Names with this prefix are looked up among the data that come with the package.
EXAMPLE = "example:"


def _open(name: str) -> bytes:
    try:
        if name.startswith(EXAMPLE):
            folder = resources.files("asura") / "examples"
            if Path(name.removeprefix(EXAMPLE)).name != name.removeprefix(EXAMPLE):
                raise UnreadableFile(f"{name}: expected the plain name of an example", value=name)
            return (folder / name.removeprefix(EXAMPLE)).read_bytes()
        return Path(name).read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{name}: {error.strerror or error}", value=name) from None


def _array(name: str) -> list[list[Fraction]]:
    try:
        array = np.load(name, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = (
            error.strerror if isinstance(error, OSError) else "not a whole .npy file of numbers"
        )
        raise UnreadableFile(f"{name}: {reason or error}", value=name) from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf":
        raise UnreadableFile(f"{name}: expected an array of real numbers", value=name)
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise UnreadableFile(f"{name}: {array.ndim} axes, expected 1 or 2", value=name)
    numbers = enumerate(array.tolist(), start=1)
    return [_scalars(row, name, line, read_scalar) for line, row in numbers]


def _scalar(value: object, name: str, line: int, column: int) -> Fraction:
    try:
        return read_scalar(value)
    except NotAScalar as error:
        raise NotAScalar(f"{name}, line {line}, column {column}: {error}", value=name) from None


def _scalars(
    row: Sequence[Cell], name: str, line: int, read: Callable[[Cell], Fraction]
) -> list[Fraction]:
    """One row; its wrong cell is looked for only when there is one."""
    try:
        return list(map(read, row))
    except NotAScalar:
        return [_scalar(cell, name, line, column) for column, cell in enumerate(row, start=1)]


def _cells(name: str) -> list[tuple[int, list[str]]]:
    """The cells of a CSV file with their line numbers; comments start with #."""
    try:
        text = _open(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(
            f"{name}: not text in UTF-8, expected CSV or .npy", value=name
        ) from None
    try:
        reader = csv.reader(text.splitlines(), strict=True)
        return [
            (number, [cell.strip() for cell in row])
            for number, row in enumerate(reader, start=1)
            if row and not row[0].lstrip().startswith("#")
        ]
    except csv.Error as error:
        raise UnreadableFile(f"{name}: {error}", value=name) from None


def _refuse_ragged(name: str, line: int, entries: int, expected: int) -> None:
    if entries != expected:
        noun = "entry" if entries == 1 else "entries"
        raise RaggedData(
            f"{name}, line {line} has {entries} {noun}: expected {expected}", value=name
        )


def read_rows(name: str) -> list[list[Fraction]]:
    """A matrix: CSV with numbers or rationals, or .npy."""
    if name.endswith(".npy"):
        rows = _array(name)
    else:
        cells = _cells(name)
        for number, row in cells:
            _refuse_ragged(name, number, len(row), len(cells[0][1]))
        rows = [_scalars(row, name, number, read_text) for number, row in cells]
    if not rows:
        raise EmptyData(f"{name}: no rows, expected at least one", value=name)
    return rows


def read_labels(name: str) -> list[Fraction | None]:
    """One label per line; an empty or `null` one is unknown."""
    if name.endswith(".npy"):
        rows: list[list[Fraction | None]] = [list(row) for row in _array(name)]
    else:
        rows = []
        for number, row in _cells(name):
            _refuse_ragged(name, number, len(row), 1)
            unknown = row[0] in {"", "null"}
            rows.append([None if unknown else _scalar(row[0], name, number, 1)])
    for i, labels in enumerate(rows, start=1):
        _refuse_ragged(name, i, len(labels), 1)
    return [labels[0] for labels in rows]


def read_numbers(name: str) -> list[Fraction]:
    """A list of numbers: all cells, row by row."""
    return [value for row in read_rows(name) for value in row]


def writable(name: str, *others: str | None) -> Path:
    """Where a file of this name goes, behind any links; none of the `others` may go there."""
    try:
        target = Path(name).resolve()
        for source in others:
            if source is not None and Path(source).resolve() == target:
                raise UnwritableFile(
                    f"{name}: given twice, and one would be lost: expected another name", value=name
                )
        if target.is_symlink():  # from Python 3.13 on a loop is no error
            raise UnwritableFile(f"{name}: a loop of symbolic links", value=name)
        if target.exists() and not target.is_file():
            raise UnwritableFile(f"{name}: not a regular file", value=name)
        if not target.parent.is_dir():
            raise UnwritableFile(f"{name}: No such directory", value=name)
    except (OSError, ValueError, RuntimeError) as error:
        raise UnwritableFile(
            f"{name}: {getattr(error, 'strerror', None) or error}", value=name
        ) from None
    return target


def _mode(target: Path) -> int:
    """The permissions of a file that is there, else those of a new one."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


#: Files under their temporary names, of which nothing may stay behind.
_unfinished: set[str] = set()


def discard_unfinished() -> None:
    """Remove what is half-written: before the process is ended without any farewell."""
    for name in tuple(_unfinished):
        Path(name).unlink(missing_ok=True)


@contextlib.contextmanager
def replacing(name: str) -> Iterator[BinaryIO]:
    """A file under a temporary name, which is moved into place when it is complete."""
    target = writable(name)
    try:
        mode = _mode(target)
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.")
    except OSError as error:
        raise UnwritableFile(f"{name}: {error.strerror or error}", value=name) from None
    _unfinished.add(temporary)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise UnwritableFile(f"{name}: {error.strerror or error}", value=name) from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    finally:
        _unfinished.discard(temporary)


def write_whole(name: str, lines: Iterable[str]) -> None:
    """A text file, whole or not at all."""
    with replacing(name) as file:
        for line in lines:
            file.write(f"{line}\n".encode())


def directory(name: str | Path) -> Path:
    """A directory that is there, made if need be."""
    try:
        path = Path(name)
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UnwritableFile(f"{name}: not a directory", value=name) from None
    except (OSError, ValueError) as error:
        raise UnwritableFile(
            f"{name}: {getattr(error, 'strerror', None) or error}", value=name
        ) from None
    return path
