"""The audit as one self-contained HTML page, written by `asura audit --output DIR`."""
