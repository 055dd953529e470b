"""Comparisons with three outcomes, and what is made of them."""
