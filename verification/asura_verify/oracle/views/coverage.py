"""What a trace leaves out, and so was not judged."""

from __future__ import annotations

from collections.abc import Mapping, Set

from asura_verify.oracle.judgement import IN_ITERATIONS, IN_RESULT, OPTIONAL


def absent(
    seen: Mapping[str, int], ended: Set[str], length: int, *, undetermined: bool
) -> tuple[str, ...]:
    """What was absent: everywhere, in iterations, or in the result.

    >>> absent({"u": 1}, {"u"}, 2, undetermined=False)[:2]
    ('u (of 1 of 2 iterations)', 'l')
    """
    names = []
    for name in OPTIONAL:
        if name not in IN_ITERATIONS:
            names += [] if name in ended else [name]
            continue
        without = length - seen.get(name, 0)
        at_end = name in IN_RESULT and name not in ended
        if without == length and (at_end or name not in IN_RESULT):
            names.append(name)
        elif without:
            names.append(f"{name} (of {without} of {length} iterations)")
        elif at_end:
            names.append(f"{name} (of the result)")
    if "beta" in ended and undetermined:
        names.append("beta (a label of a picked point is missing)")
    return tuple(names)
