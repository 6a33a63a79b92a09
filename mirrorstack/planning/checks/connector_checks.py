"""Checks of a connector's declaration before it is deployed.

Every function takes the inputs that are known: before a deployment some are not, and an absent
input is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.config import normalise, plain_secrets
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
)
from mirrorstack.connect.responses import InvalidKey, Validation
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.rules.keys.checks import KAFKA_PACKAGE, PATTERNS
from mirrorstack.rules.keys.connector import connector_key_findings
from mirrorstack.text import and_more

NAMING_KEYS = ("replication.policy.class", "replication.policy.separator")


def local_findings(inputs: Mapping[str, Any]) -> list[Finding]:
    """What can be checked without a worker."""
    return [
        *_check_address(inputs.get("rest_url")),
        *_check_name(inputs.get("name")),
        *_check_state(inputs.get("state")),
        *_check_config(inputs.get("config"), inputs.get("name")),
        *_check_credentials(inputs.get("credentials_file")),
    ]


def live_findings(client: ConnectClient, name: str, config: Mapping[str, str]) -> list[Finding]:
    """The result of the worker's own validation, and of the catalogue for the keys that a worker
    does not validate.

    A worker that is busy, does not exist yet, or cannot read a secret that is yet to be written
    does not fail a preview: then only the catalogue is used, and the deployment asks the worker
    again. The same for a worker that does not have the jar of a new replication policy yet.
    """
    try:
        validation = client.validate(name, config)
    except ConnectUnreachableError:
        return catalogue_findings(config)
    except ConnectResponseError as error:
        # MirrorMaker in dedicated mode, which the deployment replaces, has no such path.
        if error.is_transient or error.is_starting:
            return catalogue_findings(config)
        path = "credentials_file" if error.requires_authentication else "config"
        return [replace(error.findings[0], path=(path,), connector=name)]
    if any(_may_come_with_a_jar(each) for each in validation.invalid):
        return catalogue_findings(config)
    invalid = [
        Finding(
            f"{each.key} is {'absent' if each.value is None else repr(each.value)}: {each.message}",
            path=("config", each.key),
            connector=name,
        )
        for each in validation.invalid
    ]
    unvalidated = [
        each for each in catalogue_findings(config) if _is_not_validated(each, validation)
    ]
    return invalid + unvalidated


def catalogue_findings(config: Mapping[str, str], *, complete: bool = True) -> list[Finding]:
    """What is known about a config without a worker; empty unless it is a connector of MM2.

    Warnings are for a linter: what may be intended is no reason to refuse a deployment.
    """
    found = connector_key_findings(config, complete=complete)
    return [each for each in found if each.severity is Severity.ERROR]


def _may_come_with_a_jar(invalid: InvalidKey) -> bool:
    return invalid.key == NAMING_KEYS[0] and not str(invalid.value).startswith(KAFKA_PACKAGE)


def _is_not_validated(finding: Finding, validation: Validation) -> bool:
    """The worker decides about its own keys, and may be of another release; it does not validate
    patterns, nor keys behind a client's prefix."""
    if finding.key in {invalid.key for invalid in validation.invalid}:
        return False
    return finding.key not in validation.declared or finding.key in PATTERNS


def naming_findings(before: Mapping[str, Any], inputs: Mapping[str, Any]) -> list[Finding]:
    """A connector's offsets name source topics only, so under another naming it resumes where it
    ended under the old one. For an existing target topic that leaves a gap; for a new one the
    offsets are reset."""
    old, new = before.get("config") or {}, inputs.get("config") or {}
    expect = inputs.get("expect")
    topics = set(Expectation.decoded(expect).partitions or ()) if expect else set()
    existing = sorted(topics - set(inputs.get("new_topics") or ()))
    names = {
        **{key: (old.get(key), new.get(key)) for key in NAMING_KEYS},
        "policy.name": (before.get("names"), inputs.get("names")),
    }
    changed = {key: values for key, values in names.items() if values[0] != values[1]}
    if not old or not changed or not existing:
        return []
    key, (before_it, now) = next(iter(changed.items()))
    return [
        Finding(
            f"{key} changes from {before_it} to {now}, and the target already has the "
            f"target topics of {and_more(existing)} under their new names. The connector would "
            "resume there where it ended under the old names, and skip records.",
            "keep the naming; or delete those target topics: they are then replicated from "
            "earliest",
            path=("config", key),
            topic=existing[0],
        )
    ]


def _check_address(url: str | None) -> Iterator[Finding]:
    if url is None:
        return
    parts = urlsplit(url)
    if "@" in parts.netloc:
        yield Finding(
            "rest_url contains a user name or a password (not shown here), and the state would "
            "keep it",
            "move them to a file, and set credentials_file",
            path=("rest_url",),
        )
    elif parts.scheme not in ("http", "https") or not parts.hostname:
        yield Finding(f"rest_url is {url!r}; it must be http(s)://host:port", path=("rest_url",))


def _check_name(name: str | None) -> Iterator[Finding]:
    if name is not None and not name.strip():
        yield Finding("name is empty", "set the connector's name in Connect", path=("name",))


def _check_state(state: str | None) -> Iterator[Finding]:
    if state is not None and state not in list(ConnectorState):
        yield Finding(
            f"state is {state!r}; it must be one of {', '.join(ConnectorState)}", path=("state",)
        )


def _check_config(config: Mapping[str, Any] | None, name: str | None) -> Iterator[Finding]:
    if config is None:
        return
    if not config.get("connector.class"):
        yield Finding(
            "connector.class is absent",
            "set the Java class of the connector",
            path=("config", "connector.class"),
        )
    inner = config.get("name")
    if name is not None and inner not in (None, name):
        yield Finding(
            f"config's own name is {inner!r}, the connector's {name!r}",
            "remove `name` from the config",
            path=("config", "name"),
        )
    for key in plain_secrets(normalise(config)):
        yield Finding(
            f"{key} looks like a secret in plain text (its value is not shown): Connect would keep "
            "it in its config topic and Pulumi in its state",
            "move it to where a config provider of the worker reads it, and refer to it: "
            "${file:/path/to/file:key}",
            path=("config", key),
        )


def _check_credentials(file: str | None) -> Iterator[Finding]:
    # A file that does not exist yet may be written by the deployment.
    if file is None or not Path(file).exists():
        return
    try:
        credentials.load(Path(file))
    except UserError as error:
        yield replace(error.findings[0], path=("credentials_file",))
