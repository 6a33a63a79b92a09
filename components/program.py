"""The stack's config, read once."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pulumi
from pulumi.runtime.config import get_config_env, is_config_secret

from components.stack import MirrorStackArgs
from mirrorstack.config.passwords import SUFFIX, check_passwords
from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import check
from mirrorstack.findings import UserError
from mirrorstack.rules.keys.overrides import check_overrides

# Tells the language host that the reason has been said.
SAID = 32


def stack_config() -> MirrorStackArgs:
    """Settings and passwords from the project's namespace; other namespaces are not ours."""
    config = pulumi.Config()
    where = f"stacks/Pulumi.{pulumi.get_stack()}.yaml"
    prefix = f"{pulumi.get_project()}:"
    keys = [key.removeprefix(prefix) for key in get_config_env() if key.startswith(prefix)]
    values = {key: _value(config.get(key)) for key in keys if not key.endswith(SUFFIX)}
    settings, findings = check(values)
    passwords = {key: config.get(key) or "" for key in keys if key.endswith(SUFFIX)}
    secret = [key for key in passwords if is_config_secret(f"{prefix}{key}")]
    findings += check_passwords(settings, passwords, secret)
    findings += check_overrides(settings) if settings else []
    if settings is None or findings:
        raise UserError.of(findings, file=where)
    return MirrorStackArgs(
        settings=settings,
        passwords=passwords,
        peers=read_peers(settings, Path(where)),
    )


def _value(text: str | None) -> Any:
    """Lists and objects arrive as JSON; a word that is neither is for the settings to judge."""
    try:
        return json.loads(text or "null")
    except ValueError:
        return text


@contextmanager
def one_message() -> Iterator[None]:
    """A Problem ends the program with its message, shown once and without a traceback."""
    try:
        yield
    except UserError as problem:
        pulumi.log.error(str(problem))
        sys.exit(SAID)
