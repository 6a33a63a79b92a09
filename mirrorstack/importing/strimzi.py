"""Strimzi resources: the connectors that its operator creates from them, for import.

Connection settings are separate fields there, and secrets are Kubernetes secrets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding
from mirrorstack.importing.discovered_flows import ExistingConnector
from mirrorstack.lint.document import DocumentNode
from mirrorstack.lint.strimzi import clusters_in, connectors_of
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.rendering.notes import note

SASL = {"plain": "PLAIN", "scram-sha-256": "SCRAM-SHA-256", "scram-sha-512": "SCRAM-SHA-512"}


def connectors_in_resource(
    document: DocumentNode, notes: list[Finding]
) -> Iterator[ExistingConnector]:
    clients = {
        alias: _client_config(alias, cluster, notes)
        for alias, cluster in clusters_in(document).items()
        if document.text("kind") == "KafkaMirrorMaker2"
    }
    for one in connectors_of(document):
        values = one.config.values
        cluster_keys = {
            f"{side}.cluster.{key}": value
            for side in ("source", "target")
            for key, value in clients.get(values.get(f"{side}.cluster.alias", ""), {}).items()
        }
        is_known = one.state in list(ConnectorState)
        state = ConnectorState(one.state) if is_known else ConnectorState.RUNNING
        yield ExistingConnector(one.name, {**cluster_keys, **values}, state)


def _client_config(alias: str, cluster: DocumentNode, notes: list[Finding]) -> Mapping[str, str]:
    """The client config that the fields of a cluster stand for."""
    given = cluster.get("config") or DocumentNode(cluster.line, None)
    config = {
        key: given.text(key) or "" for key in given.members if key in keys_in(Section.CLUSTER)
    }
    if others := ", ".join(key for key in given.members if key not in config):
        message = f"{others} is left out: a stack configures its workers itself"
        notes.append(note(message, cluster=alias))
    kind = (cluster.text("authentication", "type") or "").lower()
    is_sasl = kind not in ("", "tls")
    encryption = "PLAINTEXT" if cluster.get("tls") is None else "SSL"
    config["security.protocol"] = f"{'SASL_' if is_sasl else ''}{encryption}"
    if is_sasl:
        config["sasl.mechanism"] = SASL.get(kind, kind)
        user = cluster.text("authentication", "username")
        config |= {"sasl.jaas.config": f'username="{user}"'} if user else {}
    if kind == "tls":
        message = "client certificates (`authentication.type: tls`) are not supported yet"
        notes.append(note(message, cluster=alias))
    certificates = cluster.get("tls", "trustedCertificates")
    if certificates is not None and certificates.items:
        secret = certificates.items[0].text("secretName")
        notes.append(
            note(
                f"its CA certificates are in the Kubernetes secret {secret}",
                "write them to a PEM file and set `ca-file` to it",
                cluster=alias,
            )
        )
    return config
