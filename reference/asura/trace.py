"""The trace `asura-trace/1`: how any implementation shows its run, written and read.

JSON Lines in UTF-8: a header, one object per iteration, one result. A scalar is a JSON number
(read as the binary64 that it denotes) or a string: "0.1", "-3/7", "0x1.8p-3". The published
schema is `trace.schema.json`. Reading refuses what does not fit, with line and field, and a key
that is repeated: of two values, JSON does not say which one counts.

A trace speaks of the paper's stopping rule unless its header says `"stopping": "sure"`, of the
paper's rates unless it says `"rates": "tight"`, and of Algorithm 2 unless it names a `variant`
that keeps X_2 (`asura.kept.trace`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

import msgspec
from msgspec import Meta, Struct

from asura.arithmetic.interface import M, S
from asura.dataset import Dataset, dataset
from asura.errors import AsuraError, NotAScalar, NotATrace
from asura.randomness import Uniforms, UnitInterval, uniforms
from asura.rates import PAPER_RATES, TIGHT_RATES
from asura.scalars import Enclosure, read_scalar, write_scalar
from asura.stopping import PAPER, StoppingRule, sure

if TYPE_CHECKING:  # who reads a trace needs no run
    from asura.algorithm1_regression import Regression
    from asura.run import Run

FORMAT: Literal["asura-trace/1"] = "asura-trace/1"

#: Longest line that is read, in bytes.
MAXIMAL_LINE = 1 << 28

Scalar = Annotated[
    int | float | str,
    Meta(description='a number (binary64), or "0.1", "-3/7", "0x1.8p-3"; never NaN or infinite'),
]
Index = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


class HeaderLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line."""

    format: Literal["asura-trace/1"]
    gamma: Annotated[
        Scalar, Meta(description="0 < gamma < 1/2; below 1 at tight rates; nu if one-sided")
    ]
    points: Annotated[list[list[Scalar]], Meta(description="the rows of X, those of X_1 first")]
    unlabelled: Annotated[Index, Meta(description="how many leading rows are X_1")]
    squared_scales: list[Scalar] | None = None
    labels: list[Scalar | None] | None = None
    uniforms: list[Scalar] | None = None
    precision: Annotated[Positive, Meta(description="bits of the working arithmetic")] = 53
    implementation: str | None = None
    stopping: Annotated[
        Literal["paper", "sure"], Meta(description="the stopping rule, the paper's by default")
    ] = "paper"
    level: Annotated[Scalar, Meta(description="the level T of the rule `sure`")] = 1
    whitening: Annotated[
        list[list[Scalar]] | None,
        Meta(description="d rows of d scalars R: the implementation worked with U(x) = R^T x"),
    ] = None
    rates: Annotated[
        Literal["paper", "tight"], Meta(description="the rates of the barriers of Algorithm 2")
    ] = "paper"
    variant: Annotated[
        Literal["asura", "two-sided", "one-sided"],
        Meta(description="Algorithm 2, or a variant that keeps X_2 and samples X_1 alone"),
    ] = "asura"
    ending: Annotated[
        Literal["overshoot", "clip", "coin"], Meta(description="how a kept variant ends")
    ] = "overshoot"
    draws: Annotated[
        Scalar | None, Meta(description="the expected draws N of the one-sided variant")
    ] = None


class IterationLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One line per iteration; u and l are those before the step."""

    j: Index
    index: Index
    u: Scalar | None = None
    l: Scalar | None = None  # noqa: E741 - the name of the contract
    phi: Scalar | None = None
    p: Scalar | None = None
    probabilities: list[Scalar] | None = None
    weight: Scalar | None = None


class ResultLine(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The last line."""

    m: Index
    u: Scalar | None = None
    l: Scalar | None = None  # noqa: E741 - the name of the contract
    mid: Scalar | None = None
    weights: list[Scalar] | None = None
    alphas: list[Scalar] | None = None
    beta: list[Scalar] | None = None


Line = HeaderLine | IterationLine | ResultLine

#: The fields of a header that are no numbers.
WORDS = frozenset({"format", "implementation", "stopping", "rates", "variant", "ending"})

_HEADER = msgspec.json.Decoder(HeaderLine)
_ITERATION = msgspec.json.Decoder(IterationLine)
_RESULT = msgspec.json.Decoder(ResultLine)


