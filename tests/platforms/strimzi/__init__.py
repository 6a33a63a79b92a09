"""Strimzi: its CustomResourceDefinitions, and a stand-in of the operator, which no registry has."""
