"""Who manages the ACLs of a cluster, and what a deployment may not do to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from mirrorstack.config.clusters import AclMode, ClusterSettings
from mirrorstack.findings import Finding
from mirrorstack.kafka.acl_bindings import AclKey, PrincipalAcls, acl_key
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.planning.cluster_acls import ClusterAclCheck, ClusterAcls
from mirrorstack.planning.previous_acls import DeployedAcl, PreviousAcls, acl_record

READ, WRITE = (
    Acl("west", ResourcePattern(ResourceType.TOPIC, "orders"), operation, "it does")
    for operation in (Operation.READ, Operation.WRITE)
)
EXISTING = PrincipalAcls(frozenset({acl_key(READ)}))
DEPLOYED = frozenset({DeployedAcl("mirror", READ), DeployedAcl("mirror", WRITE)})
MANAGED = PreviousAcls(
    DEPLOYED, recorded={"west": acl_record(AclMode.MANAGED, "mirror", [READ, WRITE])}
)
SHARED = PreviousAcls(
    DEPLOYED,
    retained=frozenset({"west"}),
    recorded={"west": acl_record(AclMode.SHARED, "mirror", [READ, WRITE])},
)


def check(
    acls: str | None = None,
    *,
    existing: PrincipalAcls | None = None,
    previous: PreviousAcls | None = None,
    **settings: Any,
) -> ClusterAclCheck:
    return ClusterAclCheck(
        alias="west",
        settings=ClusterSettings.model_validate({"acls": acls, **settings}),
        principal="mirror",
        required=(READ, WRITE),
        existing=existing or PrincipalAcls(),
        previous=previous or PreviousAcls(),
        bootstrap_servers="west:9093",
        has_members=lambda group: group == "theirs",
    )


def error(found: ClusterAclCheck) -> Finding:
    (finding,) = found.errors()
    return finding


class TestManaged:
    def test_all_acls_are_declared_and_deleted_with_the_stack(self) -> None:
        acls = check().acls

        assert acls == ClusterAcls(AclMode.MANAGED, "mirror", (READ, WRITE), (READ, WRITE))
        assert not acls.retained
        assert acls.outputs("west:9093") == {
            "mirror": {"Read on Topic orders": "it does", "Write on Topic orders": "it does"}
        }

    def test_an_acl_that_somebody_else_created_is_an_error_that_names_the_other_user(self) -> None:
        keys = {acl_key(READ), AclKey("group", "theirs", "literal", "read")}

        finding = error(check(existing=PrincipalAcls(frozenset(keys))))

        assert "User:mirror on west already has ACLs" in finding.message
        assert "Read on Topic orders. Its other ACLs are for groups with members theirs." in (
            finding.message
        )
        assert "its own principal (`principals.mirror` under `mirrorstack:clusters.west`)" in (
            finding.fix
        )
        assert "`acls: shared`" in finding.fix
        assert finding.path == ("clusters", "west", "acls")

    def test_principals_of_a_sandbox_cannot_be_changed(self) -> None:
        assert "own principal" not in error(check(existing=EXISTING, sandbox="default")).fix

    def test_its_own_acls_are_accepted(self) -> None:
        own = check(existing=EXISTING, previous=MANAGED)

        assert list(own.errors()) == list(own.warnings()) == []

    def test_acls_that_were_shared_stay_shared(self) -> None:
        finding = error(check(existing=EXISTING, previous=SHARED))

        assert "they were `acls: shared` until now" in finding.message

    def test_workers_of_another_stack_with_the_principal_are_a_warning(self) -> None:
        """A second stack that is `shared` does not protect the first one, which is not."""
        keys = {acl_key(READ), AclKey("group", "theirs", "literal", "read")}

        (warning,) = check(existing=PrincipalAcls(frozenset(keys)), previous=MANAGED).warnings()

        assert "ACLs on theirs, with members that are not workers of this stack" in warning.message

    def test_an_admin_that_may_not_describe_acls_is_an_error(self) -> None:
        finding = error(check(existing=PrincipalAcls(is_known=False)))

        assert "may not describe ACLs" in finding.message
        assert "`acls: exported`" in finding.fix


class TestShared:
    def test_acls_outlive_the_stack_and_the_output_has_commands_that_remove_them(self) -> None:
        acls = check("shared").acls

        assert acls.declared == (READ, WRITE)
        assert acls.retained
        read, write = acls.outputs("west:9093")["removal-commands"]
        assert "--remove --force --allow-principal User:mirror --operation Read" in read
        assert "--operation Write" in write

    def test_acls_that_existed_before_are_a_warning_once(self) -> None:
        first = check("shared", existing=EXISTING)
        second = check("shared", existing=EXISTING, previous=SHARED)

        (warning,) = first.warnings()
        assert "already has Read on Topic orders" in warning.message
        assert "in every other stack" in warning.fix
        assert list(second.warnings()) == list(first.errors()) == []

    def test_acls_that_the_stack_no_longer_needs_stay_with_the_command_that_removes_them(
        self,
    ) -> None:
        less = replace(check("shared", previous=SHARED), required=(READ,))

        (warning,) = less.warnings()

        assert "no longer needs Write on Topic orders on west" in warning.message
        assert "--remove --force" in warning.fix

    def test_acls_of_the_previous_principal_stay(self) -> None:
        renamed = replace(check("shared", previous=SHARED), principal="renamed")

        (warning,) = renamed.warnings()

        assert "--allow-principal User:mirror" in warning.fix


class TestWithoutDeclaredAcls:
    def test_the_owner_gets_commands(self) -> None:
        acls = check("exported", existing=EXISTING).acls

        assert acls.declared == ()
        assert [command.split()[5] for command in acls.outputs("west:9093")["commands"]] == [
            "--add",
            "--add",
        ]

    def test_none_exports_nothing(self) -> None:
        acls = check("none").acls

        assert (acls.declared, acls.outputs("west:9093")) == ((), {})

    @pytest.mark.parametrize("acls", ["exported", "none"])
    def test_acls_that_the_stack_created_are_retained_first_and_dropped_later(
        self, acls: str
    ) -> None:
        first = check(acls, existing=EXISTING, previous=MANAGED)
        marked = replace(MANAGED, retained=frozenset({"west"}))
        second = check(acls, existing=EXISTING, previous=marked)

        assert (first.acls.declared, first.acls.retained) == ((READ, WRITE), True)
        (warning,) = first.warnings()
        assert "stay there" in warning.message
        assert second.acls.declared == ()
        assert list(second.warnings()) == list(first.errors()) == []

    def test_a_cluster_that_is_no_longer_administered_is_refused_while_its_acls_would_be_deleted(
        self,
    ) -> None:
        finding = error(check(previous=MANAGED, administer=False))

        assert "would delete the ACLs" in finding.message
        assert "deploy `acls: exported`" in finding.fix
        assert list(check(previous=SHARED, administer=False).errors()) == []


class TestWithoutAuthorizer:
    NOTHING = PrincipalAcls(has_authorizer=False)

    @pytest.mark.parametrize("acls", [None, "shared", "exported"])
    def test_no_acls_are_declared_or_exported_and_one_warning_says_so(
        self, acls: str | None
    ) -> None:
        found = check(acls, existing=self.NOTHING)

        assert found.acls == ClusterAcls(AclMode.NONE, "mirror", (READ, WRITE))
        assert found.acls.outputs("west:9093") == {}
        (warning,) = found.warnings()
        assert warning.severity == "warning"
        assert "brokers of west have no authorizer" in warning.message
        assert list(found.errors()) == []

    def test_it_is_not_mentioned_where_the_stack_file_says_it(self) -> None:
        assert list(check("none", existing=self.NOTHING).warnings()) == []

    def test_acls_in_the_state_are_not_deleted_which_would_fail(self) -> None:
        acls = check(existing=self.NOTHING, previous=MANAGED).acls

        assert (acls.declared, acls.retained) == ((READ, WRITE), True)


class TestKafkaUser:
    """On a cluster of Strimzi's."""

    STRIMZI: ClassVar[dict[str, Any]] = {"strimzi": {"cluster": "my-cluster"}}

    def test_all_acls_are_those_of_the_kafka_user(self) -> None:
        acls = check(**self.STRIMZI).acls

        assert acls == ClusterAcls(AclMode.MANAGED, "mirror", (READ, WRITE), (), (READ, WRITE))

    def test_acls_that_exist_are_the_operator_s(self) -> None:
        """Whose they are is in the KafkaUser."""
        found = check(existing=EXISTING, **self.STRIMZI)

        assert list(found.errors()) == list(found.warnings()) == []

    def test_an_admin_need_not_describe_acls(self) -> None:
        assert not list(check(existing=PrincipalAcls(is_known=False), **self.STRIMZI).errors())

    def test_acls_of_the_stack_are_handed_over_to_the_operator(self) -> None:
        """Pulumi would delete them after the operator has found that they exist."""
        found = check(existing=EXISTING, previous=MANAGED, **self.STRIMZI)

        assert found.acls.declared == (READ, WRITE)
        assert found.acls.retained
        (warning,) = found.warnings()
        assert "marks them as retained" in warning.message

    @pytest.mark.parametrize("acls", ["exported", "none"])
    def test_the_owner_may_set_them(self, acls: str) -> None:
        assert check(acls, **self.STRIMZI).acls.of_kafka_user == ()

    def test_without_an_authorizer_there_are_none(self) -> None:
        existing = PrincipalAcls(has_authorizer=False)

        assert check(existing=existing, **self.STRIMZI).acls.of_kafka_user == ()
