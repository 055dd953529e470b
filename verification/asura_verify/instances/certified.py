"""Data from outside with certified answers: NIST's StRD sets for linear regression.

Public domain. Wampler1-5 and NoInt1-2 are given by formulas; the others are written out. That the
numbers are NIST's is decided: the exact solution of other data does not round to every certified
digit. They are badly conditioned on purpose, and so
serve as data for the judge as well (`certified_data`).

>>> wampler = certified_sets()[0]
>>> wampler.name, wampler.data.size, wampler.data.dimension
('Wampler1', 21, 6)
>>> rounds_to(Fraction(8, 11), "0.727272727272727")
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

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

#: Filip: label and point, and so on; a polynomial of degree 10.
FILIP = """
0.8116 -6.860120914 0.9072 -4.324130045 0.9052 -4.358625055 0.9039 -4.358426747
0.8053 -6.955852379 0.8377 -6.661145254 0.8667 -6.355462942 0.8809 -6.118102026
0.7975 -7.115148017 0.8162 -6.815308569 0.8515 -6.519993057 0.8766 -6.204119983
0.8885 -5.853871964 0.8859 -6.109523091 0.8959 -5.79832982 0.8913 -5.482672118
0.8959 -5.171791386 0.8971 -4.851705903 0.9021 -4.517126416 0.909 -4.143573228
0.9139 -3.709075441 0.9199 -3.499489089 0.8692 -6.300769497 0.8872 -5.953504836
0.89 -5.642065153 0.891 -5.031376979 0.8977 -4.680685696 0.9035 -4.329846955
0.9078 -3.928486195 0.7675 -8.56735134 0.7705 -8.363211311 0.7713 -8.107682739
0.7736 -7.823908741 0.7775 -7.522878745 0.7841 -7.218819279 0.7971 -6.920818754
0.8329 -6.628932138 0.8641 -6.323946875 0.8804 -5.991399828 0.7668 -8.781464495
0.7633 -8.663140179 0.7678 -8.473531488 0.7697 -8.247337057 0.77 -7.971428747
0.7749 -7.676129393 0.7796 -7.352812702 0.7897 -7.072065318 0.8131 -6.774174009
0.8498 -6.478861916 0.8741 -6.159517513 0.8061 -6.835647144 0.846 -6.53165267
0.8751 -6.224098421 0.8856 -5.910094889 0.8919 -5.598599459 0.8934 -5.290645224
0.894 -4.974284616 0.8957 -4.64454848 0.9047 -4.290560426 0.9129 -3.885055584
0.9209 -3.408378962 0.9219 -3.13200249 0.7739 -8.726767166 0.7681 -8.66695597
0.7665 -8.511026475 0.7703 -8.165388579 0.7702 -7.886056648 0.7761 -7.588043762
0.7809 -7.283412422 0.7961 -6.995678626 0.8253 -6.691862621 0.8602 -6.392544977
0.8809 -6.067374056 0.8301 -6.684029655 0.8664 -6.378719832 0.8834 -6.065855188
0.8898 -5.752272167 0.8964 -5.132414673 0.8963 -4.811352704 0.9074 -4.098269308
0.9119 -3.66174277 0.9228 -3.2644011
"""

#: Norris: label and point, and so on; a line.
NORRIS = """
0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3
449.1 448.6 778.9 777.0 559.2 558.2 0.3 0.4 0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0
448.9 447.5 10.8 11.6 557.7 556.0 228.3 228.1 998.0 995.8 888.8 887.6 119.6 120.2 0.3 0.3
0.6 0.3 557.6 556.8 339.3 339.1 888.0 887.2 998.5 999.0 778.9 779.0 10.2 11.1 117.6 118.3
228.9 229.2 668.4 669.1 449.2 448.9 0.2 0.5
"""

#: Pontius: labels of two series at 150000 (1, ..., 20); a polynomial of degree 2.
PONTIUS = """
0.11019 0.21956 0.32949 0.43899 0.54803 0.65694 0.76562 0.87487 0.98292 1.09146
1.20001 1.30822 1.41599 1.52399 1.63194 1.73947 1.84646 1.95392 2.06128 2.16844
0.11052 0.22018 0.32939 0.43886 0.54798 0.65739 0.76596 0.87474 0.98300 1.09150
1.20004 1.30818 1.41613 1.52408 1.63159 1.73965 1.84696 1.95445 2.06177 2.16829
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


