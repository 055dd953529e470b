"""Test vectors: traces with the verdict and the diagnosis that they must get."""
