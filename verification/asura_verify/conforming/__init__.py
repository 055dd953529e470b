"""Drive another implementation through cases and judge every run."""
