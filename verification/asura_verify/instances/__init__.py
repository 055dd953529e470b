"""What the claims are tried on, and how it is drawn."""
