"""From a table to a model: which labels to buy, in doubles, with rigorous checks."""
