"""Deleting a connector, also from a Connect cluster whose workers are gone for good.

After a reboot, or when somebody has deleted the workers, nobody answers Connect's REST API. The
connector must be deleted all the same: it would come back to life with the next workers of the same
group. That is safe only while the group has no members, as its target cluster knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.config_topic import delete_from_config_topic, is_in_config_topic
from mirrorstack.connect.protocol import ConnectUnreachableError
from mirrorstack.findings import UserError
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.local.polling import poll_until

# A killed worker is a member until its session times out, Connect's default of 10 s; and a worker
# that its runtime restarts takes as long to answer.
MEMBERS_SECONDS, POLL_SECONDS = 40.0, 1.0


@dataclass(frozen=True)
class ConnectGroup:
    """The group of a Connect cluster's workers, on its target cluster."""

    cluster: KafkaCluster
    group: str
    configs_topic: str


def delete_connector(
    client: ConnectClient, name: str, find_group: Callable[[], ConnectGroup | None]
) -> None:
    """Through Connect; where that does not respond and has no workers, in its config topic.

    `find_group` returns None where the group is not known.
    """
    try:
        client.delete(name)
    except ConnectUnreachableError as unreachable:
        group = find_group()
        if group is None:
            raise _still_there(unreachable) from None
        _delete_without_workers(client, name, group, unreachable)


def _delete_without_workers(
    client: ConnectClient, name: str, group: ConnectGroup, unreachable: ConnectUnreachableError
) -> None:
    """Until Connect responds after all, or its group has no members."""

    def deletes() -> bool:
        try:
            client.delete(name)
        except ConnectUnreachableError:
            if group.cluster.has_members(group.group):
                # Other workers of the group, which do not know the connector by this name.
                return not is_in_config_topic(group.cluster, group.configs_topic, name)
            delete_from_config_topic(group.cluster, group.configs_topic, name)
        return True

    try:
        group.cluster.connect()
    except UserError as error:
        raise UserError(
            f"connector {name} cannot be deleted: {unreachable.message}; {error.message}",
            f"{group.cluster.fix}; if the cluster no longer exists, remove the connector from the "
            "state: `pulumi state delete <urn>`",
            connector=name,
            cluster=group.cluster.alias,
        ) from None
    poll_until(
        deletes,
        deadline=time.monotonic() + MEMBERS_SECONDS,
        on_timeout=lambda: _still_there(unreachable, group),
        interval=POLL_SECONDS,
    )


def _still_there(
    unreachable: ConnectUnreachableError, group: ConnectGroup | None = None
) -> UserError:
    members = f", but the group {group.group} has members" if group else ""
    return UserError(
        f"{unreachable.message}{members}",
        "start the workers; or, if that Connect cluster no longer exists, remove the connector "
        "from the state: `pulumi state delete <urn>`",
    )
