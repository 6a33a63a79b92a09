"""Who else uses a principal, as far as its ACLs show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mirrorstack.kafka.acl_bindings import AclKey, acl_key
from mirrorstack.kafka.acls import Acl
from mirrorstack.text import and_more

SHOWN = 3
LOOKED_UP = 20
"""Groups whose members are asked for: one request each."""


@dataclass(frozen=True)
class OtherUsers:
    """What the ACLs name that a stack does not need."""

    active_groups: tuple[str, ...] = ()
    """Groups with members, such as the workers of another Connect cluster."""
    groups: tuple[str, ...] = ()
    transactional_ids: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """A sentence with a space after it; empty if the ACLs name nothing."""
        named = {
            "groups with members": self.active_groups,
            "groups": self.groups,
            "transactional ids": self.transactional_ids,
            "topics": self.topics,
        }
        parts = [f"{kind} {and_more(names, shown=SHOWN)}" for kind, names in named.items() if names]
        return f"Its other ACLs are for {'; '.join(parts)}. " if parts else ""


def other_users(
    keys: Iterable[AclKey], own: Iterable[Acl], has_members: Callable[[str], bool]
) -> OtherUsers:
    """`keys`: all ACLs of the principal; `own`: those that this stack needs or needed."""
    own_names = {acl_key(acl)[:2] for acl in own}
    others = sorted(key for key in keys if key[:2] not in own_names)

    def named(kind: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_text(key) for key in others if key.type == kind))

    exact = [key.name for key in others if key.type == "group" and key.pattern == "literal"]
    looked_up = [name for name in dict.fromkeys(exact) if name != "*"][:LOOKED_UP]
    active = tuple(name for name in looked_up if has_members(name))
    return OtherUsers(
        active_groups=active,
        groups=tuple(name for name in named("group") if name not in active),
        transactional_ids=named("transactionalid"),
        topics=named("topic"),
    )


def _text(key: AclKey) -> str:
    return f"{key.name}*" if key.pattern == "prefixed" else key.name
