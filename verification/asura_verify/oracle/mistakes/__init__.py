"""The catalogue of known mistakes, and which of them explains a trace."""
