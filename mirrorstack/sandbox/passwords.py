"""One random password per cluster and principal."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mirrorstack.findings import UserError
from mirrorstack.local.files import write_private
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster, Principal, command


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    version: Literal[1] = 1
    passwords: dict[Cluster, dict[Principal, str]]


@dataclass(frozen=True)
class Passwords:
    """All passwords of a sandbox. Its repr shows none."""

    _by_cluster: dict[Cluster, dict[Principal, str]] = field(repr=False)

    def of(self, cluster: Cluster, principal: Principal) -> str:
        return self._by_cluster[cluster][principal]


def load(layout: Layout) -> Passwords | None:
    if not layout.passwords.is_file():
        return None
    try:
        content = _File.model_validate_json(layout.passwords.read_text(encoding="utf-8"))
        by_cluster = {
            cluster: {principal: content.passwords[cluster][principal] for principal in Principal}
            for cluster in Cluster
        }
    except (ValidationError, KeyError) as error:
        raise UserError(
            f"{layout.passwords} does not hold one password per cluster and principal",
            f"`{command('down', layout.name, '--delete')}` removes this sandbox and its data",
        ) from error
    return Passwords(by_cluster)


def ensure(layout: Layout, *, has_data: bool) -> Passwords:
    """The stored passwords, or new ones while no data depends on old ones."""
    stored = load(layout)
    if stored:
        return stored
    if has_data:
        raise UserError(
            f"{layout.passwords} is missing, but the clusters' data was created with its passwords",
            f"`{command('reset', layout.name)}` starts empty clusters with new passwords",
        )
    # Hexadecimal, because JAAS, .properties files and the arguments of Kafka's tools each quote
    # differently.
    new = {
        cluster: {principal: secrets.token_hex(24) for principal in Principal}
        for cluster in Cluster
    }
    write_private(layout.passwords, _File(passwords=new).model_dump_json(indent=2) + "\n")
    return Passwords(new)
