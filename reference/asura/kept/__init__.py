"""Beyond the paper: keep the labelled points, and sample only what must be paid for."""
