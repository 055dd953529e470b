"""Whether the picks follow their distribution."""
