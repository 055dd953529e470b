"""Harnesses that speak asura-conform/1: one in Python, one in C (`asura.c`)."""
