"""Judging samplers by their subsets: the exact law, bets against it, and a stated false alarm."""
