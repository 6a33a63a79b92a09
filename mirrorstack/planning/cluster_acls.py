"""Which ACLs a stack declares on a cluster: who manages them, and whose the existing ones are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mirrorstack.config.clusters import AclMode, ClusterSettings
from mirrorstack.findings import Finding, Severity
from mirrorstack.kafka.acl_bindings import PrincipalAcls
from mirrorstack.kafka.acls import Acl
from mirrorstack.planning.previous_acls import DeployedAcl, PreviousAcls
from mirrorstack.planning.principal_users import OtherUsers, other_users
from mirrorstack.text import and_more

WARNING = Severity.WARNING


@dataclass(frozen=True)
class ClusterAcls:
    """The ACLs of the mirroring principal on one cluster."""

    mode: AclMode
    """In effect: `none` where the brokers have no authorizer."""
    principal: str
    required: tuple[Acl, ...]
    """What MirrorMaker needs."""
    declared: tuple[Acl, ...] = ()
    """The resources of the stack."""
    of_kafka_user: tuple[Acl, ...] = ()
    """Those that the stack sets in the principal's KafkaUser instead."""

    @property
    def retained(self) -> bool:
        """Whether the declared ACLs outlive the stack."""
        return self.mode is not AclMode.MANAGED or bool(self.of_kafka_user)

    def outputs(self, bootstrap_servers: str) -> dict[str, Any]:
        """The ACLs with their reasons; with the commands that create them where the cluster's
        owner has to, or that remove them where the stack leaves them. By ACL, so that a preview
        shows only changes."""
        if self.mode is AclMode.NONE:
            return {}
        result: dict[str, Any] = {
            self.principal: {acl.summary: acl.reason for acl in self.required}
        }
        if self.mode is AclMode.EXPORTED:
            result["commands"] = [
                acl.command(self.principal, bootstrap_servers) for acl in self.required
            ]
        if self.mode is AclMode.SHARED:
            result["removal-commands"] = [
                acl.command(self.principal, bootstrap_servers, remove=True) for acl in self.required
            ]
        return result


