"""What a claim, a piece of evidence and a ruling are."""
