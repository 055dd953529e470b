"""What was found, written for people and for machines."""
