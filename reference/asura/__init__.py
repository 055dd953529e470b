"""ASURA, semi-supervised active regression: Algorithms 1, 2 and 3 of the paper, exactly.

Numbers go in as ints, `Fraction`s, floats or strings ("1/3", "0.1") and are read exactly; they
come out as `Fraction`s and enclosures.
"""
