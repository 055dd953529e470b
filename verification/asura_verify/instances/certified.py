"""Data from outside with certified answers: NIST's StRD sets for linear regression.

Public domain. Wampler1-5 and NoInt1-2 are given by formulas, Longley is written out, and Norris is
read from the wheel of SciPy where that is installed. They are badly conditioned on purpose, and so
serve as data for the judge as well (`certified_data`).

>>> wampler = certified_sets()[0]
>>> wampler.name, wampler.data.size, wampler.data.dimension
('Wampler1', 21, 6)
>>> rounds_to(Fraction(8, 11), "0.727272727272727")
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from importlib.util import find_spec

from asura.dataset import Dataset, dataset

#: What Wampler3 adds to the polynomial, 4 and 5 times 100 and 10000; orthogonal to degree 5.
_HALF = (759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048)
PATTERN = (*_HALF, 2048, *reversed(_HALF))

#: Employment; price deflator, product, unemployed, armed forces, population, year.
LONGLEY = """
60323 83.0 234289 2356 1590 107608 1947
61122 88.5 259426 2325 1456 108632 1948
60171 88.2 258054 3682 1616 109773 1949
61187 89.5 284599 3351 1650 110929 1950
63221 96.2 328975 2099 3099 112075 1951
63639 98.1 346999 1932 3594 113270 1952
64989 99.0 365385 1870 3547 115094 1953
63761 100.0 363112 3578 3350 116219 1954
66019 101.2 397469 2904 3048 117388 1955
67857 104.6 419180 2822 2857 118734 1956
68169 108.4 442769 2936 2798 120445 1957
66513 110.8 444546 4681 2637 121950 1958
68655 112.6 482704 3813 2552 123366 1959
69564 114.2 502601 3931 2514 125368 1960
69331 115.7 518173 4806 2572 127852 1961
70551 116.9 554894 4007 2827 130081 1962
"""

_WAMPLER3_ERRORS = (
    "2152.32624678170 2363.55173469681 779.343524331583 101.475507550350 "
    "5.64566512170752 0.112324854679312"
)


@dataclass(frozen=True)
class CertifiedSet:
    """Labelled points, and the certified coefficients and deviations, digit by digit.

    `deviation` is the residual standard deviation, `errors` those of the coefficients.
    """

    name: str
    data: Dataset
    coefficients: tuple[str, ...]
    deviation: str
    errors: tuple[str, ...]


def significant(text: str) -> int:
    """How many digits a certified number has, leading zeros aside.

    >>> significant("0.168E-01"), significant("15.06"), significant("1.00")
    (3, 4, 3)
    """
    digits = re.sub(r"[eE].*|[^0-9]", "", text).lstrip("0")
    return len(digits)


def unit(text: str) -> Fraction:
    """One unit of the last digit.

    >>> unit("0.168E-01"), unit("304")
    (Fraction(1, 10000), Fraction(1, 1))
    """
    mantissa, _, exponent = text.upper().partition("E")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - decimals)


def rounds_to(value: Fraction, text: str) -> bool:
    """Whether the exact value, rounded to as many digits, is the certified one."""
    return abs(value - Fraction(text)) * 2 <= unit(text)


def root_rounds_to(square: Fraction, text: str) -> bool:
    """The same for the positive root of an exact value, decided by squares."""
    low, high = Fraction(text) - unit(text) / 2, Fraction(text) + unit(text) / 2
    return max(low, Fraction(0)) ** 2 <= square <= high * high


def _polynomial(
    name: str, ratio: Fraction, noise: int, deviation: str, errors: str
) -> CertifiedSet:
    rows = [[Fraction(x) ** power for power in range(6)] for x in range(21)]
    labels = [
        sum((ratio**power * row[power] for power in range(6)), Fraction(0)) + noise * bump
        for row, bump in zip(rows, PATTERN, strict=True)
    ]
    coefficients = tuple(_written(ratio**power) for power in range(6))
    return CertifiedSet(
        name, dataset(rows, labels=labels), coefficients, deviation, tuple(errors.split())
    )


def _written(power: Fraction) -> str:
    """Fifteen digits of a power of 1/10."""
    return f"{float(power):.14e}"


def _scaled(numbers: str, factor: int) -> str:
    """Certified digits times a power of ten."""
    exponent = len(str(factor)) - 1
    return " ".join(f"{number}E{exponent}" for number in numbers.split())


def _wamplers() -> Iterator[CertifiedSet]:
    nothing = "0.00000000000000"
    zeros = " ".join([nothing] * 6)
    yield _polynomial("Wampler1", Fraction(1), 0, nothing, zeros)
    yield _polynomial("Wampler2", Fraction(1, 10), 0, nothing, zeros)
    for place, factor in ((3, 1), (4, 100), (5, 10_000)):
        yield _polynomial(
            f"Wampler{place}",
            Fraction(1),
            factor,
            _scaled("2360.14502379268", factor),
            _scaled(_WAMPLER3_ERRORS, factor),
        )


def _longley() -> CertifiedSet:
    table = [[Fraction(cell) for cell in line.split()] for line in LONGLEY.split("\n") if line]
    return CertifiedSet(
        "Longley",
        dataset([[Fraction(1), *row[1:]] for row in table], labels=[row[0] for row in table]),
        (
            "-3482258.63459582",
            "15.0618722713733",
            "-0.358191792925910E-01",
            "-2.02022980381683",
            "-1.03322686717359",
            "-0.511041056535807E-01",
            "1829.15146461355",
        ),
        "304.854073561965",
        (
            "890420.383607373",
            "84.9149257747669",
            "0.334910077722432E-01",
            "0.488399681651699",
            "0.214274163161675",
            "0.226073200069370",
            "455.478499142212",
        ),
    )


def _norris() -> Iterator[CertifiedSet]:
    """From SciPy's wheel, with the certified values that stand in the file."""
    if find_spec("scipy") is None:
        return
    path = resources.files("scipy") / "stats/tests/data/nist_linregress/Norris.dat"
    if not path.is_file():
        return
    text = path.read_text(encoding="ascii")
    certified = re.findall(r"^\s*B[01]\s+(\S+)\s+(\S+)", text, re.MULTILINE)
    deviation = re.search(r"Standard Deviation\s+(\d\S+)", text)
    numbers = re.findall(r"^\s+(-?\d+\.\d+)\s+(-?\d+\.\d+)\s*$", text, re.MULTILINE)
    if len(certified) != 2 or deviation is None:
        return
    yield CertifiedSet(
        "Norris",
        dataset([[1, Fraction(x)] for _, x in numbers], labels=[Fraction(y) for y, _ in numbers]),
        tuple(value for value, _ in certified),
        deviation[1],
        tuple(error for _, error in certified),
    )


@cache
def certified_sets() -> tuple[CertifiedSet, ...]:
    """Those that can be had here."""
    return (
        *_wamplers(),
        CertifiedSet(
            "NoInt1",
            dataset([[x] for x in range(60, 71)], labels=range(130, 141)),
            ("2.07438016528926",),
            "3.56753034006338",
            ("0.165289256198347E-01",),
        ),
        CertifiedSet(
            "NoInt2",
            dataset([[4], [5], [6]], labels=[3, 4, 4]),
            ("0.727272727272727",),
            "0.369274472937998",
            ("0.420827318078432E-01",),
        ),
        _longley(),
        *_norris(),
    )


def certified_data(unlabelled: int | None = None) -> Iterator[tuple[str, Dataset]]:
    """The sets as data for the judge: so many leading points are X_1, all by default."""
    for each in certified_sets():
        data = each.data
        first = data.size if unlabelled is None else min(unlabelled, data.size)
        yield each.name, dataset(data.points, unlabelled=first, labels=data.labels)
