"""Named errors: one exception type per violated precondition.

Every message gives the offending value and what was expected, in one line.
The command line turns each of them into exit code 2.
"""

from __future__ import annotations

#: Characters of a message: offending values are anybody's.
LONGEST_MESSAGE = 1000


class AsuraError(Exception):
    """Base of every error that a caller can cause; `value` is what the caller gave."""

    def __init__(self, message: str = "", *, value: object = None) -> None:
        super().__init__(message)
        self.value = value

    @property
    def line(self) -> str:
        """The error on one line of bounded length, as the command line prints it."""
        text = " ".join(str(self).split())
        plain = "".join(c if c.isprintable() else "?" for c in text[:LONGEST_MESSAGE])
        more = "..." if len(text) > LONGEST_MESSAGE else ""
        return f"{type(self).__name__}: {plain}{more}"


class Undecided(Exception):
    """A decision that this precision cannot make; the run is repeated with twice the bits."""


class NotAScalar(AsuraError):
    """A value that does not denote a finite real number."""


class GammaOutOfRange(AsuraError):
    """The parameter gamma lies outside (0, 1/2)."""


class EpsilonOutOfRange(AsuraError):
    """The accuracy epsilon is not positive, or too large for a guarantee."""


class UnknownGuarantee(AsuraError):
    """No guarantee has this name."""


class UnknownName(AsuraError):
    """No arithmetic, rule, procedure, rate or ending has this name."""


class LevelOutOfRange(AsuraError):
    """The level T of the `sure` stopping rule is not positive."""


class EmptyData(AsuraError):
    """There is no point, or a point has no coordinate."""


class RaggedData(AsuraError):
    """Rows, scales or labels disagree in length."""


class NegativeScale(AsuraError):
    """A squared scale, or a regularisation parameter, is negative."""


class UnlabelledOutOfRange(AsuraError):
    """The number of rows in X_1 is negative or exceeds the number of points."""


class RankZero(AsuraError):
    """Every point is zero: there is nothing to sample."""


class NotSymmetric(AsuraError):
    """A kernel matrix is not square and symmetric."""


class NotPositiveSemidefinite(AsuraError):
    """A kernel matrix has a negative direction."""


class EndlessRun(AsuraError):
    """A run that should have stopped long ago; `value` is how many iterations it took."""


class MissingLabel(AsuraError):
    """A label is needed that the data do not contain."""


class QueryRefused(AsuraError):
    """A label was queried for a point outside X_1."""


class IrrationalNumber(AsuraError):
    """An exact computation met a square root that is not rational."""


class PickOutOfRange(AsuraError):
    """A fixed pick names no point, or a point of probability zero."""


class RandomnessExhausted(AsuraError):
    """The recorded uniforms or picks ended before the loop did."""


class UniformOutOfRange(AsuraError):
    """A recorded uniform lies outside [0, 1)."""


class BarrierCrossed(AsuraError):
    """A state does not satisfy l I < A < u I, so the potential is undefined."""


class PrecisionOutOfRange(AsuraError):
    """A precision (bits or digits) that no arithmetic can work with."""


class PrecisionCeilingReached(AsuraError):
    """A decision stayed undecided at the largest precision allowed."""


class ExactRunTooLarge(AsuraError):
    """An exact run whose numbers would outgrow the machine."""


class PackingTooLarge(AsuraError):
    """Algorithm 3 enumerates 2^d sign vectors; d is too large for that."""


class CopiesOutOfRange(AsuraError):
    """The lower-bound instance needs another number of copies."""


class NotATrace(AsuraError):
    """A trace that cannot be read, with the line and the field at fault."""


class UnreadableFile(AsuraError):
    """A file that cannot be read or is not in the form expected."""


class UnwritableFile(AsuraError):
    """A file that cannot be written."""


class ConflictingOptions(AsuraError):
    """Options that cannot be given together, or one that is missing."""


class MissingPackage(AsuraError):
    """A task needs a package that is not installed; `value` is its name."""


def how_to_install(extra: str) -> str:
    """An extra comes from the repository: on no index is there a package to name.

    >>> how_to_install("plan")
    "pip install '.[plan]' in a clone of the repository"
    """
    return f"pip install '.[{extra}]' in a clone of the repository"


def missing_package(need: str, extra: str, package: str) -> MissingPackage:
    """The error for a need such as "plans need SciPy"."""
    return MissingPackage(f"{need}, which is not installed: {how_to_install(extra)}", value=package)


class ColumnError(AsuraError):
    """Something about one column of a table; `value` is its name."""


class UnknownColumn(ColumnError):
    """A column was asked for that the table does not have."""


class DuplicateColumn(ColumnError):
    """Two columns of a table have one name."""


class TextColumn(ColumnError):
    """A column that has to be numbers contains something else."""


class MissingFeature(ColumnError):
    """A feature has no value in some row."""


class DuplicateIdentifier(ColumnError):
    """Two rows of a table have one identifier, or a row has none."""


class UnknownIdentifier(AsuraError):
    """A label was given for a row that the table does not have; `value` names it."""


class ProbabilityOutOfRange(AsuraError):
    """An error probability outside (0, 1)."""


class TrialsOutOfRange(AsuraError):
    """A number of trials that allows no conclusion."""


class BudgetOutOfRange(AsuraError):
    """A budget of labels that is negative, or for which nothing can be promised."""


class ThresholdOutOfRange(AsuraError):
    """A threshold tau of the coins, or a level a of the spectral test, outside its range."""


class NeverAccepted(AsuraError):
    """No sample passed the check within the redraws allowed; `value` says how many were made."""


class NothingToBuy(AsuraError):
    """Every row has its label already."""


class ChangedTable(AsuraError):
    """A plan was made for another table."""


class NotAPlan(AsuraError):
    """A plan that cannot be read."""


class NotAModel(AsuraError):
    """A model that cannot be read, or that does not fit the table."""


class MemoryTooSmall(AsuraError):
    """A computation would not fit into the memory; `value` is what it needs, in bytes."""


class MethodTooSlow(AsuraError):
    """A method would draw or look at far too many rows; `value` says how many."""


class LengthOutOfRange(AsuraError):
    """The length scale of a kernel is not a positive finite number."""


class EnumerationTooLarge(AsuraError):
    """Too many outcomes to enumerate."""


class NuOutOfRange(AsuraError):
    """The parameter nu of the one-sided variant lies outside (0, 1)."""


class DrawsOutOfRange(AsuraError):
    """The expected number of draws is not positive."""


class NotSpanning(AsuraError):
    """A first sample, or X_2, does not span the row space, so that it has no one solution."""


class SizeOutOfRange(AsuraError):
    """A sample of this size does not exist, or has probability zero."""
