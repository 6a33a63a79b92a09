"""The clusters of one stack: where they are, who we are there, and what they hold."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from mirrorstack.config.clusters import ClusterSettings, Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.local.home import home
from mirrorstack.mm2.replication_policy import HEARTBEATS, matches_any
from mirrorstack.mm2.worker_configs import WorkerGroup
from mirrorstack.planning.plan import HEARTBEATS_TOPIC
from mirrorstack.runtimes.local import credentials_file, remembered_port, secrets_file
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.names import command

# Connect's brokers wait ten seconds for a member that left without a word.
LEAVING_SECONDS, POLL_SECONDS = 15.0, 0.5


class StackClusters:
    """Asks each cluster once, and remembers the answers for one run of the program."""

    def __init__(
        self, settings: StackSettings, stack: str, passwords: Mapping[str, str] | None = None
    ) -> None:
        """`passwords` by key, `<alias>-<role>-password`, for clusters outside of sandboxes."""
        self._settings = settings
        self._stack = stack
        self._passwords = passwords or {}

    def connection(self, alias: str, role: Role) -> Connection:
        cluster = self._settings.clusters[alias]
        if cluster.sandbox is not None:
            return connection(cluster.sandbox, cluster.cluster or alias, role)
        return Connection(
            bootstrap_servers=",".join(cluster.bootstrap_servers or ()),
            username=cluster.principal(role) or "ANONYMOUS",
            password=self._passwords.get(password_key(alias, role), ""),
            protocol=cluster.security.protocol,
            mechanism=cluster.security.mechanism,
            ca_path=_ca_path(alias, cluster),
        )

    def cluster(self, alias: str, role: Role) -> KafkaCluster:
        return KafkaCluster(alias, self.connection(alias, role), self._fix(alias, role))

    def mirror(self, alias: str, at: str) -> ClientAccess:
        """How the workers next to the target `at` reach a cluster; its password by reference."""
        secrets = secrets_file(self.worker_directory(at))
        return self.connection(alias, Role.MIRROR).access(alias, f"${{file:{secrets}:{alias}}}")

    def passwords_at(self, target: str) -> dict[str, str]:
        """What the workers next to a target need to know, by alias: no more than their flows do."""
        sources = [flow.source for flow in self._settings.flows if flow.target == target]
        return {
            alias: self.connection(alias, Role.MIRROR).password
            for alias in dict.fromkeys([target, *sources])
        }

    def worker_directory(self, target: str) -> Path:
        return home() / "workers" / self._stack / target

    def granted(self, alias: str, grants: Iterable[Acl]) -> dict[str, Any]:
        """What is granted to whom on a cluster, and why; where its owner has to, as commands too.

        By grant and not as a list, so that a preview shows only what changes.
        """
        who = self.connection(alias, Role.MIRROR)
        wanted = [grant for grant in grants if grant.cluster == alias]
        result: dict[str, Any] = {who.username: {each.summary: each.reason for each in wanted}}
        if not self._settings.clusters[alias].administer:
            result["commands"] = [g.command(who.username, who.bootstrap_servers) for g in wanted]
        return result

    def rest_port(self, target: str) -> int:
        settings = self._settings.workers_at(target)
        if settings.rest_port is not None:
            return settings.rest_port
        return remembered_port(self.worker_directory(target), settings.count)

    def connect_at(self, target: str) -> dict[str, str]:
        """Where Connect next to a target answers, and who may ask it."""
        return {
            "rest_url": f"http://127.0.0.1:{self.rest_port(target)}",
            "credentials_file": str(credentials_file(self.worker_directory(target))),
        }

    def inventories(self) -> dict[str, Inventory]:
        """What each holds; and whoever is to mirror there can log in, or it ends here."""
        held = self._inventories
        for alias in held:
            self.cluster(alias, Role.MIRROR).connect()
        return held

    def granted_before(self, grants: Sequence[Acl]) -> dict[str, list[Acl]]:
        """By cluster, what its mirroring principal has though this stack has no workers yet: it
        is somebody else's, and would go with this stack."""
        targets = {flow.target for flow in self._settings.flows}
        if any(self._is_deployed(target) for target in targets):
            return {}
        return {
            alias: self._seen[alias].existing_acls(
                self.connection(alias, Role.MIRROR).username,
                [grant for grant in grants if grant.cluster == alias],
            )
            for alias, cluster in self._settings.clusters.items()
            if cluster.administer
        }

    def _is_deployed(self, target: str) -> bool:
        return any(self.worker_directory(target).glob("*/worker.properties"))

    def check_groups(self, workers: Mapping[str, WorkerGroup]) -> None:
        """A Connect group that is at work and not this stack's would take its connectors over."""
        for target, workers_there in workers.items():
            if self._is_deployed(target):
                continue  # they are ours
            # Workers that have just ended, as after a destroy, are members for a moment longer.
            deadline = time.monotonic() + LEAVING_SECONDS
            while is_at_work := self._seen[target].has_members(workers_there.group):
                if time.monotonic() > deadline:
                    break
                time.sleep(POLL_SECONDS)
            if is_at_work:
                raise UserError(
                    f"The Connect group {workers_there.group} is at work on {target}, and not "
                    f"with workers of the stack {self._stack}: they would share connectors and "
                    "offsets.",
                    f"give this stack a group of its own, `group` under "
                    f"`mirrorstack:workers.{target}`; and see that the two do not mirror the same",
                )

    def topics(self, alias: str) -> Mapping[str, TopicDescription]:
        """What a cluster holds, by name."""
        return self._inventories[alias].topics

    def partitions(self, alias: str, topics: Sequence[str]) -> dict[str, int]:
        held = {HEARTBEATS: HEARTBEATS_TOPIC, **self._inventories[alias].topics}
        return {topic: held[topic].partitions for topic in topics}

    def with_records(self, alias: str, topics: Sequence[str]) -> frozenset[str]:
        """Of these topics, the ones that hold records to be mirrored."""
        return self._seen[alias].topics_with_records(self._existing(alias, topics))

    def spans(self, alias: str, topics: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """Of these topics' partitions: the first offset, and the one after the last."""
        return self._seen[alias].offset_spans(self._existing(alias, topics))

    def _existing(self, alias: str, topics: Sequence[str]) -> dict[str, int]:
        held = [topic for topic in topics if topic in self._inventories[alias].topics]
        return self.partitions(alias, held)

    def seen(self, alias: str) -> KafkaCluster:
        """A cluster as who looks at it."""
        return self._seen[alias]

    @cached_property
    def _seen(self) -> dict[str, KafkaCluster]:
        """Each cluster as who looks at it: where we may not administer, we only mirror."""
        return {
            alias: self.cluster(alias, Role.ADMIN if cluster.administer else Role.MIRROR)
            for alias, cluster in self._settings.clusters.items()
        }

    @cached_property
    def _inventories(self) -> dict[str, Inventory]:
        return {alias: self._inventory(alias) for alias in self._seen}

    def _inventory(self, alias: str) -> Inventory:
        patterns = [
            pattern
            for flow in self._settings.flows
            if flow.source == alias
            for pattern in flow.topics
        ]

        synced = [
            flow for flow in self._settings.flows if flow.target == alias and flow.sync_configs
        ]

        def is_wanted(topic: str) -> bool:
            # Heartbeats are mirrored whatever the patterns say.
            if topic.endswith(HEARTBEATS) or matches_any(patterns, topic):
                return True
            return any(flow.policy.may_be_remote(topic) for flow in synced)

        return self._seen[alias].inventory(is_wanted)

    def _fix(self, alias: str, role: Role) -> str:
        cluster = self._settings.clusters[alias]
        if cluster.sandbox is not None:
            return command("up", cluster.sandbox)
        key = password_key(alias, role)
        return (
            f"check clusters.{alias} in the stack file, and that this machine reaches it; a wrong "
            f"password is corrected with `pulumi config set --secret {key}`"
        )


def _ca_path(alias: str, cluster: ClusterSettings) -> Path | None:
    """Absolute: a worker starts in a directory of its own."""
    if cluster.security.ca_file is None:
        return None
    path = Path(cluster.security.ca_file).expanduser().resolve()
    if not path.is_file():
        raise UserError(
            f"clusters.{alias}.security.ca-file is {cluster.security.ca_file}, and {path} is not "
            "there.",
            "name a PEM file, from the project's directory or with its whole path",
        )
    return path
