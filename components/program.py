"""The Pulumi program: config and previous state in, a deployment out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pulumi
from pulumi.runtime.config import get_config_env, is_config_secret

from mirrorstack.config.passwords import SUFFIXES, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import StackSettings, check
from mirrorstack.findings import Severity, UserError
from mirrorstack.local.home import home
from mirrorstack.local.polling import poll_until
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.planning.deployment import Deployment
from mirrorstack.planning.preflight import preflight
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.rules.keys.overrides import check_overrides
from mirrorstack.sandbox.connection import connection
from mirrorstack.verify.request import report_directory

# The exit code that tells the language host that the error is already reported.
REPORTED = 32
READ_STATE = "pulumi:pulumi:readStackResourceOutputs"
STATE_SECONDS, STATE_RETRY_SECONDS = 10.0, 0.2


@dataclass(frozen=True)
class ProgramConfig:
    """The stack file as the program reads it."""

    settings: StackSettings
    peers: Mapping[str, StackSettings]
    """By file, the stacks that `settings.peers` names."""


def read_config() -> ProgramConfig:
    """The project's own namespace. Every mistake in it is reported at once."""
    config, file = pulumi.Config(), _stack_file()
    values = {key: _value(config.get(key)) for key in _config_keys() if not key.endswith(SUFFIXES)}
    settings, findings = check(values)
    findings += check_passwords(settings, *_given_passwords())
    findings += check_overrides(settings) if settings else []
    peers: Mapping[str, StackSettings] = {}
    try:
        peers = read_peers(settings, Path(file)) if settings else {}
    except UserError as error:
        findings += error.findings
    if settings is None or findings:
        raise UserError.of(findings, file=file)
    return ProgramConfig(settings, peers)


def prepare(
    settings: StackSettings, peers: Mapping[str, StackSettings] = MappingProxyType({})
) -> Deployment:
    """What this stack declares, after all checks. Reads the stack's config and its previous state,
    and talks to the clusters; it changes nothing."""
    passwords = _passwords(settings)
    return preflight(
        settings,
        StackClusters(settings, stack_connections(settings, passwords, sandbox=connection)),
        stack=pulumi.get_stack(),
        home=home(),
        previous=previous_state(),
        peers=peers,
        report_directory=report_directory(pulumi.get_stack()),
        secret=lambda key: passwords.get(key, ""),
    )


def previous_state() -> PreviousState:
    """What the previous deployment of this stack declared, from the stack's own state."""
    name = f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}"
    result = _read_state(name)
    return PreviousState.of((result.value or {}).get("outputs") or {})


def _read_state(stack: str) -> Any:
    """The engine writes the state while this program starts. With a file backend it writes in
    place, so a read at that moment finds an incomplete file."""
    failures: list[Exception] = []

    def read() -> Any:
        try:
            return pulumi.runtime.invoke(READ_STATE, {"stackName": stack})
        except Exception as error:  # the SDK raises nothing more specific
            failures.append(error)
            return None

    return poll_until(
        read,
        deadline=time.monotonic() + STATE_SECONDS,
        on_timeout=lambda: UserError(
            f"The state of the stack {stack} cannot be read: {failures[-1]}",
            "run the command again; if it fails again, check the state with `pulumi stack export`",
        ),
        interval=STATE_RETRY_SECONDS,
    )


@contextmanager
def report_errors() -> Iterator[None]:
    """A UserError ends the program with its findings and without a traceback."""
    try:
        yield
    except UserError as error:
        for finding in error.findings:
            log = pulumi.log.warn if finding.severity is Severity.WARNING else pulumi.log.error
            log(str(finding))
        sys.exit(REPORTED)


def _passwords(settings: StackSettings) -> dict[str, str]:
    """By config key, `<alias>-<role>-password`. They must be secrets of the stack's config: the
    dynamic providers read them there, too."""
    given, secret = _given_passwords()
    if findings := list(check_passwords(settings, given, secret)):
        raise UserError.of(findings, file=_stack_file())
    return given


def _given_passwords() -> tuple[dict[str, str], list[str]]:
    """By config key, and the keys that are encrypted."""
    config = pulumi.Config()
    given = {key: config.get(key) or "" for key in _config_keys() if key.endswith(SUFFIXES)}
    return given, [key for key in given if is_config_secret(f"{pulumi.get_project()}:{key}")]


def _config_keys() -> list[str]:
    prefix = f"{pulumi.get_project()}:"
    return [key.removeprefix(prefix) for key in get_config_env() if key.startswith(prefix)]


def _stack_file() -> str:
    return f"stacks/Pulumi.{pulumi.get_stack()}.yaml"


def _value(text: str | None) -> Any:
    """Lists and objects arrive as JSON; anything else is for the settings to check."""
    try:
        return json.loads(text or "null")
    except ValueError:
        return text