@dataclass(frozen=True)
class Trace:
    """A trace that was read, with what its header means."""

    header: HeaderLine
    iterations: tuple[IterationLine, ...]
    result: ResultLine
    data: Dataset
    gamma: Fraction
    stopping: StoppingRule
    uniforms: Uniforms | None

    @property
    def picks(self) -> tuple[int, ...]:
        """The indices of the sampled points."""
        return tuple(line.index for line in self.iterations)


def schema() -> dict[str, Any]:
    """The JSON Schema of the three kinds of lines."""
    (_, _, _), components = msgspec.json.schema_components(
        [HeaderLine, IterationLine, ResultLine], ref_template="#/$defs/{name}"
    )
    names = ["HeaderLine", "IterationLine", "ResultLine"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FORMAT,
        "description": "One line of a trace: a header, then iterations, then a result.",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": components,
    }


def trace_scalar(value: int | float | str) -> Fraction:
    """The exact value of a scalar of the trace; JSON integers are binary64 too.

    >>> trace_scalar(2**53 + 1) == 2**53
    True
    """
    if isinstance(value, int):
        try:
            return Fraction(float(value))
        except OverflowError:
            raise NotAScalar(
                "an integer that is too large for binary64: expected a string", value=value
            ) from None
    return read_scalar(value)


def _check_scalars(line: Line, number: int) -> None:
    """Every scalar of a line denotes a finite number."""

    def check(value: object, place: str) -> None:
        if isinstance(value, list):
            for position, entry in enumerate(value):
                if not isinstance(entry, float):  # a float of JSON is finite
                    check(entry, f"{place}[{position}]")
        elif isinstance(value, (int, str)):
            try:
                trace_scalar(value)
            except NotAScalar as error:
                raise NotATrace(f"line {number}, field `{place}`: {error}", value=number) from None

    for name in line.__struct_fields__:
        if name not in WORDS:
            check(getattr(line, name), name)


def _distinct(pairs: list[tuple[str, object]]) -> frozenset[str]:
    """The keys of an object, each there once."""
    keys = frozenset(dict(pairs))
    if len(keys) < len(pairs):
        count = Counter(key for key, _ in pairs)
        raise NotATrace(
            f"the key {max(count, key=count.__getitem__)[:40]!r} is repeated",
            value=max(count, key=count.__getitem__)[:40],
        )
    return keys


def _skip(text: str) -> None:  # noqa: ARG001 - a number is not of interest here
    return None


def _not_finite(text: str) -> None:
    raise NotATrace(f"{text} is no number of JSON: expected a finite number", value=text)


_KEYS = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_float=_skip, parse_int=_skip, parse_constant=_not_finite
)
#: What the fields may say that know few words.
_WORDS = {"format": f"{FORMAT!r}", "stopping": "'paper' or 'sure'"}
#: What some editors write before UTF-8.
_MARK = b"\xef\xbb\xbf"


def _keys(text: bytes, number: int) -> frozenset[str]:
    """The keys of a line, none of them repeated in it."""
    try:
        keys = _KEYS.decode(text.decode("utf-8"))
    except NotATrace as error:
        raise NotATrace(f"line {number}: {error}", value=number) from None
    except RecursionError:
        raise NotATrace(f"line {number}: nested too deeply", value=number) from None
    except UnicodeDecodeError:
        raise NotATrace(f"line {number}: not UTF-8", value=number) from None
    except json.JSONDecodeError as error:
        raise NotATrace(
            f"line {number}: not JSON, character {error.pos + 1}: {error.msg}", value=number
        ) from None
    return keys if isinstance(keys, frozenset) else frozenset()


def _decode(text: bytes, number: int) -> Line:
    keys = _keys(text, number)
    try:
        decoder: msgspec.json.Decoder[Any]
        if "format" in keys or number == 1:
            decoder = _HEADER
        else:
            decoder = _ITERATION if "j" in keys else _RESULT
        line: Line = decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message, _, place = str(error).partition(" - at `$")
        name = place.rstrip("`").lstrip(".")
        field = f", field `{name}`" if place else ""
        if name in _WORDS and message.startswith("Invalid enum value "):
            message = f"{message.removeprefix('Invalid enum value ')}, expected {_WORDS[name]}"
        if message.startswith("Object contains unknown field"):
            message += f", expected only {', '.join(decoder.type.__struct_fields__)}"
        raise NotATrace(f"line {number}{field}: {message}", value=number) from None
    _check_scalars(line, number)
    return line


