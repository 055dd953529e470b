"""A fitted model: coefficients by name, predictions for new tables, and a JSON file.

The coefficients minimise sum over the bought rows of w (y - x beta)^2, plus the squared errors
of the rows that had a label, plus the ridge: what `Ridge(alpha).fit(..., sample_weight=w)` does.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asura.engine.kernels import GaussianKernel
from asura.engine.tables import Table, read_table
from asura.errors import NotAModel, UnreadableFile
from asura.files import write_whole

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

FORMAT = "asura-model/1"


@dataclass(frozen=True)
class Summary:
    """What can be said of a fit without labels that nobody paid for."""

    bought: int
    labelled: int
    largest_weight: float
    loss_labelled: float
    loss_weighted: float
    leave_one_out: float | None


@dataclass(frozen=True, repr=False)
class Model:
    """y = intercept + x . coefficients, or a kernel expansion over `centres`."""

    target: str | None
    columns: tuple[str, ...]
    coefficients: Vector
    intercept: float
    kernel: str | None
    length: float | None
    centres: Matrix | None
    summary: Summary
    guarantee: str
    identifier: str | None = None

    def __repr__(self) -> str:
        kind = "linear" if self.kernel is None else f"kernel {self.kernel}"
        return (
            f"Model({kind}, {len(self.columns)} features, {self.summary.bought} labels bought, "
            f"{self.summary.labelled} known)"
        )

    def _matrix(self, source: object) -> Matrix:
        """The features of new rows, in the order of the model."""
        named = isinstance(source, str | Path) or hasattr(source, "__arrow_c_stream__")
        table = read_table(source, features=self.columns if named else None)
        if (named or isinstance(source, Table)) and set(self.columns) <= set(table.columns):
            places = {name: place for place, name in enumerate(table.columns)}
            order = [places[name] for name in self.columns]
            return np.asarray(table.features[:, order])
        if len(table.columns) != len(self.columns):
            raise NotAModel(
                f"{table.source} has {len(table.columns)} features: the model was fitted on "
                f"{len(self.columns)} ({', '.join(self.columns[:8])})",
                value=len(table.columns),
            )
        return np.asarray(table.features)

    def predict(self, source: object) -> Vector:
        """Predictions for the rows of a table, an array, or a frame."""
        points = self._matrix(source)
        if self.kernel == "rbf":
            if self.centres is None or self.length is None:
                raise NotAModel("a kernel model without centres", value=self.kernel)
            points = GaussianKernel(self.centres, self.length).between(points, self.centres)
        return np.asarray(points @ self.coefficients + self.intercept)

    def document(self) -> dict[str, Any]:
        """The model as JSON; every double is written so that it is read back the same."""
        return {
            "format": FORMAT,
            "target": self.target,
            "columns": list(self.columns),
            "coefficients": self.coefficients.tolist(),
            "intercept": self.intercept,
            "kernel": self.kernel,
            "length": self.length,
            "centres": None if self.centres is None else self.centres.tolist(),
            "summary": asdict(self.summary),
            "guarantee": self.guarantee,
            "identifier": self.identifier,
        }

    def save(self, name: str | Path) -> None:
        """Write the JSON file, whole or not at all."""
        write_whole(str(name), [json.dumps(self.document(), indent=1)])


def _numbers(values: object, field: str, source: str) -> Matrix:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise NotAModel(f"{source}: {field} is not a list of numbers", value=source) from None
    if not np.isfinite(array).all():
        raise NotAModel(f"{source}: {field} has a value that is not finite", value=source)
    return array


def load_model(name: str | Path) -> Model:
    """Read a model that `save` wrote."""
    source = str(name)
    try:
        document = json.loads(Path(source).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise UnreadableFile(f"{source}: {error.strerror or error}", value=source) from None
        raise NotAModel(
            f"{source}: not JSON, expected a model of `asura fit`", value=source
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotAModel(f"{source}: expected a model of `asura fit` ({FORMAT})", value=source)
    try:
        summary = Summary(**document["summary"])
        columns = tuple(str(c) for c in document["columns"])
        centres = document["centres"]
        model = Model(
            document["target"],
            columns,
            _numbers(document["coefficients"], "coefficients", source),
            float(document["intercept"]),
            document["kernel"],
            document["length"],
            None if centres is None else _numbers(centres, "centres", source),
            summary,
            str(document["guarantee"]),
            document.get("identifier"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotAModel(f"{source}: a field is missing or wrong ({error})", value=source) from None
    expected = len(columns) if model.centres is None else len(model.centres)
    if model.coefficients.shape != (expected,) or not math.isfinite(model.intercept):
        raise NotAModel(f"{source}: {expected} coefficients expected", value=source)
    return model
