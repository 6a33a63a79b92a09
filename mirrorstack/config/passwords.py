"""The passwords of a stack: secrets of its config, each under its own key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mirrorstack.config.clusters import Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding
from mirrorstack.text import did_you_mean

SUFFIX = "-password"


def needed_passwords(settings: StackSettings) -> dict[str, tuple[str, Role]]:
    """Cluster and role by config key. A sandbox has its own passwords."""
    return {
        password_key(alias, role): (alias, role)
        for alias, cluster in settings.clusters.items()
        if cluster.sandbox is None and cluster.security.has_passwords
        for role in cluster.roles
    }


def check_passwords(
    settings: StackSettings | None, given: Mapping[str, str], secret: Collection[str]
) -> Iterator[Finding]:
    """What is wrong with the passwords by key; `secret` are the keys that are encrypted.

    Without settings (they are invalid) only passwords in plain text are found.
    """
    needed = needed_passwords(settings) if settings else {}
    for key in given:
        if settings and key not in needed:
            remove = f"remove it: `pulumi config rm {key}`"
            # A key of a declared cluster is not mistyped: it is no longer needed.
            known = () if _is_known(key, settings) else needed
            yield Finding.at(
                (key,), "matches no principal in this stack", did_you_mean(key, known, remove)
            )
        elif key not in secret:
            yield Finding.at(
                (key,),
                "the password is in plain text",
                f"give the user a new password, then run `pulumi config set --secret {key}`",
            )
    if settings is None:
        return
    for key, (alias, role) in needed.items():
        if not given.get(key):
            yield Finding.at(
                (key,),
                f"the password of {settings.clusters[alias].principal(role)} on {alias} is missing",
                f"run `pulumi config set --secret {key}`, which asks for it and encrypts it",
                cluster=alias,
            )


def _is_known(key: str, settings: StackSettings) -> bool:
    return any(key == password_key(alias, role) for alias in settings.clusters for role in Role)