def _set(name: str, data: Dataset, certified: str, deviation: str) -> CertifiedSet:
    """A set; `certified` alternates coefficients and their deviations."""
    numbers = certified.split()
    return CertifiedSet(name, data, tuple(numbers[::2]), deviation, tuple(numbers[1::2]))


def _longley() -> CertifiedSet:
    table = [[Fraction(cell) for cell in line.split()] for line in LONGLEY.split("\n") if line]
    return _set(
        "Longley",
        dataset([[Fraction(1), *row[1:]] for row in table], labels=[row[0] for row in table]),
        "-3482258.63459582 890420.383607373 15.0618722713733 84.9149257747669 "
        "-0.358191792925910E-01 0.334910077722432E-01 -2.02022980381683 0.488399681651699 "
        "-1.03322686717359 0.214274163161675 -0.511041056535807E-01 0.226073200069370 "
        "1829.15146461355 455.478499142212",
        "304.854073561965",
    )


def _powers(
    name: str, degree: int, table: Iterable[tuple[str, Fraction]], certified: str, deviation: str
) -> CertifiedSet:
    """A polynomial in x."""
    pairs = list(table)
    rows = [[x**power for power in range(degree + 1)] for _, x in pairs]
    return _set(name, dataset(rows, labels=[Fraction(y) for y, _ in pairs]), certified, deviation)


def _filip() -> CertifiedSet:
    numbers = FILIP.split()
    return _powers(
        "Filip",
        10,
        zip(numbers[::2], map(Fraction, numbers[1::2]), strict=True),
        "-1467.48961422980 298.084530995537 -2772.17959193342 559.779865474950 "
        "-2316.37108160893 466.477572127796 -1127.97394098372 227.204274477751 "
        "-354.478233703349 71.6478660875927 -75.1242017393757 15.2897178747400 "
        "-10.8753180355343 2.23691159816033 -1.06221498588947 0.221624321934227 "
        "-0.670191154593408E-01 0.142363763154724E-01 -0.246781078275479E-02 "
        "0.535617408889821E-03 -0.402962525080404E-04 0.896632837373868E-05",
        "0.334801051324544E-02",
    )


def _pontius() -> CertifiedSet:
    return _powers(
        "Pontius",
        2,
        ((y, Fraction(150_000 * (i % 20 + 1))) for i, y in enumerate(PONTIUS.split())),
        "0.673565789473684E-03 0.107938612033077E-03 0.732059160401003E-06 "
        "0.157817399981659E-09 -0.316081871345029E-14 0.486652849992036E-16",
        "0.205177424076185E-03",
    )


def _norris() -> CertifiedSet:
    numbers = NORRIS.split()
    return _powers(
        "Norris",
        1,
        zip(numbers[::2], map(Fraction, numbers[1::2]), strict=True),
        "-0.262323073774029 0.232818234301152 1.00211681802045 0.429796848199937E-03",
        "0.884796396144373",
    )


@cache
def certified_sets() -> tuple[CertifiedSet, ...]:
    """All eleven."""
    return (
        *_wamplers(),
        _set(
            "NoInt1",
            dataset([[x] for x in range(60, 71)], labels=range(130, 141)),
            "2.07438016528926 0.165289256198347E-01",
            "3.56753034006338",
        ),
        _set(
            "NoInt2",
            dataset([[4], [5], [6]], labels=[3, 4, 4]),
            "0.727272727272727 0.420827318078432E-01",
            "0.369274472937998",
        ),
        _longley(),
        _filip(),
        _pontius(),
        _norris(),
    )


def certified_data(unlabelled: int | None = None) -> Iterator[tuple[str, Dataset]]:
    """The sets as data for the judge: so many leading points are X_1, all by default."""
    for each in certified_sets():
        data = each.data
        first = data.size if unlabelled is None else min(unlabelled, data.size)
        yield each.name, dataset(data.points, unlabelled=first, labels=data.labels)
