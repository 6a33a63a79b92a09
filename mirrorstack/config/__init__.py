"""The stack file: reading it, typed settings, all its mistakes at once, schema and reference."""
