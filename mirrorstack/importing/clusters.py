"""A cluster's settings from what a connector is told about it. Passwords are never taken over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from mirrorstack.config.clusters import Role, SecuritySettings, password_key
from mirrorstack.connect.config import REFERENCE
from mirrorstack.mm2.key_values import split_list
from mirrorstack.notes import Note

FILL_IN = "FILL-IN"
USERNAME = re.compile(r"username\s*=\s*\"([^\"]+)\"|username\s*=\s*([^\s;\"]+)")
MECHANISMS = get_args(SecuritySettings.model_fields["mechanism"].annotation)


def cluster_settings(
    alias: str, config: Mapping[str, str], *, administer: bool, notes: list[Note]
) -> dict[str, Any]:
    """`config` is what follows `source.cluster.` or `target.cluster.`."""
    settings: dict[str, Any] = {"bootstrap-servers": _addresses(alias, config, notes)}
    protocol = config.get("security.protocol", "PLAINTEXT").strip().upper()
    settings["security"] = {"protocol": protocol}
    if protocol.endswith("SSL"):
        settings["security"] |= _trust(alias, config, notes)
    if protocol.startswith("SASL_"):
        settings["security"]["mechanism"] = _mechanism(alias, config, notes)
        settings["principals"] = _principals(alias, config, notes, administer=administer)
    if not administer:
        settings["administer"] = False
        what = "this stack does not administer it: it exports the grants that its owner has to make"
        notes.append(Note(alias, what))
    return settings


def _addresses(alias: str, config: Mapping[str, str], notes: list[Note]) -> list[str]:
    given = config.get("bootstrap.servers", "")
    if not given or REFERENCE.search(given):
        why = "is kept outside of the file" if given else "is not told"
        notes.append(Note(alias, f"its address {why}: replace {FILL_IN}"))
        return [f"{FILL_IN}:9092"]
    return [address for address in split_list(given) if address]


def _trust(alias: str, config: Mapping[str, str], notes: list[Note]) -> dict[str, str]:
    if any(key.startswith(("ssl.keystore.", "ssl.key.")) for key in config):
        what = "client certificates (ssl.keystore.*) cannot be declared in a stack file yet"
        notes.append(Note(alias, what))
    location, kind = config.get("ssl.truststore.location"), config.get("ssl.truststore.type", "JKS")
    if location is None or REFERENCE.search(location):
        return {}
    if kind.strip().upper() != "PEM":
        what = f"ssl.truststore.location is a {kind} store; write its certificates to a PEM file "
        notes.append(Note(alias, f"{what}and name that as ca-file"))
        return {}
    return {"ca-file": location.strip()}


def _mechanism(alias: str, config: Mapping[str, str], notes: list[Note]) -> str:
    given = config.get("sasl.mechanism", "GSSAPI").strip()
    if given in MECHANISMS:
        return given
    best = MECHANISMS[-1]
    what = f"sasl.mechanism is {given}, and a stack file knows {', '.join(MECHANISMS)}: {best} is "
    notes.append(Note(alias, f"{what}written, change what does not fit"))
    return str(best)


def _principals(
    alias: str, config: Mapping[str, str], notes: list[Note], *, administer: bool
) -> dict[str, str]:
    found = USERNAME.search(config.get("sasl.jaas.config", ""))
    user = next((group for group in found.groups() if group), FILL_IN) if found else FILL_IN
    user = FILL_IN if REFERENCE.search(user) else user
    roles = (Role.MIRROR, Role.ADMIN) if administer else (Role.MIRROR,)
    for role in roles:
        key = password_key(alias, role)
        what = f"its password is not taken over: `pulumi config set --secret {key}`"
        notes.append(Note(alias, f"{user} is written as its {role} principal; {what}"))
    return {role.value: user for role in roles}
