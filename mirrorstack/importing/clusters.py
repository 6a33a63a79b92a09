"""A cluster's settings from the config of a connector. Passwords are never imported."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from mirrorstack.config.clusters import Role, SecuritySettings, password_key
from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.key_values import split_list
from mirrorstack.rendering.notes import note

FILL_IN = "FILL-IN"
USERNAME = re.compile(r"username\s*=\s*\"([^\"]+)\"|username\s*=\s*([^\s;\"]+)")
MECHANISMS = get_args(SecuritySettings.model_fields["mechanism"].annotation)


def cluster_settings(
    alias: str, config: Mapping[str, str], *, administer: bool, notes: list[Finding]
) -> dict[str, Any]:
    """`config` has the keys after `source.cluster.` or `target.cluster.`."""
    settings: dict[str, Any] = {"bootstrap-servers": _bootstrap_servers(alias, config, notes)}
    protocol = config.get("security.protocol", "PLAINTEXT").strip().upper()
    settings["security"] = {"protocol": protocol}
    if protocol.endswith("SSL"):
        settings["security"] |= _truststore(alias, config, notes)
    if protocol.startswith("SASL_"):
        settings["security"]["mechanism"] = _mechanism(alias, config, notes)
        settings["principals"] = _principals(alias, config, notes, administer=administer)
    if not administer:
        settings["administer"] = False
        notes.append(
            note(
                "`administer: false` is set; the stack exports the ACLs that it needs",
                "give them to the owner of the cluster",
                cluster=alias,
            )
        )
    return settings


def _bootstrap_servers(alias: str, config: Mapping[str, str], notes: list[Finding]) -> list[str]:
    value = config.get("bootstrap.servers", "")
    if not value or REFERENCE.search(value):
        reason = "is a reference to another file" if value else "is missing"
        notes.append(note(f"bootstrap.servers {reason}", f"replace {FILL_IN}", cluster=alias))
        return [f"{FILL_IN}:9092"]
    return [address for address in split_list(value) if address]


def _truststore(alias: str, config: Mapping[str, str], notes: list[Finding]) -> dict[str, str]:
    if any(key.startswith(("ssl.keystore.", "ssl.key.")) for key in config):
        notes.append(
            note("client certificates (ssl.keystore.*) are not supported yet", cluster=alias)
        )
    location, kind = config.get("ssl.truststore.location"), config.get("ssl.truststore.type", "JKS")
    if location is None or REFERENCE.search(location):
        return {}
    if kind.strip().upper() != "PEM":
        notes.append(
            note(
                f"ssl.truststore.location is a {kind} store, which a stack file cannot use",
                "write its certificates to a PEM file and set `ca-file` to it",
                cluster=alias,
            )
        )
        return {}
    return {"ca-file": location.strip()}


def _mechanism(alias: str, config: Mapping[str, str], notes: list[Finding]) -> str:
    mechanism = config.get("sasl.mechanism", "GSSAPI").strip()
    if mechanism in MECHANISMS:
        return mechanism
    default = str(MECHANISMS[-1])
    notes.append(
        note(
            f"sasl.mechanism is {mechanism}; a stack file supports {', '.join(MECHANISMS)}; "
            f"{default} is written",
            "change it to the mechanism that the cluster accepts",
            cluster=alias,
        )
    )
    return default


def _principals(
    alias: str, config: Mapping[str, str], notes: list[Finding], *, administer: bool
) -> dict[str, str]:
    match = USERNAME.search(config.get("sasl.jaas.config", ""))
    user = next((group for group in match.groups() if group), FILL_IN) if match else FILL_IN
    user = FILL_IN if REFERENCE.search(user) else user
    roles = (Role.MIRROR, Role.ADMIN) if administer else (Role.MIRROR,)
    for role in roles:
        notes.append(
            note(
                f"{user} is written as the {role} principal; its password is not imported",
                f"run `pulumi config set --secret {password_key(alias, role)}`",
                cluster=alias,
            )
        )
    return {role.value: user for role in roles}
