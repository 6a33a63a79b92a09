"""A stack's settings for commands that run without Pulumi: its file, and secrets from Pulumi."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.cli.pulumi_cli import PulumiCli
from mirrorstack.config.passwords import SUFFIX, check_passwords, needed_passwords
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.stack_file import stack_path
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from mirrorstack.planning.clusters import StackClusters

PREFIX = "mirrorstack:"


def stack_file(stack: str, directory: Path = ROOT / "stacks") -> Path:
    return stack_path(stack, directory)


def clusters(settings: StackSettings, stack: str, file: Path) -> StackClusters:
    """The stack's clusters. Pulumi is asked only if a password is needed."""
    if not needed_passwords(settings):
        return StackClusters(settings, stack)
    config = PulumiCli().ask("config", "--stack", stack, "--show-secrets", "--json")
    held = {
        key.removeprefix(PREFIX): entry for key, entry in config.items() if key.endswith(SUFFIX)
    }
    secret = [key for key, entry in held.items() if entry.get("secret")]
    given = {key: entry.get("value") or "" for key, entry in held.items()}
    if findings := list(check_passwords(settings, given, secret)):
        raise UserError.of(findings, file=str(file))
    return StackClusters(settings, stack, given)
