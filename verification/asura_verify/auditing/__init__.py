"""Judging the claims: plan the tasks, perform them, compare with the recorded verdicts."""
