"""What a foreign run reports: lines, read with suspicion, and their scalars."""
