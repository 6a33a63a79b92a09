"""Kubernetes: access to a cluster, and the Connect workers in it as manifests."""
