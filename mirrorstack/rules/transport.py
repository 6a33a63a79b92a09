"""Rules for production: how clients reach clusters, and who reaches Connect's REST API."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import (
    Declaration,
    ProductionClient,
    ProductionProvider,
    ProductionWorker,
)

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PROTOCOL = "security.protocol"
# Prefixes of the keys that configure the clients of connectors and workers.
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
REASON = "Records and passwords can be read and changed on the network."


@rule(
    Declaration,
    id="production-clusters-use-tls",
    title="In production, clusters must be reached through TLS.",
    reason=REASON,
    risk=Risk.CRITICAL,
)
def production_clusters_use_tls(declaration: Declaration) -> Iterator[Finding]:
    if not declaration.settings.production:
        return
    for alias, cluster in declaration.settings.clusters.items():
        protocol, mechanism = cluster.security.protocol, cluster.security.mechanism
        if cluster.sandbox is None and not protocol.endswith("SSL"):
            path = ("clusters", alias, "security", "protocol")
            yield _unencrypted(".".join(path), protocol, mechanism, path, alias)


@rule(
    ProductionClient,
    id="production-clients-use-tls",
    title="In production, the clients of connectors and workers must use TLS.",
    reason=REASON,
    risk=Risk.CRITICAL,
)
def production_clients_use_tls(client: ProductionClient) -> Iterator[Finding]:
    """Every client that has an address or a protocol; the default protocol is PLAINTEXT."""
    for prefix in CLIENTS:
        has_address = f"{prefix}bootstrap.servers" in client.config
        key = f"{prefix}{PROTOCOL}"
        protocol = client.config.get(key, "PLAINTEXT" if has_address else None)
        if protocol is not None and not protocol.upper().endswith("SSL"):
            mechanism = client.config.get(f"{prefix}sasl.mechanism", "GSSAPI")
            yield _unencrypted(f"{client.name}: {key}", protocol, mechanism, (key,))


@rule(
    ProductionProvider,
    id="production-providers-use-tls",
    title="In production, Pulumi itself must connect over TLS and verify certificates.",
    reason="The administrator's password can be read on the network, or is sent to an impostor.",
    risk=Risk.CRITICAL,
)
def production_providers_use_tls(provider: ProductionProvider) -> Iterator[Finding]:
    if not provider.tls:
        where = f"Provider {provider.name}: tlsEnabled false"
        yield _unencrypted(where, "plaintext", "", ("tlsEnabled",))
    elif not provider.verifies:
        yield Finding(
            f"Provider {provider.name}: skipTlsVerify is true, which disables the verification of "
            "certificates and host names: anyone on the network can impersonate the broker",
            "remove it, and set the certificate authority as caCert",
            path=("skipTlsVerify",),
        )


@rule(
    ProductionClient,
    id="production-verifies-host-names",
    title="In production, no client may disable the verification of host names.",
    reason="Anyone with a certificate of the same authority can impersonate the broker.",
)
def production_verifies_host_names(client: ProductionClient) -> Iterator[Finding]:
    for key in client.config:
        is_algorithm = key.endswith("ssl.endpoint.identification.algorithm")
        if is_algorithm and not client.config[key].strip():
            yield Finding(
                f"{client.name}: {key} is empty, which disables the verification of host names: "
                "anyone with a certificate of the same authority can impersonate the broker",
                "remove the key: https is the default",
                path=(key,),
            )


@rule(
    ProductionWorker,
    id="production-rest-authentication",
    title="In production, Connect's REST API must be local, isolated or require authentication.",
    reason="Anyone who reaches it can read and write with the workers' permissions.",
    risk=Risk.CRITICAL,
)
def production_rest_authentication(worker: ProductionWorker) -> Iterator[Finding]:
    config = worker.config
    has_extension = bool(config.get("rest.extension.classes", "").strip())
    client_auth = "listeners.https.ssl.client.auth", "ssl.client.auth"
    has_certificates = any(config.get(key) == "required" for key in client_auth)
    # Without `listeners` Connect listens on all addresses.
    for listener in list_items(config.get("listeners", "http://:8083")):
        parts = urlsplit(listener)
        is_closed = has_extension or (parts.scheme == "https" and has_certificates)
        if parts.hostname not in LOOPBACK and not (is_closed or worker.is_isolated):
            yield Finding(
                f"{worker.name}: listeners has {listener}, and no authentication: anyone who "
                "reaches it can start connectors that read and write with the workers' permissions",
                "listen on 127.0.0.1, or set rest.extension.classes to an authentication such as "
                "BasicAuthSecurityRestExtension",
                path=("listeners",),
            )


def _unencrypted(
    where: str, protocol: str, mechanism: str, path: KeyPath, cluster: str | None = None
) -> Finding:
    password = "; the mechanism PLAIN sends the password itself" if mechanism == "PLAIN" else ""
    return Finding(
        f"{where} is {protocol}: records can be read and changed on the network{password}",
        "use SASL_SSL or SSL; the rule applies to stacks that are `production: true`",
        cluster=cluster,
        path=path,
    )


RULES = (
    production_clusters_use_tls,
    production_clients_use_tls,
    production_providers_use_tls,
    production_verifies_host_names,
    production_rest_authentication,
)
