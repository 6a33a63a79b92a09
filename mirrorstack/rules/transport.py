"""How clients and people reach clusters and workers: what production does not allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from mirrorstack.findings import Finding
from mirrorstack.mm2.key_values import list_items

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PROTOCOL = "security.protocol"
# Prefixes below which the clients of connectors and workers are configured.
CLIENTS = (
    "",
    "source.cluster.",
    "target.cluster.",
    "producer.",
    "consumer.",
    "admin.",
    "source.consumer.",
    "source.producer.",
    "source.admin.",
    "target.consumer.",
    "target.producer.",
    "target.admin.",
    "producer.override.",
    "consumer.override.",
    "admin.override.",
)


def unencrypted(name: str, config: Mapping[str, str]) -> Iterator[Finding]:
    """A client that has an address or a protocol; what it does not say is PLAINTEXT."""
    for prefix in CLIENTS:
        has_address = f"{prefix}bootstrap.servers" in config
        protocol = config.get(f"{prefix}{PROTOCOL}", "PLAINTEXT" if has_address else None)
        if protocol is not None and not protocol.upper().endswith("SSL"):
            mechanism = config.get(f"{prefix}sasl.mechanism", "GSSAPI")
            for finding in _readable(f"{name}: {prefix}{PROTOCOL}", protocol, mechanism):
                yield replace(finding, path=(f"{prefix}{PROTOCOL}",))


def unencrypted_cluster(alias: str, protocol: str, mechanism: str) -> Iterator[Finding]:
    if not protocol.endswith("SSL"):
        path = ("clusters", alias, "security", "protocol")
        for finding in _readable(f"clusters.{alias}.security.protocol", protocol, mechanism):
            yield replace(finding, cluster=alias, path=path)


def unencrypted_provider(name: str, tls: bool, checked: bool) -> Iterator[Finding]:
    if not tls:
        yield from _readable(f"Provider {name}: tlsEnabled false", "plaintext", "")
    elif not checked:
        yield Finding(
            f"Provider {name}: skipTlsVerify is true, which turns the check of certificates and "
            "hostnames off: anybody on the way can pass for the broker.",
            "remove it, and give the certificate authority as caCert",
        )


def open_listeners(name: str, config: Mapping[str, str]) -> Iterator[Finding]:
    """Whoever reaches Connect's REST interface can read and write as its principals."""
    with_extension = bool(config.get("rest.extension.classes", "").strip())
    client_auth = "listeners.https.ssl.client.auth", "ssl.client.auth"
    with_certificates = any(config.get(key) == "required" for key in client_auth)
    # Connect listens on all addresses when nothing is said.
    for listener in list_items(config.get("listeners", "http://:8083")):
        parts = urlsplit(listener)
        closed = with_extension or (parts.scheme == "https" and with_certificates)
        if parts.hostname not in LOOPBACK and not closed:
            yield Finding(
                f"{name}: listeners has {listener}, and no authentication: whoever reaches it can "
                "start connectors that read and write with the workers' rights.",
                "listen on 127.0.0.1, or set rest.extension.classes to an authentication such as "
                "BasicAuthSecurityRestExtension",
                path=("listeners",),
            )


def _readable(where: str, protocol: str, mechanism: str) -> Iterator[Finding]:
    password = " The mechanism PLAIN sends the password itself." if mechanism == "PLAIN" else ""
    yield Finding(
        f"{where} is {protocol}: records can be read and changed on their way.{password}",
        "use SASL_SSL or SSL; in stacks that are not `production: true` this rule is silent",
    )
