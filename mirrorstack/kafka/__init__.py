"""Thin edges to real clusters, on librdkafka."""