@dataclass(frozen=True)
class ClusterAclCheck:
    """What is known about the ACLs of a cluster before a deployment, and what follows from it."""

    alias: str
    settings: ClusterSettings
    principal: str
    """The mirroring principal."""
    required: tuple[Acl, ...]
    existing: PrincipalAcls
    previous: PreviousAcls
    bootstrap_servers: str
    has_members: Callable[[str], bool]
    """Whether a group of the cluster has members."""

    @property
    def acls(self) -> ClusterAcls:
        mode = self.settings.acl_mode if self.existing.has_authorizer else AclMode.NONE
        declared: Sequence[Acl] = self.required
        of_kafka_user: Sequence[Acl] = ()
        if mode is AclMode.MANAGED and self._has_kafka_user:
            of_kafka_user = self.required
        if of_kafka_user or mode not in (AclMode.MANAGED, AclMode.SHARED):
            # Pulumi would delete what MirrorMaker still needs. So they are declared once more, as
            # retained; the deployment after this one removes them from the state only.
            declared = self._leaving if self.settings.administer else ()
        return ClusterAcls(
            mode, self.principal, self.required, tuple(declared), tuple(of_kafka_user)
        )

    def errors(self) -> Iterator[Finding]:
        mode = self.acls.mode
        if not self._has_kafka_user:  # whose owner is in its metadata
            if mode in (AclMode.MANAGED, AclMode.SHARED) and not self.existing.is_known:
                yield self._not_allowed()
            elif mode is AclMode.MANAGED and self._unowned:
                yield self._not_owned()
        if not self.settings.administer and self._leaving:
            yield self._abandoned()

    def warnings(self) -> Iterator[Finding]:
        if not self.existing.has_authorizer and self.settings.acl_mode is not AclMode.NONE:
            yield self._no_authorizer()
        mode = self.acls.mode
        if mode is AclMode.SHARED:
            yield from self._shared()
        elif mode is AclMode.MANAGED and not self._has_kafka_user:
            if not self._unowned:
                yield from self._used_by_others()
        elif self.acls.declared:
            yield self._handed_over()

    @property
    def _has_kafka_user(self) -> bool:
        return self.settings.strimzi is not None

    @property
    def _leaving(self) -> list[Acl]:
        return self.previous.leaving(self.principal, self.required)

    @property
    def _unowned(self) -> list[Acl]:
        """ACLs that the stack needs, and that somebody else created."""
        existing = self.existing.existing(self.required)
        return [acl for acl in existing if not self.previous.owns(self.principal, acl)]

    @property
    def _others(self) -> OtherUsers:
        own = [*self.required, *(each.acl for each in self.previous.on(self.alias))]
        return other_users(self.existing.keys, own, self.has_members)

    def _not_owned(self) -> Finding:
        own = (
            ""
            if self.settings.sandbox is not None
            else f"give this stack its own principal (`principals.mirror` under `{self._key}`), or "
        )
        was_shared = (self.previous.recorded.get(self.alias) or {}).get("mode") == AclMode.SHARED
        whose = (
            "they were `acls: shared` until now"
            if was_shared
            else "another stack, somebody by hand, or a deployment whose state is lost did"
        )
        return self._finding(
            f"User:{self.principal} on {self.alias} already has ACLs that this stack needs and did "
            f"not create for itself alone ({whose}): {self._summaries(self._unowned)}. "
            f"{self._others.text}`pulumi destroy` of one stack would remove them for all users of "
            "the principal, and MirrorMaker does not report that.",
            f"{own}set `acls: shared` under `{self._key}` in each stack that uses the principal; "
            "if nobody else does, delete these ACLs first",
            path=("clusters", self.alias, "acls"),
        )

    def _not_allowed(self) -> Finding:
        return self._finding(
            f"The admin principal on {self.alias} may not describe ACLs, so it cannot create those "
            "of MirrorMaker.",
            "allow it Alter on the cluster, which includes Describe; or set `acls: exported` under "
            f"`{self._key}`, which exports commands for the cluster's owner",
            path=("clusters", self.alias, "principals", "admin"),
        )

    def _abandoned(self) -> Finding:
        return self._finding(
            f"{self.alias} is `administer: false` now: this deployment would delete the ACLs that "
            "the stack created there and MirrorMaker still needs: "
            f"{self._summaries(self._leaving)}.",
            f"deploy `acls: exported` under `{self._key}` first, without `administer`: then they "
            "stay on the cluster",
            path=("clusters", self.alias, "administer"),
        )

    def _no_authorizer(self) -> Finding:
        return self._finding(
            f"The brokers of {self.alias} have no authorizer: no ACLs are declared there, and "
            "every client may read and write everything.",
            f"set `authorizer.class.name` on the brokers; or set `acls: none` under `{self._key}` "
            "if this is intended",
            severity=WARNING,
            path=("clusters", self.alias, "acls"),
        )

    def _shared(self) -> Iterator[Finding]:
        adopted = [acl for acl in self._unowned if not self._is_deployed(acl)]
        if adopted:
            yield self._finding(
                f"User:{self.principal} on {self.alias} already has {self._summaries(adopted)}. "
                f"{self._others.text}These ACLs, and those that this stack adds, stay when the "
                "stack is destroyed.",
                f"set `acls: shared` under `{self._key}` in every other stack that uses the "
                "principal, too: one with `managed` removes them with itself",
                severity=WARNING,
                path=("clusters", self.alias, "acls"),
            )
        kept = [each for each in self.previous.on(self.alias) if not self._is_required(each)]
        if kept and self.alias in self.previous.retained:
            commands = "".join(
                "\n    " + each.acl.command(each.principal, self.bootstrap_servers, remove=True)
                for each in kept
            )
            yield self._finding(
                f"This stack no longer needs {self._summaries([each.acl for each in kept])} on "
                f"{self.alias}. With `acls: shared` they stay on the cluster.",
                f"if no other stack needs them:{commands}",
                severity=WARNING,
                path=("clusters", self.alias, "acls"),
            )

    def _used_by_others(self) -> Iterator[Finding]:
        if groups := self._others.active_groups:
            yield self._finding(
                f"User:{self.principal} on {self.alias} has ACLs on {and_more(groups)}, with "
                "members that are not workers of this stack: another stack seems to use the "
                "principal. `pulumi destroy` of this stack removes ACLs that it needs.",
                f"set `acls: shared` under `{self._key}` in each stack that uses the principal",
                severity=WARNING,
                path=("clusters", self.alias, "acls"),
            )

    def _handed_over(self) -> Finding:
        return self._finding(
            f"The ACLs that this stack created on {self.alias} stay there "
            f"({self._summaries(self.acls.declared)}): this deployment marks them as retained, and "
            "the one after it removes them from the state.",
            severity=WARNING,
            path=("clusters", self.alias, "acls"),
        )

    def _is_deployed(self, acl: Acl) -> bool:
        return self.previous.is_deployed(self.principal, acl)

    def _is_required(self, each: DeployedAcl) -> bool:
        keys = {acl.key for acl in self.required}
        return each.principal == self.principal and each.acl.key in keys

    @property
    def _key(self) -> str:
        return f"mirrorstack:clusters.{self.alias}"

    def _finding(self, message: str, fix: str = "", **fields: Any) -> Finding:
        return Finding(message, fix, cluster=self.alias, **fields)

    @staticmethod
    def _summaries(acls: Sequence[Acl]) -> str:
        return and_more(acl.summary for acl in acls)
