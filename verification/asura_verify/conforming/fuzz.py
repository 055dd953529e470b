"""Mutated traces by the thousand: `python -m asura_verify.conforming.fuzz [COUNT [SEED]]`.

Whatever the bytes, the oracle answers with a verdict: no traceback, no hang, bounded memory.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from asura_verify.implementations import textbook
from asura_verify.implementations.cases import case
from asura_verify.oracle.check import check_source
from asura_verify.oracle.judgement import Ruling

NUMBERS: tuple[object, ...] = (
    0, -1, 1, 2**53 + 1, 2**70, -0.0, 5e-324, 1.7e308, 1e-300, "1/3", "0/0", "1/0", "-3/7",
    "nan", "NaN", "inf", "-Infinity", "1e20000", "1e-20000", "1e999999999", "0x1p-1074",
    "0x1.8p20000", "9" * 5000, "1/" + "7" * 3000, "", " ", "0x", "1e", "--1", "\u0661", "1_0",
    True, None, [], {}, [[]], "0.1",
)  # fmt: skip

Mutation = Callable[[random.Random, list[bytes]], list[bytes]]


def _record(rng: random.Random, lines: list[bytes]) -> tuple[int, dict[str, Any]] | None:
    place = rng.randrange(len(lines))
    try:
        found = json.loads(lines[place])
    except (ValueError, RecursionError):
        return None
    return (place, found) if isinstance(found, dict) and found else None


def _in_a_record(change: Callable[[random.Random, dict[str, Any]], str]) -> Mutation:
    """The change of one line that holds a record, as a change of the trace."""

    @wraps(change)
    def edit(rng: random.Random, lines: list[bytes]) -> list[bytes]:
        chosen = _record(rng, lines)
        if chosen is None:
            return lines
        place, record = chosen
        return [*lines[:place], change(rng, record).encode(), *lines[place + 1 :]]

    return edit


def _place(rng: random.Random, record: dict[str, Any], deeper: float) -> tuple[Any, Any]:
    """Some place of a record, within its lists with this probability each."""
    target: Any = record
    key: Any = rng.choice(list(record))
    while isinstance(target[key], list) and target[key] and (deeper == 1 or rng.random() < deeper):
        target, key = target[key], rng.randrange(len(target[key]))
    return target, key


@_in_a_record
def change_value(rng: random.Random, record: dict[str, Any]) -> str:
    """Another value at some place of some line."""
    target, key = _place(rng, record, 0.9)
    target[key] = rng.choice(NUMBERS)
    return json.dumps(record)


@_in_a_record
def nudge_value(rng: random.Random, record: dict[str, Any]) -> str:
    """A number that is a little off, or of the other sign, or of another size."""
    target, key = _place(rng, record, 1)
    if isinstance(target[key], (int, float)):
        target[key] = target[key] * rng.choice([-1, 0.5, 2, 1 + 1e-9, 1e10, 1e-10])
    return json.dumps(record)


@_in_a_record
def drop_key(rng: random.Random, record: dict[str, Any]) -> str:
    """A field less."""
    del record[rng.choice(list(record))]
    return json.dumps(record)


@_in_a_record
def repeat_key(rng: random.Random, record: dict[str, Any]) -> str:
    """A key twice."""
    key = rng.choice(list(record))
    return json.dumps(record)[:-1] + f", {json.dumps(key)}: {json.dumps(record[key])}}}"


@_in_a_record
def resize_list(rng: random.Random, record: dict[str, Any]) -> str:
    """A list longer or shorter."""
    lists = [key for key, value in record.items() if isinstance(value, list) and value]
    if lists:
        key = rng.choice(lists)
        record[key] = rng.choice([record[key][:-1], record[key] * 2, [], record[key][:1]])
    return json.dumps(record)


def cut(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """The file ends early, perhaps within a line."""
    place = rng.randrange(len(lines))
    return [*lines[:place], lines[place][: rng.randrange(len(lines[place]) + 1)]]


def shuffle_lines(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Lines swapped, repeated or dropped."""
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    changed = list(lines)
    kind = rng.randrange(3)
    if kind == 0:
        changed[first], changed[second] = changed[second], changed[first]
    elif kind == 1:
        changed.insert(first, changed[second])
    else:
        del changed[first]
    return changed


def flip_bytes(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Some bytes are others."""
    place = rng.randrange(len(lines))
    data = bytearray(lines[place])
    for _ in range(rng.randrange(1, 8)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return [*lines[:place], bytes(data), *lines[place + 1 :]]


def junk(rng: random.Random, lines: list[bytes]) -> list[bytes]:
    """Something that is no trace."""
    place = rng.randrange(len(lines))
    noise = [
        rng.randbytes(rng.randrange(200)),
        b"[" * 5000 + b"]" * 5000,
        b"{" * 100,
        b'{"j": ' * 2000,
        b"\x00" * 50,
        b"\xff\xfe{}",
        b"null",
        b"",
        b"1" * 5000,
    ]
    return [*lines[:place], rng.choice(noise), *lines[place + rng.randrange(2) :]]


MUTATIONS: tuple[Mutation, ...] = (
    change_value, change_value, nudge_value, nudge_value, drop_key, repeat_key, resize_list,
    cut, shuffle_lines, flip_bytes, junk,
)  # fmt: skip


def seeds() -> list[list[bytes]]:
    """Short correct traces to start from."""
    starts = []
    for seed in range(4):
        header = case(seed, dimension=1 + seed % 3) | {"gamma": 0.4}
        header["uniforms"] = header["uniforms"][:40]
        if seed % 2:
            header["stopping"], header["level"] = "sure", 0.5
        starts.append([line.encode() for line in textbook.run(header, header["uniforms"])])
    # Badly conditioned, and longer, so that its whitening is measured.
    header = case(4, dimension=2, decades=5.0, scaled=False) | {"gamma": 0.2}
    starts.append([line.encode() for line in textbook.run(header, header["uniforms"])])
    return starts


def mutated(rng: random.Random, starts: list[list[bytes]]) -> list[bytes]:
    """One to three mutations of a correct trace."""
    lines = list(rng.choice(starts))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if lines:
            lines = rng.choice(MUTATIONS)(rng, lines)
    return lines


def campaign(count: int, seed: int = 0) -> tuple[Counter[str], float]:
    """Verdicts of so many mutated traces, and the longest time that one took."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    starts = seeds()
    rulings: Counter[str] = Counter()
    slowest = 0.0
    for _ in range(count):
        lines = mutated(rng, starts)
        begun = time.perf_counter()
        judgement = check_source(partial(iter, lines))
        slowest = max(slowest, time.perf_counter() - begun)
        rulings[str(judgement.ruling)] += 1
        if judgement.ruling is Ruling.MALFORMED and not judgement.fault:
            rulings["unexplained"] += 1
    return rulings, slowest


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:3]]
    found, longest = campaign(*(numbers + [100_000, 0][len(numbers) :]))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{dict(found)}, slowest {longest:.2f} s, at most {memory:.0f} MiB, no traceback")
