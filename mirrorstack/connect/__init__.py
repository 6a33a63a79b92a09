"""Connectors on a running Kafka Connect: its REST API, and whether a connector is healthy.

From the inside out: `config` (a connector's config, normalised and without secrets), `protocol` and
`responses` (requests and responses as values, no network), `client` (the network: timeouts,
retries), `health`, `progress` and `stalls` (assess what was observed, no network), `waiting` and
`reconcile` (poll until the connector is as declared), `restarts` and `restart_request` (restart
what has FAILED), `removal` and `config_topic` (delete a connector, also without workers).
"""
