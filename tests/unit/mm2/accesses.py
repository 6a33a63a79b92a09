"""One way to reach a cluster for each security protocol."""

from __future__ import annotations

from mirrorstack.kafka.java_client import ClientAccess

ACCESSES = [
    ClientAccess("a", "a:9092", "mirror", "${file:/secrets:a}", ca_path="/ca.pem"),
    ClientAccess("a", "a:9092", "mirror", "${file:/secrets:a}", mechanism="PLAIN"),
    ClientAccess("a", "a:9092", "mirror", "", protocol="SSL", ca_path="/ca.pem"),
    ClientAccess("a", "a:9092", "mirror", "", protocol="PLAINTEXT"),
]
