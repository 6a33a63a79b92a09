"""A real Kubernetes of one node: built from Go modules, run in namespaces of its own."""
