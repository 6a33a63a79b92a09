"""What can be said about a connector's declaration before anything is done.

Every function takes the inputs that are known: before a deployment some are not, and what is absent
is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.config import normalise, plain_secrets
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
)
from mirrorstack.connect.responses import Validation
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.rules.keys.checks import PATTERNS
from mirrorstack.rules.keys.connector import connector_key_findings

EXPECTATIONS = ("partitions", "records", "may_idle")


def local_findings(inputs: Mapping[str, Any]) -> list[Finding]:
    """Without asking anybody."""
    return [
        *_address(inputs.get("rest_url")),
        *_name(inputs.get("name")),
        *_state(inputs.get("state")),
        *_config(inputs.get("config"), inputs.get("name")),
        *_expect(inputs.get("expect")),
        *_credentials(inputs.get("credentials_file")),
    ]


def live_findings(client: ConnectClient, name: str, config: Mapping[str, str]) -> list[Finding]:
    """What the worker's own validation says, and the catalogue about the keys it lets through.

    A worker that is busy, not there yet, or not able to read a secret that is still to be written
    is no reason to refuse a preview: then the catalogue speaks alone, and the deployment meets the
    worker again.
    """
    try:
        validation = client.validate(name, config)
    except ConnectUnreachableError:
        return catalogue_findings(config)
    except ConnectResponseError as refusal:
        if refusal.may_pass:
            return catalogue_findings(config)
        return [Finding(str(refusal), path=("credentials_file" if refusal.is_login else "config",))]
    said = [
        Finding(
            f"{one.key} is {'absent' if one.value is None else repr(one.value)}: {one.message}",
            path=("config",),
        )
        for one in validation.invalid
    ]
    return said + [_finding(one) for one in _refused(config) if _was_let_through(one, validation)]


def catalogue_findings(config: Mapping[str, str], *, complete: bool = True) -> list[Finding]:
    """What is known about a config without a worker; nothing unless it is one of MirrorMaker's."""
    return [_finding(one) for one in _refused(config, complete=complete)]


def _refused(config: Mapping[str, str], *, complete: bool = True) -> list[Finding]:
    """Warnings are for a linter: what may be meant so is no reason to refuse a deployment."""
    found = connector_key_findings(config, complete=complete)
    return [one for one in found if one.severity is Severity.ERROR]


def _was_let_through(finding: Finding, validation: Validation) -> bool:
    """The worker knows its own keys best, and may be of another release; it never reads patterns,
    nor what follows a client's prefix."""
    if finding.key in {invalid.key for invalid in validation.invalid}:
        return False
    return finding.key not in validation.declared or finding.key in PATTERNS


def _finding(finding: Finding) -> Finding:
    return Finding(str(finding), path=("config",))


NAMING = ("replication.policy.class", "replication.policy.separator")


def naming_findings(before: Mapping[str, Any], inputs: Mapping[str, Any]) -> list[Finding]:
    """A connector's offsets know the source's topics only, so under new names it would go on where
    it ended under the old ones. That is right for no copy, and for a new one it is put right."""
    was, is_ = before.get("config") or {}, inputs.get("config") or {}
    copies = set((inputs.get("expect") or {}).get("partitions") or ())
    kept = sorted(copies - set(inputs.get("fresh") or ()))
    changed = [key for key in NAMING if was.get(key) != is_.get(key)]
    if not was or not changed or not kept:
        return []
    shown = ", ".join(kept[:5]) + (" and others" if len(kept) > 5 else "")
    return [
        Finding(
            f"{changed[0]} changes from {was.get(changed[0])} to {is_.get(changed[0])}, and the "
            f"target already has the copies of {shown} under their new names. The connector would "
            "go on there where it ended under the old names, and leave a gap that nobody sees. "
            "Keep the naming; or delete those copies, and they are mirrored from the beginning",
            path=("config",),
        )
    ]


def _address(url: str | None) -> Iterator[Finding]:
    if url is None:
        return
    parts = urlsplit(url)
    if "@" in parts.netloc:
        yield Finding(
            "rest_url holds a username or a password (it is not shown here), and the state would "
            "keep it: move them into the file that credentials_file names",
            path=("rest_url",),
        )
    elif parts.scheme not in ("http", "https") or not parts.hostname:
        yield Finding(f"rest_url is {url!r}; it must be http(s)://host:port", path=("rest_url",))


def _name(name: str | None) -> Iterator[Finding]:
    if name is not None and not name.strip():
        yield Finding("name is empty; it is what Connect calls the connector", path=("name",))


def _state(state: str | None) -> Iterator[Finding]:
    if state is not None and state not in list(ConnectorState):
        yield Finding(
            f"state is {state!r}; it must be one of {', '.join(ConnectorState)}", path=("state",)
        )


def _config(config: Mapping[str, Any] | None, name: str | None) -> Iterator[Finding]:
    if config is None:
        return
    if not config.get("connector.class"):
        yield Finding(
            "connector.class is absent: it says which connector this is", path=("config",)
        )
    inner = config.get("name")
    if name is not None and inner not in (None, name):
        yield Finding(
            f"config's own name is {inner!r}, the connector's {name!r}: remove it", path=("config",)
        )
    for key in plain_secrets(normalise(config)):
        yield Finding(
            f"{key} looks like a secret in plain text (its value is not shown). Connect would keep "
            "it in its config topic and Pulumi in its state: put it where a config provider of the "
            "worker reads it, and refer to it, as in ${file:/path/to/file:key}",
            path=("config",),
        )


def _expect(expect: Mapping[str, Any] | None) -> Iterator[Finding]:
    unknown = [key for key in expect or {} if key not in EXPECTATIONS]
    if unknown:
        yield Finding(
            f"expect has {', '.join(unknown)}; it may have {', '.join(EXPECTATIONS)}",
            path=("expect",),
        )


def _credentials(file: str | None) -> Iterator[Finding]:
    # A file that is not there yet may be written by the deployment.
    if file is None or not Path(file).exists():
        return
    try:
        credentials.load(Path(file))
    except UserError as problem:
        yield Finding(str(problem), path=("credentials_file",))
