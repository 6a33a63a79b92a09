"""A stack's settings for commands that run without Pulumi: its file, and secrets from Pulumi."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from mirrorstack.cli.pulumi_cli import PulumiCli
from mirrorstack.config.passwords import SUFFIX, check_passwords, needed
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from mirrorstack.planning.clusters import StackClusters

PREFIX = "mirrorstack:"


def stack_file(stack: str, directory: Path = ROOT / "stacks") -> Path:
    return directory / f"Pulumi.{stack}.yaml"


def load(file: Path) -> StackSettings:
    """What a stack file declares. Its passwords are not looked at."""
    try:
        content = yaml.safe_load(file.read_text())
    except FileNotFoundError:
        there = sorted(each.name[7:-5] for each in file.parent.glob("Pulumi.*.yaml"))
        raise UserError(
            f"There is no stack file {file}.",
            f"name one of the stacks that have one: {', '.join(there)}"
            if there
            else "make the stack first: `pulumi stack init NAME`",
        ) from None
    except yaml.YAMLError as error:
        raise UserError(f"{file} is no YAML: {error}", "correct it") from None
    keys: dict[str, Any] = (content or {}).get("config") or {}
    values = {
        key.removeprefix(PREFIX): value
        for key, value in keys.items()
        if key.startswith(PREFIX) and not key.endswith(SUFFIX)
    }
    return parse(values, str(file))


def clusters(settings: StackSettings, stack: str, file: Path) -> StackClusters:
    """The stack's clusters. Pulumi is asked only when a password of its is needed."""
    if not needed(settings):
        return StackClusters(settings, stack)
    config = PulumiCli().ask("config", "--stack", stack, "--show-secrets", "--json")
    held = {
        key.removeprefix(PREFIX): entry for key, entry in config.items() if key.endswith(SUFFIX)
    }
    secret = [key for key, entry in held.items() if entry.get("secret")]
    given = {key: entry.get("value") or "" for key, entry in held.items()}
    return StackClusters(settings, stack, check_passwords(settings, given, secret, str(file)))
