"""Strimzi's resources: the connectors that its operator makes of them, for import.

How to reach a cluster stands in fields of its own there, and what is secret in Kubernetes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.importing.discovered_flows import Connector
from mirrorstack.lint.document import DocumentNode
from mirrorstack.lint.strimzi import clusters_in, connectors_of
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.notes import Note

SASL = {"plain": "PLAIN", "scram-sha-256": "SCRAM-SHA-256", "scram-sha-512": "SCRAM-SHA-512"}


def in_resource(document: DocumentNode, notes: list[Note]) -> Iterator[Connector]:
    reached = {
        alias: _reached(alias, cluster, notes)
        for alias, cluster in clusters_in(document).items()
        if document.text("kind") == "KafkaMirrorMaker2"
    }
    for one in connectors_of(document):
        values = one.config.values
        known = {
            f"{side}.cluster.{key}": value
            for side in ("source", "target")
            for key, value in reached.get(values.get(f"{side}.cluster.alias", ""), {}).items()
        }
        state = (
            ConnectorState(one.state)
            if one.state in list(ConnectorState)
            else ConnectorState.RUNNING
        )
        yield Connector(one.name, {**known, **values}, state)


def _reached(alias: str, cluster: DocumentNode, notes: list[Note]) -> Mapping[str, str]:
    """In the words of a client's config, as far as the resource tells it."""
    given = cluster.get("config") or DocumentNode(cluster.line, None)
    found = {key: given.text(key) or "" for key in given.members if key in keys_in(Section.CLUSTER)}
    if others := ", ".join(key for key in given.members if key not in found):
        notes.append(Note(alias, f"{others} is left out: a stack configures its workers by itself"))
    kind = (cluster.text("authentication", "type") or "").lower()
    sasl = kind not in ("", "tls")
    encrypted = cluster.get("tls") is not None
    found["security.protocol"] = f"{'SASL_' if sasl else ''}{'SSL' if encrypted else 'PLAINTEXT'}"
    if sasl:
        found["sasl.mechanism"] = SASL.get(kind, kind)
        user = cluster.text("authentication", "username")
        found |= {"sasl.jaas.config": f'username="{user}"'} if user else {}
    if kind == "tls":
        what = "client certificates (`authentication.type: tls`) cannot be declared in a stack file"
        notes.append(Note(alias, f"{what} yet"))
    certificates = cluster.get("tls", "trustedCertificates")
    if certificates is not None and certificates.items:
        secret = certificates.items[0].text("secretName")
        what = f"its certificates are in the Kubernetes secret {secret}; write them to a PEM file "
        notes.append(Note(alias, f"{what}and name that as ca-file"))
    return found
