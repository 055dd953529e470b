"""ASURA behind the protocol asura-conform/1, in Python: `asura conform -- python harness.py`."""

import json
import sys
from typing import Any

import numpy as np


def asura(header: dict[str, Any]) -> dict[str, Any]:
    """Algorithm 2 on orthonormal rows."""
    points = np.array(header["points"])
    scales = np.array(header.get("squared_scales") or [1.0] * len(points))
    left, values, _ = np.linalg.svd(np.sqrt(scales)[:, None] * points, full_matrices=False)
    rows = left[:, values > values[0] * len(points) * 2.0**-52]
    d, gamma, paper = rows.shape[1], header["gamma"], header.get("stopping", "paper") == "paper"
    level = 1 if paper else header.get("level", 1)
    u, low, total, form = 2 * d / gamma, -2 * d / gamma, 0.0, np.zeros((d, d))
    steps: list[dict[str, Any]] = []
    while (u - low) + (total if paper else 0) < 4 * d / gamma * (1 + level):
        bracket = np.linalg.inv(u * np.eye(d) - form) + np.linalg.inv(form - low * np.eye(d))
        phi = float(np.trace(bracket))
        p = np.sum((rows @ bracket) * rows, axis=1) / phi
        ends = np.cumsum(p)
        index = int(np.searchsorted(ends, header["uniforms"][len(steps)] * ends[-1], side="right"))
        weight = gamma / phi / float(p[index])
        step = {"j": len(steps), "index": index, "u": u, "l": low, "phi": phi, "weight": weight}
        steps.append(step | {"p": float(p[index])})
        form = form + weight * np.outer(rows[index], rows[index])
        u, low = u + gamma / (1 - 2 * gamma) / phi, low + gamma / (1 + 2 * gamma) / phi
        total += phi
    mid = (u + low) / 2
    weights = [step["weight"] / mid for step in steps]
    result = {"m": len(steps), "u": u, "l": low, "mid": mid, "weights": weights}
    return {"iterations": steps, "result": result}


def lines(header: dict[str, Any]) -> list[dict[str, Any]]:
    """The same as a callable that `asura conform --target` takes: the lines after the header."""
    answer = asura(header)
    return [*answer["iterations"], answer["result"]]


if __name__ == "__main__":
    for text in sys.stdin:
        request = json.loads(text)
        if request["cmd"] == "stop":
            break
        start = {"protocol": "asura-conform/1", "implementation": "example in Python"}
        reply = start if request["cmd"] == "start" else asura(request["header"])
        print(json.dumps(reply | {"seq": request["seq"]}), flush=True)
