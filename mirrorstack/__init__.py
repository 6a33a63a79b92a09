"""Mirrorstack's core: what is decided here is decided without Pulumi."""
