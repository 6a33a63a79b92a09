"""Connectors on a running Kafka Connect: its REST API, and whether a connector is healthy.

From the inside out: `config` (a connector's config, normalised and without secrets), `protocol` and
`responses` (requests and responses as values, no network), `client` (the network: timeouts,
retries), `health` and `progress` (assess what was observed, no network), `waiting` and `reconcile`
(poll until the connector is as declared).
"""
