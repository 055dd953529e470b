"""Whole probability trees of the algorithm: every run with its probability."""
