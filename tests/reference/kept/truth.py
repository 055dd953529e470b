"""Small labelled instances, by Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from asura.dataset import Dataset, dataset
from asura_verify.instances.strategies import datasets

small = st.fractions(min_value=-5, max_value=5, max_denominator=4)


@st.composite
def labelled(draw: st.DrawFn, *, maximal_dimension: int = 3, maximal_size: int = 6) -> Dataset:
    """Points of any kind at scale one, any n_1, and every label."""
    data = draw(datasets(maximal_dimension=maximal_dimension, maximal_size=maximal_size))
    labels = draw(st.lists(small, min_size=data.size, max_size=data.size))
    return dataset(data.points, unlabelled=data.unlabelled, labels=labels)