def parse_trace(
    lines: Iterable[bytes], *, longest: int = MAXIMAL_LINE
) -> Iterator[tuple[int, Line]]:
    """The lines of one trace with their numbers, in order and complete, one at a time."""
    expected = 0
    last: Line | None = None
    for number, text in enumerate(lines, start=1):
        if len(text) > longest:
            raise NotATrace(f"line {number} has more than {longest} bytes", value=number)
        if not text.strip():
            raise NotATrace(f"line {number} is empty: expected a JSON object", value=number)
        line = _decode(text.removeprefix(_MARK) if number == 1 else text, number)
        if isinstance(last, ResultLine):
            raise NotATrace(
                f"line {number} follows the result: expected the end of the trace", value=number
            )
        if isinstance(line, HeaderLine) and number > 1:
            raise NotATrace(
                f"line {number} is a second header: expected an iteration or a result", value=number
            )
        if isinstance(line, IterationLine):
            if line.j != expected:
                raise NotATrace(
                    f"line {number}, field `j`: {line.j}, expected {expected}", value=line.j
                )
            expected += 1
        last = line
        yield number, line
    if last is None:
        raise NotATrace("the trace is empty: expected a header", value=0)
    if not isinstance(last, ResultLine):
        raise NotATrace(
            f"the trace ends after line {number}: expected a result, the file is cut", value=number
        )


def interpret_header(
    header: HeaderLine,
) -> tuple[Dataset, Fraction, StoppingRule, Uniforms | None]:
    """The data, gamma, stopping rule and uniforms of a header, or `NotATrace`."""

    def exact(values: list[int | float | str]) -> list[Fraction]:
        return [trace_scalar(value) for value in values]

    try:
        wide = header.rates == "tight" or header.variant == "one-sided"
        gamma = (TIGHT_RATES if wide else PAPER_RATES).read_gamma(trace_scalar(header.gamma))
        _check_variant(header)
        labels = header.labels
        data = dataset(
            [exact(row) for row in header.points],
            unlabelled=header.unlabelled,
            squared_scales=None if header.squared_scales is None else exact(header.squared_scales),
            labels=None
            if labels is None
            else [None if label is None else trace_scalar(label) for label in labels],
        )
        _ = data.dimension  # refuses data of rank 0
        stopping = sure(trace_scalar(header.level)) if header.stopping == "sure" else PAPER
        recorded = None if header.uniforms is None else uniforms(exact(header.uniforms))
    except AsuraError as error:
        raise NotATrace(f"line 1, header: {error.line}", value=error.line) from None
    return data, gamma, stopping, recorded


def _check_variant(header: HeaderLine) -> None:
    """What a variant needs, and what only a variant has."""
    kept, one = header.variant != "asura", header.variant == "one-sided"
    if kept and header.rates != "paper":
        raise NotATrace(
            f"rates {header.rates!r}: expected none with variant {header.variant!r}",
            value=header.rates,
        )
    if not kept and header.ending != "overshoot":
        raise NotATrace(
            f"ending {header.ending!r}: expected a variant that keeps X_2", value=header.ending
        )
    if one == (header.draws is None):
        raise NotATrace(
            "draws: expected a number with variant 'one-sided', and with no other",
            value=header.draws,
        )


def read_trace(lines: Iterable[bytes]) -> Trace:
    """A whole trace, in memory."""
    header: HeaderLine | None = None
    result: ResultLine | None = None
    iterations: list[IterationLine] = []
    for _, line in parse_trace(lines):
        if isinstance(line, HeaderLine):
            header = line
        elif isinstance(line, ResultLine):
            result = line
        else:
            iterations.append(line)
    if header is None or result is None:
        raise NotATrace("the trace has no header or no result", value=len(iterations))
    data, gamma, stopping, recorded = interpret_header(header)
    return Trace(header, tuple(iterations), result, data, gamma, stopping, recorded)


