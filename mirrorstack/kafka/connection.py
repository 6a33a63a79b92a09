"""How a client connects to a cluster: bootstrap servers, security protocol, user name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.kafka.java_client import ClientAccess


@dataclass(frozen=True, kw_only=True)
class Connection:
    """The bootstrap servers of a cluster and the credentials. The password is not in its repr."""

    bootstrap_servers: str
    username: str
    password: str = field(repr=False)
    protocol: str = "SASL_SSL"
    mechanism: str = "SCRAM-SHA-512"
    ca_path: Path | None = None
    """The CA certificates to trust, as PEM; None for those of the operating system."""

    def client_config(self) -> dict[str, str | int | float | bool]:
        """For librdkafka: confluent-kafka's Producer, Consumer and AdminClient."""
        config: dict[str, str | int | float | bool] = {
            "bootstrap.servers": self.bootstrap_servers,
            "security.protocol": self.protocol,
        }
        if self.protocol.startswith("SASL_"):
            config["sasl.mechanism"] = self.mechanism
            config["sasl.username"] = self.username
            config["sasl.password"] = self.password
        if self.protocol.endswith("SSL") and self.ca_path:
            config["ssl.ca.location"] = str(self.ca_path)
        return config

    def access(self, alias: str, password: str, *, portable: bool = False) -> ClientAccess:
        """For Java clients; `password` is a config provider reference that a worker resolves.
        `portable`: on another machine, with the certificates instead of their path."""
        ca_path = self.ca_path
        return ClientAccess(
            alias=alias,
            bootstrap_servers=self.bootstrap_servers,
            principal=self.username,
            password=password,
            protocol=self.protocol,
            mechanism=self.mechanism,
            ca_path=str(ca_path) if ca_path and not portable else None,
            ca_certificates=ca_path.read_text() if ca_path and portable else None,
        )

    def java_properties(self, *, portable: bool = False) -> dict[str, str]:
        """For Kafka's own tools and clients; they contain the password."""
        return self.access("", in_jaas(self.password), portable=portable).client_properties()


def in_jaas(password: str) -> str:
    """A password, escaped for the quotes of a JAAS entry."""
    return password.replace("\\", "\\\\").replace('"', '\\"')
