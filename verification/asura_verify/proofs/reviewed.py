"""The one hash that a reviewer writes by hand, after reading the difference in the specification.

No command writes it. `python -m asura_verify.proofs pin` prints what it would have to be, so that
a statement, its record and its pin cannot change together unnoticed: this line changes as well, and
what remains to a reader is to look at `Spec.v` whenever it does.
"""

REVIEWED = "8c98678b93c6cf1e54d0215176acf5add9ab6ae403cd4b51bd95edd644617679"
