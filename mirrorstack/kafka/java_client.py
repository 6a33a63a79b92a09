"""Settings for Java clients, such as MirrorMaker's: passwords by reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LOGIN_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}


@dataclass(frozen=True)
class ClientAccess:
    """How MirrorMaker connects to a cluster, and as which principal.

    `password` is a reference that a Connect config provider resolves on the worker, such as
    `${file:/etc/mirrorstack/secrets.properties:east}`, not the password itself.
    """

    alias: str
    bootstrap_servers: str
    principal: str
    password: str
    protocol: str = "SASL_SSL"
    mechanism: str = "SCRAM-SHA-512"
    ca_path: str | None = None
    ca_certificates: str | None = None
    """PEM, instead of a path, for clients on another machine."""

    def client_properties(self) -> dict[str, str]:
        """For any Java client; `prefixed` adds the prefix that Connect or MirrorMaker need."""
        properties = {
            "bootstrap.servers": self.bootstrap_servers,
            "security.protocol": self.protocol,
        }
        if self.protocol.endswith("SSL") and (self.ca_certificates or self.ca_path):
            properties["ssl.truststore.type"] = "PEM"
            if self.ca_certificates:
                properties["ssl.truststore.certificates"] = self.ca_certificates
            elif self.ca_path:
                properties["ssl.truststore.location"] = self.ca_path
        if self.protocol.startswith("SASL_"):
            properties["sasl.mechanism"] = self.mechanism
            properties["sasl.jaas.config"] = (
                f"{LOGIN_MODULES[self.mechanism]} required "
                f'username="{self.principal}" password="{self.password}";'
            )
        return properties


def prefixed(prefix: str, properties: Mapping[str, str]) -> dict[str, str]:
    return {f"{prefix}{key}": value for key, value in properties.items()}
