"""The ways of looking at a trace: the whole run, each step on its own, the claims."""
