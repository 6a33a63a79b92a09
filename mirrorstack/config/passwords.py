"""The passwords and tokens of a stack: secrets of its config, each under its own key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from mirrorstack.config.clusters import Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.workers import (
    RestAuthentication,
    RuntimeName,
    WorkerMode,
    connect_password_key,
    connect_token_key,
)
from mirrorstack.findings import Finding
from mirrorstack.text import did_you_mean

SUFFIXES = ("-password", "-token")


@dataclass(frozen=True)
class NeededPassword:
    cluster: str
    """Its alias."""
    what: str
    """As in `the password of platform on east`."""


def needed_passwords(settings: StackSettings) -> dict[str, NeededPassword]:
    """By config key. A sandbox has its own passwords."""
    return {
        password_key(alias, role): NeededPassword(
            alias, f"the password of {cluster.principal(role)} on {alias}"
        )
        for alias, cluster in settings.clusters.items()
        if cluster.sandbox is None and cluster.security.has_passwords
        for role in cluster.roles
    }


def needed_logins(settings: StackSettings) -> dict[str, NeededPassword]:
    """By config key, for REST APIs whose password the stack's config holds."""
    needed = {}
    for target, workers in settings.workers.items():
        api, security = f"Connect's REST API at {target}", workers.rest_security
        if workers.mode is WorkerMode.DEDICATED:
            continue
        if workers.runtime in (RuntimeName.DOCKER, RuntimeName.KUBERNETES):
            what = f"a password of your choice for {api}"
            needed[connect_password_key(target)] = NeededPassword(target, what)
        elif security.authentication is RestAuthentication.BASIC:
            what = f"the password of {security.username} for {api}"
            needed[connect_password_key(target)] = NeededPassword(target, what)
        elif security.authentication is RestAuthentication.BEARER:
            needed[connect_token_key(target)] = NeededPassword(target, f"the token for {api}")
    return needed


def check_passwords(
    settings: StackSettings | None, given: Mapping[str, str], secret: Collection[str]
) -> Iterator[Finding]:
    """What is wrong with the passwords by key; `secret` are the keys that are encrypted.

    Without settings (they are invalid) only passwords in plain text are found.
    """
    needed = {**needed_passwords(settings), **needed_logins(settings)} if settings else {}
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
    for key, password in needed.items():
        if not given.get(key):
            yield Finding.at(
                (key,),
                f"{password.what} is missing",
                f"run `pulumi config set --secret {key}`, which asks for it and encrypts it",
                cluster=password.cluster,
            )


def _is_known(key: str, settings: StackSettings) -> bool:
    of_roles = (password_key(alias, role) for alias in settings.clusters for role in Role)
    of_workers = (
        name(target)
        for target in settings.clusters
        for name in (connect_password_key, connect_token_key)
    )
    return key in (*of_roles, *of_workers)
