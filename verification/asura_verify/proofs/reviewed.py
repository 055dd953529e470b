"""The one hash that a reviewer writes by hand, after reading the difference in the specification.

No command writes it. `python -m asura_verify.proofs pin` prints what it would have to be, so that
a statement, its record and its pin cannot change together unnoticed: this line changes as well, and
what remains to a reader is to look at `Spec.v` whenever it does.
"""

REVIEWED = "f3911a15db6742784f6742f704e0cc4ac0ff3d1b4aa1226d0526f360978c1301"
