"""A sandbox whose brokers listen at an address that containers and pods reach."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from cryptography import x509

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox import certificates
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import ANY_PORTS


@contextmanager
def reachable_sandbox(home: Path, kafka: KafkaInstallation, address: str) -> Iterator[Sandbox]:
    """Stacks name its clusters by their bootstrap servers, as they name any cluster."""
    names = (*certificates.LOOPBACK, x509.IPAddress(ipaddress.ip_address(address)))
    with (
        patch("mirrorstack.sandbox.nodes.ADDRESS", address),
        patch("mirrorstack.local.ports.ADDRESS", address),
        patch("mirrorstack.sandbox.certificates.LOOPBACK", names),
    ):
        sandbox = Sandbox("reachable", home_directory=home)
        sandbox.up(kafka, ANY_PORTS)
        try:
            yield sandbox
        finally:
            sandbox.down(delete=True)
