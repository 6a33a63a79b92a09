"""The passwords of a stack: secrets of its config, each under a key of its own."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping

from mirrorstack.config.clusters import Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError

SUFFIX = "-password"


def needed(settings: StackSettings) -> dict[str, tuple[str, Role]]:
    """By key, whose password it is. Sandboxes know theirs."""
    return {
        password_key(alias, role): (alias, role)
        for alias, cluster in settings.clusters.items()
        if cluster.sandbox is None and cluster.security.has_passwords
        for role in cluster.roles
    }


def _is_leftover(key: str, settings: StackSettings) -> bool:
    """Of a cluster that is there, and that needs it no longer."""
    return any(key == password_key(alias, role) for alias in settings.clusters for role in Role)


def check_passwords(
    settings: StackSettings,
    given: Mapping[str, str],
    secret: Collection[str],
    where: str,
) -> dict[str, str]:
    """The passwords by key. `secret` are the keys that Pulumi keeps encrypted."""
    wanted = needed(settings)
    for key in given:
        if key not in wanted:
            near = (
                [] if _is_leftover(key, settings) else difflib.get_close_matches(key, wanted, n=1)
            )
            raise UserError(
                f"{where}: mirrorstack:{key} is the password of nobody in this stack.",
                f"did you mean `{near[0]}`?" if near else f"remove it: `pulumi config rm {key}`",
            )
        if key not in secret:
            raise UserError(
                f"{where}: mirrorstack:{key} stands there in plain text.",
                f"give that user a new password, then `pulumi config set --secret {key}`",
            )
    for key, (alias, role) in wanted.items():
        if not given.get(key):
            raise UserError(
                f"{where}: mirrorstack:{key} is missing: the password of "
                f"{settings.clusters[alias].principal(role)} on {alias}.",
                f"`pulumi config set --secret {key}` asks for it and keeps it encrypted",
            )
    return dict(given)
