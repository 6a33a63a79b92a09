"""Checks before a deployment, and what it declares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, UserError
from mirrorstack.kafka.acls import Operation
from mirrorstack.planning.deployment import Deployment
from mirrorstack.planning.preflight import preflight
from mirrorstack.planning.previous_acls import PreviousAcls
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.runtimes.base import DeployedWorkers
from tests.unit.planning.fake_clusters import FakeClusters, Held, holding, stack_settings
from tests.unit.planning.strimzi_stack import operated_stack

DEPLOYED = PreviousState(
    {"west": DeployedWorkers("west", ("mirrorstack-west",), "http://127.0.0.1:18500")}
)


def prepared(
    home: Path, settings: StackSettings | None = None, held: Held | None = None, **more: Any
) -> Deployment:
    chosen = settings or stack_settings()
    return preflight(chosen, FakeClusters(chosen, held), stack="dev", home=home, **more)


def test_a_preview_writes_nothing_to_disk(tmp_path: Path) -> None:
    prepared(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_two_previews_are_equal(tmp_path: Path) -> None:
    assert prepared(tmp_path) == prepared(tmp_path)


def test_an_override_of_a_key_that_the_flow_sets_is_refused(tmp_path: Path) -> None:
    """Also for programs that embed the components, which read no stack file."""
    override = {"source": {"replication.policy.class": "com.example.Policy"}}
    flow = {"from": "east", "to": "west", "topics": ["orders"], "override": override}

    with pytest.raises(UserError, match=r"replication\.policy\.class cannot be overridden"):
        prepared(tmp_path, stack_settings(flow))


class TestConnectGroup:
    HELD = Held(active_groups=frozenset({"mirrorstack-west"}))

    def test_a_group_with_members_of_another_stack_is_refused(
        self, tmp_path: Path, clock: list[float]
    ) -> None:
        with pytest.raises(UserError, match="group mirrorstack-west on west has members") as raised:
            prepared(tmp_path, held=self.HELD)

        assert "`group` under `mirrorstack:workers.west`" in raised.value.fix
        assert sum(clock) >= 15, "workers that have just ended are members for a while"

    @pytest.mark.usefixtures("clock")
    def test_the_error_carries_the_warnings(self, tmp_path: Path) -> None:
        held = Held(active_groups=self.HELD.active_groups, without_authorizer=frozenset({"east"}))

        with pytest.raises(UserError) as raised:
            prepared(tmp_path, held=held)

        assert [each.severity for each in raised.value.findings] == ["error", "warning"]

    def test_a_group_of_this_stack_is_accepted(self, tmp_path: Path) -> None:
        assert prepared(tmp_path, held=self.HELD, previous=DEPLOYED)

    @pytest.mark.usefixtures("clock")
    def test_the_state_of_another_group_is_not_enough(self, tmp_path: Path) -> None:
        renamed = stack_settings(workers={"west": {"group": "other"}})
        held = Held(active_groups=frozenset({"other"}))

        with pytest.raises(UserError, match="group other on west has members"):
            prepared(tmp_path, renamed, held, previous=DEPLOYED)


class TestAcls:
    def test_acls_of_somebody_else_are_one_error(self, tmp_path: Path) -> None:
        deployment = prepared(tmp_path)
        held = Held(
            acls=[acl for each in deployment.clusters.values() for acl in each.acls.required]
        )

        with pytest.raises(UserError) as raised:
            prepared(tmp_path, held=held)

        assert [(each.severity, each.cluster) for each in raised.value.findings] == [
            ("error", "east"),
            ("error", "west"),
        ]

    def test_the_stack_s_own_acls_are_none(self, tmp_path: Path) -> None:
        deployment = prepared(tmp_path)
        held = Held(acls=deployment.clusters["east"].acls.required)
        previous = replace(DEPLOYED, acls=PreviousAcls(recorded=deployment.record.acls))

        assert prepared(tmp_path, held=held, previous=previous).warnings == ()

    def test_a_cluster_without_an_authorizer_is_a_warning(self, tmp_path: Path) -> None:
        deployment = prepared(tmp_path, held=Held(without_authorizer=frozenset({"west"})))

        (warning,) = deployment.warnings
        assert warning.message.startswith("The brokers of west have no authorizer")
        assert deployment.clusters["west"].acls.declared == ()
        assert deployment.clusters["east"].acls.declared

    def test_nothing_is_asked_where_the_stack_file_says_that_there_are_no_acls(
        self, tmp_path: Path
    ) -> None:
        clusters = {
            "east": {"sandbox": "default"},
            "west": {"sandbox": "default", "acls": "none"},
        }
        held = Held(without_authorizer=frozenset({"west"}))

        assert prepared(tmp_path, stack_settings(clusters=clusters), held).warnings == ()


def test_deployed_workers_keep_their_port(tmp_path: Path) -> None:
    deployment = prepared(tmp_path, previous=DEPLOYED)

    assert deployment.workers["west"].placement.rest_url == "http://127.0.0.1:18500"
    assert deployment.record.connectors["east-to-west-source"]["rest_url"].endswith(":18500")


def test_an_error_of_the_plan_carries_the_cycles_between_flows(tmp_path: Path) -> None:
    """Creating the missing topic, as the error advises, would close the cycle."""
    back_and_forth = stack_settings(
        {"from": "east", "to": "west", "topics": ["orders"], "naming": "identity"},
        {"from": "west", "to": "east", "topics": ["orders"], "naming": "identity"},
    )

    with pytest.raises(UserError, match="matches no topic on west") as raised:
        prepared(tmp_path, back_and_forth)

    assert [(each.severity, each.rule) for each in raised.value.findings] == [
        ("error", ""),
        ("warning", "no-replication-cycles"),
    ]


class TestAlterThatIsWithheld:
    def deployment(self, home: Path, acls: str, held: Held) -> Deployment:
        clusters = {"east": {"sandbox": "a"}, "west": {"sandbox": "a", "acls": acls}}
        return prepared(home, stack_settings(clusters=clusters), held)

    def test_the_preview_says_what_happens_when_partitions_are_added(self, tmp_path: Path) -> None:
        inventories = {"east": holding("orders"), "west": holding("east.orders")}
        held = Held(inventories, denied=frozenset({Operation.ALTER}))

        (warning,) = self.deployment(tmp_path, "exported", held).warnings

        assert "no Alter on east.orders of west" in warning.message
        assert "RUNNING, and replicate nothing" in warning.message
        assert "--operation Alter --topic 'east.'" in warning.fix

    def test_a_deployment_does_not_wait_for_it(self, tmp_path: Path) -> None:
        def alter(acls: str) -> bool:
            west = self.deployment(tmp_path, acls, Held()).clusters["west"]
            return any(each.operation is Operation.ALTER for each in west.permissions)

        assert alter("managed")
        assert not alter("exported")

    def test_there_is_no_warning_where_the_principal_has_it(self, tmp_path: Path) -> None:
        assert self.deployment(tmp_path, "exported", Held()).warnings == ()


class TestClustersOfStrimzi:
    def test_what_kubernetes_answers_is_an_error_of_the_preview(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        finding = Finding.at(("clusters", "west", "acls"), "belongs to flux")

        with pytest.raises(UserError, match="belongs to flux"):
            operated_stack(tmp_path, monkeypatch, found=(finding,))

    def test_acls_are_those_of_the_kafka_user(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clusters = operated_stack(tmp_path, monkeypatch).clusters

        assert clusters["west"].acls.of_kafka_user
        assert clusters["west"].acls.declared == ()
        assert clusters["west"].strimzi is not None
        assert clusters["west"].strimzi.field_manager == "mirrorstack-dr"
        assert clusters["east"].acls.declared
        assert clusters["east"].strimzi is None
