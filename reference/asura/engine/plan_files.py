"""A plan as a file: a CSV of row, id, weight, draws, and one line with all that resuming needs.

The first line is a comment with the record as JSON; the rest is a table for whoever measures.
Nothing is half-written: the file appears when it is complete.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.engine.choosing import Promise
from asura.engine.fitting import Beside
from asura.engine.plan import Plan, PlanRecord
from asura.engine.problem import Problem, Settings
from asura.engine.tables import IN_MEMORY, Table, read_table
from asura.errors import ChangedTable, ConflictingOptions, NotAPlan, UnreadableFile
from asura.files import write_whole

FORMAT = "asura-plan/1"
_MARK = f"# {FORMAT} "
_HEADER = ["row", "id", "weight", "draws"]


def _packed(mask: NDArray[np.bool_]) -> str:
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes())).decode("ascii")


def _unpacked(text: str, size: int) -> NDArray[np.bool_]:
    limit = size // 8 + 1
    data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), limit)
    bits = np.unpackbits(np.frombuffer(data, np.uint8), count=size)
    if len(bits) != size:
        raise ValueError(f"{len(bits)} marks for {size} rows")
    return bits.astype(bool)


def _digest(document: dict[str, Any], body: str) -> str:
    """A hash of all that a plan says, but for itself."""
    said = json.dumps({key: value for key, value in document.items() if key != "digest"})
    return hashlib.blake2b(f"{said}\n{body}".encode(), digest_size=8).hexdigest()


def _body(plan: Plan) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEADER)
    lines = zip(plan.rows, plan.identifiers, plan.weights, plan.draws, strict=True)
    for row, name, weight, draws in lines:
        writer.writerow([int(row), name, repr(float(weight)), int(draws)])
    return text.getvalue()


def plan_lines(plan: Plan) -> Iterator[str]:
    """The lines of the file."""
    body = _body(plan)
    document = asdict(plan.record)
    document |= {
        "known": _packed(plan.problem.known),
        "beside": None
        if plan.beside is None
        else {"rows": plan.beside.rows.tolist(), "weights": plan.beside.weights.tolist()},
    }
    yield _MARK + json.dumps(document | {"digest": _digest(document, body)})
    yield from body.splitlines()


def save_plan(plan: Plan, name: str | Path) -> None:
    """Write the file, whole or not at all."""
    write_whole(str(name), plan_lines(plan))


def _text(source: str) -> str:
    try:
        return Path(source).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UnreadableFile(
            f"{source}: {getattr(error, 'strerror', None) or error}", value=source
        ) from None


def _record(document: dict[str, Any]) -> PlanRecord:
    fields = {k: v for k, v in document.items() if k not in {"known", "beside", "digest"}}
    promise = fields["promise"]
    fields["promise"] = None if promise is None else Promise(**promise)
    fields["settings"] = Settings(**fields["settings"])
    for name in ("columns", "dropped"):
        fields[name] = tuple(fields[name])
    return PlanRecord(**fields)


def load_plan(
    name: str | Path,
    source: object = None,
    *,
    target: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
) -> Plan:
    """A plan and its table, with whatever labels the table has by now.

    Without `source` the table is read from where it was when the plan was made; `target` is the
    column of the labels, if it is another one than then.
    """
    path = str(name)
    first, _, body = _text(path).replace("\r\n", "\n").partition("\n")
    if not first.startswith(_MARK):
        raise NotAPlan(
            f"{path}: expected a plan of `asura plan` (first line {_MARK.strip()!r})", value=path
        )
    try:
        document = json.loads(first.removeprefix(_MARK))
        record = _record(document)
        known = _unpacked(document["known"], record.rows)
        cells = list(csv.reader(io.StringIO(body)))
        rows = np.array([int(c[0]) for c in cells[1:]], dtype=np.intp)
        weights = np.array([float(c[2]) for c in cells[1:]])
        names = [c[1] for c in cells[1:]]
        draws = np.array([int(c[3]) for c in cells[1:]], dtype=np.intp)
        beside = _beside(document["beside"])
    except (KeyError, TypeError, ValueError, IndexError, zlib.error) as error:
        raise NotAPlan(f"{path}: a part is missing or wrong ({error})", value=path) from None
    if document["digest"] != _digest(document, body) or cells[0] != _HEADER:
        raise NotAPlan(f"{path}: it was changed after the plan was made", value=path)
    if source is None and record.source in IN_MEMORY:
        raise ConflictingOptions(
            f"{path} was made for a table in memory ({record.source}): give it, as in "
            "load_plan(name, frame)",
            value=record.source,
        )
    table = read_table(
        record.source if source is None else source,
        target=target or record.target,
        identifier=record.identifier,
        features=None if isinstance(source, np.ndarray | Table) else record.columns,
        delimiter=delimiter,
        header=header,
        decimal=decimal,
    )
    task = Problem(table, record.settings, known)
    _same_table(path, record, task)
    for row, called in zip(rows, names, strict=True):  # a frame may have lost its index since
        if table.identifiers is not None and table.name(row) != called != str(row):
            raise ChangedTable(
                f"row {row} of {table.source} is called {table.name(row)!r}: {path} was made when "
                f"it was {called!r}",
                value=table.name(row),
            )
    return Plan(task, record, rows, weights, draws, beside)


def _beside(found: dict[str, list[float]] | None) -> Beside | None:
    if found is None:
        return None
    rows = np.array(found["rows"], dtype=np.intp)
    return Beside(rows, np.array(found["weights"], dtype=np.float64))


def _same_table(path: str, record: PlanRecord, task: Problem) -> None:
    table = task.table
    if len(table.features) != record.rows:
        raise ChangedTable(
            f"{table.source} has {len(table.features)} rows: {path} was made for {record.rows}",
            value=len(table.features),
        )
    if table.columns != record.columns or task.fingerprint != record.fingerprint:
        raise ChangedTable(
            f"the features of {table.source} are not those that {path} was made for: "
            "make a new plan, or bring the old table back",
            value=table.source,
        )
