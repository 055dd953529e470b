"""Traces of the variants, judged from the states that they report: barriers that move along D."""
