"""The oracle: judges the trace of any implementation of ASURA, and names the mistake."""
