"""The field: the samplers that ASURA is compared with, exactly.

Each is a sampling procedure for `asura.algorithm1_regression` and asks for its decisions
(`asura.samplers.decisions`), so that the text that draws a sample also enumerates them all.

- `asura.samplers.uniform`: with and without replacement;
- `asura.samplers.leverage`: k independent draws, and ridge leverage scores; the coins over all
  points are `asura.sampling.LeverageSampling`;
- `asura.samplers.volume`: volume sampling of any size, and leveraged volume sampling;
- `asura.samplers.determinantal`: the determinantal process of ridge regression, and the k-DPP;
- `asura.samplers.barrier`: deterministic BSS, a sparsifier and no way to choose labels;
- `asura.samplers.coreset`: a coreset that reads every label, a baseline only;
- `asura.samplers.learners`: largest variance, greedy in x, and uncertainty sampling;
- `asura.samplers.doubles`: the samplers in doubles, for data beyond the limits below;
- `asura.samplers.naming`, `asura.samplers.report`: by name, for the front door and `asura run`.

Each refuses more points than it is sensible for (`ExactRunTooLarge`): uniform 100 000; leverage
20 000; volume 500, and 100 in the pool of leveraged volume sampling; the determinantal process 100,
of fixed size 40; deterministic BSS and the coreset 500 points of rank 6; the learners 500.
"""

from asura.samplers.barrier import BarrierSparsifier, fooling_labels
from asura.samplers.coreset import LabelCoreset
from asura.samplers.decisions import SampleOutcome, distribution, outcomes
from asura.samplers.determinantal import FixedSizeProcess, RidgeProcess
from asura.samplers.doubles import DoubleSampling
from asura.samplers.learners import GreedyInX, LargestVariance, NearestToBoundary
from asura.samplers.leverage import (
    IidLeverageSampling,
    RidgeLeverageSampling,
    ridge_leverage_sampling,
)
from asura.samplers.uniform import UniformSampling
from asura.samplers.volume import LeveragedVolumeSampling, VolumeSampling
from asura.sampling import LeverageSampling, leverage_sampling

__all__ = [
    "BarrierSparsifier",
    "DoubleSampling",
    "FixedSizeProcess",
    "GreedyInX",
    "IidLeverageSampling",
    "LabelCoreset",
    "LargestVariance",
    "LeverageSampling",
    "LeveragedVolumeSampling",
    "NearestToBoundary",
    "RidgeLeverageSampling",
    "RidgeProcess",
    "SampleOutcome",
    "UniformSampling",
    "VolumeSampling",
    "distribution",
    "fooling_labels",
    "leverage_sampling",
    "outcomes",
    "ridge_leverage_sampling",
]