def hexadecimal(value: Fraction) -> str:
    """A dyadic rational, of any length, as a hexadecimal float.

    >>> hexadecimal(Fraction(3, 16)), hexadecimal(Fraction(-5))
    ('0x3p-4', '-0x5p+0')
    """
    exponent = value.denominator.bit_length() - 1
    sign = "-" if value < 0 else ""
    return f"{sign}{abs(value.numerator):#x}p{-exponent:+d}"


def json_scalar(value: Fraction) -> int | float | str:
    """A number exactly: as a JSON number when it is a binary64, else as a rational string.

    >>> json_scalar(Fraction(3)), json_scalar(Fraction(1, 2)), json_scalar(Fraction(1, 3))
    (3, 0.5, '1/3')
    """
    if value.denominator == 1 and abs(value.numerator) <= 2**53:
        return value.numerator
    try:
        number = float(value)
    except OverflowError:
        return write_scalar(value)
    return number if Fraction(number) == value else write_scalar(value)


def json_value(value: Enclosure, *, exact: bool) -> int | float | str:
    """A value of a run: a rational string, a double, or a hexadecimal float of the midpoint."""
    middle = value.midpoint
    if exact:
        return write_scalar(middle)
    number = json_scalar(middle)
    return hexadecimal(middle) if isinstance(number, str) else number


class VariantWords(TypedDict, total=False):
    """What names a variant in a header."""

    rates: Literal["paper", "tight"]
    variant: Literal["asura", "two-sided", "one-sided"]
    ending: Literal["overshoot", "clip", "coin"]
    draws: int | float | str | None


def header_line(
    data: Dataset,
    gamma: Fraction,
    stopping: StoppingRule,
    precision: int | None,
    drawn: Sequence[UnitInterval | None],
    implementation: str,
    **words: Unpack[VariantWords],
) -> HeaderLine:
    """The header of a run; the uniforms only when all of them are known."""
    plain_scales = all(scale == 1 for scale in data.squared_scales)
    plain_labels = all(label is None for label in data.labels)
    return HeaderLine(
        format=FORMAT,
        gamma=json_scalar(gamma),
        points=[[json_scalar(x) for x in row] for row in data.points],
        unlabelled=data.unlabelled,
        squared_scales=None if plain_scales else [json_scalar(c) for c in data.squared_scales],
        labels=None
        if plain_labels
        else [None if label is None else json_scalar(label) for label in data.labels],
        uniforms=None
        if None in drawn
        else [json_scalar(uniform.low) for uniform in drawn if uniform is not None],
        precision=precision or 53,
        implementation=implementation,
        stopping=stopping.name,
        level=json_scalar(stopping.level),
        **words,
    )


def trace_lines(
    done: Run[S, M],
    *,
    regression: Regression | None = None,
    probabilities: bool = False,
    implementation: str = "asura-reference",
) -> Iterator[str]:
    """The lines of a run's trace, without newlines."""
    data, arithmetic = done.data, done.arithmetic
    exact = arithmetic.precision is None

    def value(enclosure: Enclosure) -> int | float | str:
        return json_value(enclosure, exact=exact)

    yield encode_line(
        header_line(
            data,
            done.gamma,
            done.stopping,
            arithmetic.precision,
            [record.uniform for record in done.iterations],
            implementation,
            rates=done.rates.name,
        )
    )
    for step, record in zip(done.steps(), done.iterations, strict=True):
        every = None
        if probabilities:
            with arithmetic.working():
                every = [
                    value(arithmetic.enclosure(record.distribution.probability(i)))
                    for i in range(data.size)
                ]
        yield encode_line(
            IterationLine(
                j=step.iteration,
                index=step.index,
                u=value(step.upper),
                l=value(step.lower),
                phi=value(step.potential),
                p=value(step.probability),
                probabilities=every,
                weight=value(step.weight),
            )
        )
    yield encode_line(
        ResultLine(
            m=done.length,
            u=value(done.upper),
            l=value(done.lower),
            mid=value(done.mid),
            weights=[value(weight) for weight in done.weights],
            alphas=[value(alpha) for alpha in done.alphas],
            beta=None if regression is None else [value(b) for b in regression.enclosures],
        )
    )


def encode_line(line: Line) -> str:
    """A line of JSON."""
    return msgspec.json.encode(line).decode("utf-8")


def schema_text() -> str:
    """The schema as the file `trace.schema.json` holds it."""
    return json.dumps(schema(), indent=2, sort_keys=True) + "\n"
