"""The obligations of the solvers, and the record of the machine-checked development."""
