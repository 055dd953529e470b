"""The sum of the potentials over a run, bounded by the number of iterations: corr:1."""
