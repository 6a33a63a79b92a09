"""The clusters of a stack for commands that run without Pulumi; passwords come from its config."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.config.passwords import SUFFIXES, check_passwords, needed_passwords
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.stack_file import read_file
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.rules.keys.overrides import require_valid_overrides
from mirrorstack.sandbox.connection import connection


def stack_clusters(settings: StackSettings, stack: str, file: Path) -> StackClusters:
    """The stack's clusters. Pulumi runs only if a password is needed."""
    require_valid_overrides(settings, str(file))
    if not needed_passwords(settings):
        return StackClusters(settings, stack_connections(settings, sandbox=connection))
    # The Automation API takes a second to import.
    from mirrorstack.cli.workspace import PulumiProject

    prefix = f"{read_file(file).namespace}:"
    config = PulumiProject(project_directory(file)).config(stack)
    entries = {
        key.removeprefix(prefix): value
        for key, value in config.items()
        if key.startswith(prefix) and key.endswith(SUFFIXES)
    }
    secret = [key for key, entry in entries.items() if entry.secret]
    passwords = {key: entry.value or "" for key, entry in entries.items()}
    if findings := list(check_passwords(settings, passwords, secret)):
        raise UserError.of(findings, file=str(file))
    return StackClusters(settings, stack_connections(settings, passwords, sandbox=connection))


def project_directory(file: Path) -> Path:
    """The directory of the Pulumi project that a stack file belongs to; this clone's by default."""
    parents = file.resolve().parents
    return next((parent for parent in parents if (parent / "Pulumi.yaml").exists()), ROOT)
