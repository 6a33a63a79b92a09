"""The smoke test: whether the copy is the original, by content, on Spark."""
