"""Connectors on a running Kafka Connect: what to ask its REST API, and when a connector is well.

From the inside out: `config` (a connector's config, normalised and without secrets), `protocol` and
`answers` (requests and responses as values, no network), `client` (the network: timeouts, retries),
`health` (a judgement on what was seen), `waiting` and `applying` (until it is as declared).
"""
