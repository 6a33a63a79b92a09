"""The Java and the Kafka jars that the set-up installed for this clone."""

from __future__ import annotations

from mirrorstack.local.home import ROOT
from mirrorstack.local.kafka_installation import KafkaInstallation
from toolchain import receipt


def installed_kafka() -> KafkaInstallation:
    parts = receipt.read(ROOT / ".mirrorstack")
    return KafkaInstallation(java=parts["java"].path, jars=parts["kafka-jars"].path)
