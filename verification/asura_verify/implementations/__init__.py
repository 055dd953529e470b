"""A museum of implementations: wrong ones that must be caught, correct ones that must pass."""
