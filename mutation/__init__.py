"""Mutation testing: every small change to the sampler or the oracle must fail a test."""
