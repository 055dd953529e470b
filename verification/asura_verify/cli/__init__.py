"""The command `asura`: one module per command."""
