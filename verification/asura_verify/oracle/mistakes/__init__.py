"""The catalogue of known mistakes, as recipes that can be run along a trace."""
