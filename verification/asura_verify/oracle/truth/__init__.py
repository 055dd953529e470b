"""The true run, and how far a report may lie from it."""
