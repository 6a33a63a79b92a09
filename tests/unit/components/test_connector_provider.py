"""The connector's dynamic provider: check, read and delete."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pulumi.output import Unknown
from pulumi.runtime.rpc import UNKNOWN

from components.cluster_props import cluster_props
from components.connector_provider import UNREACHABLE, ConnectorProvider
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.config import HIDDEN
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.removal import ConnectGroup
from mirrorstack.findings import UserError
from mirrorstack.planning.stall_facts import StallInspector
from tests.loopback import refused_connections
from tests.unit.components.test_connector import TARGET
from tests.unit.connect.scripted import Script

FindGroup = Callable[[], ConnectGroup | None]
ORDERS = "/connectors/orders"
CONFIG = {"connector.class": "org.example.Mirror", "tasks.max": "2"}
VALIDATE = "PUT /connector-plugins/org.example.Mirror/config/validate"
provider = ConnectorProvider()


@pytest.fixture
def props(connect: Script) -> dict[str, Any]:
    """A connector as declared, in the state and live."""
    connect[f"GET {ORDERS}/config"] = (200, CONFIG | {"name": "orders"})
    connect[f"GET {ORDERS}/status"] = live("RUNNING")
    connect[VALIDATE] = (200, {"configs": []})
    return {
        "rest_url": connect.url,
        "name": "orders",
        "config": CONFIG,
        "state": "running",
        "expect": Expectation().encoded(),
        "ready_within": 300.0,
        "provider_version": "1",
        "__provider": "pickle",
    }


def live(state: str) -> tuple[int, dict[str, Any]]:
    return 200, {"connector": {"state": state}, "tasks": []}


def test_its_pickle_is_a_reference() -> None:
    assert len(pickle.dumps(provider)) < 80
    assert provider.serialize_as_secret_always is False


class TestCheck:
    def test_values_become_strings(self, props: dict[str, Any]) -> None:
        news = props | {"config": CONFIG | {"tasks.max": 2.0, "topics": None}, "ca_file": None}

        result = provider.check({}, news)

        assert result.inputs == props
        assert result.failures == []

    @pytest.mark.parametrize(
        "unknown",
        [{"rest_url": UNKNOWN}, {"config": CONFIG | {"topics": UNKNOWN}}, {"config": UNKNOWN}],
    )
    def test_unknown_values_are_passed_on_unchecked(
        self, connect: Script, props: dict[str, Any], unknown: dict[str, Any]
    ) -> None:
        result = provider.check({}, props | unknown)

        assert result.inputs == props | unknown
        assert result.failures == []
        assert connect.asked == []

    def test_the_sdk_s_unknown_object_never_becomes_a_string(
        self, connect: Script, props: dict[str, Any]
    ) -> None:
        unknown = Unknown()  # type: ignore[no-untyped-call]

        result = provider.check({}, props | {"config": CONFIG | {"topics": unknown}})

        assert result.inputs["config"]["topics"] == UNKNOWN

    def test_known_values_are_checked_next_to_unknown_ones(self, props: dict[str, Any]) -> None:
        result = provider.check({}, props | {"rest_url": UNKNOWN, "state": "off"})

        assert [failure.reason[:14] for failure in result.failures] == ["state is 'off'"]

    def test_a_secret_in_plain_text_reaches_no_worker(
        self, connect: Script, props: dict[str, Any]
    ) -> None:
        news = props | {"config": CONFIG | {"a.password": "hunter2"}}

        (failure,) = provider.check({}, news).failures

        assert failure.property == "", "the engine prints the value of a property that is named"
        assert connect.asked == []

    def test_credentials_that_are_yet_to_be_written_are_not_needed(
        self, connect: Script, props: dict[str, Any], tmp_path: Path
    ) -> None:
        news = props | {"credentials_file": str(tmp_path / "later")}

        assert provider.check({}, news).failures == []
        assert connect.asked == []

    @pytest.mark.parametrize(
        "unknown",
        [
            {"rest_url": UNKNOWN},
            {"credentials_file": "/no/such/file"},
            {"rest_url": UNKNOWN, "topics": UNKNOWN},
        ],
    )
    def test_without_a_worker_the_catalogue_checks_known_values(
        self, props: dict[str, Any], unknown: dict[str, Any]
    ) -> None:
        config = {
            "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
            "source.cluster.alias": "east",
            "source.cluster.bootstrap.servers": "east:9092",
            "target.cluster.bootstrap.servers": "west:9092",
            "topics": unknown.pop("topics", "orders"),
            "task.max": 2.0,
        }

        (failure,) = provider.check({}, props | unknown | {"config": config}).failures

        assert failure.reason.endswith("did you mean `tasks.max`?")


class TestRead:
    def test_drift_is_in_the_outputs_and_in_the_inputs(
        self, connect: Script, props: dict[str, Any]
    ) -> None:
        changed = CONFIG | {"tasks.max": "1", "a.password": "hunter2"}
        connect[f"GET {ORDERS}/config"] = (200, changed | {"name": "orders"})
        connect[f"GET {ORDERS}/status"] = live("PAUSED")

        result = provider.read("orders", props)

        assert result.outs is not None
        assert result.outs["config"] == changed | {"a.password": HIDDEN}
        assert result.outs["state"] == "paused"
        assert result.inputs == result.outs
        assert result.id == "orders"

    @pytest.mark.parametrize("state", ["UNASSIGNED", "RESTARTING"])
    def test_a_transient_state_is_no_drift(
        self, connect: Script, props: dict[str, Any], state: str
    ) -> None:
        connect[f"GET {ORDERS}/status"] = live(state)

        result = provider.read("orders", props)

        assert result.outs is not None
        assert result.outs["state"] == "running"

    def test_a_deleted_connector_has_no_id(self, connect: Script, props: dict[str, Any]) -> None:
        del connect.answers[f"GET {ORDERS}/config"]

        result = provider.read("orders", props)

        assert (result.id, result.outs) == (None, {})

    def test_an_unreachable_worker_is_drift_and_not_a_deletion(self, props: dict[str, Any]) -> None:
        with refused_connections() as url:
            result = provider.read("orders", props | {"rest_url": url})

        assert result.id == "orders"
        assert result.outs is not None
        assert (result.outs["state"], result.outs["config"]) == (UNREACHABLE, CONFIG)
        assert result.inputs == result.outs


class TestDelete:
    def test_deleting_an_absent_connector_succeeds(self, props: dict[str, Any]) -> None:
        provider.delete("orders", props)

    @pytest.mark.parametrize("status", [400, 401])
    def test_any_other_error_of_a_deletion_raises(
        self, connect: Script, props: dict[str, Any], status: int
    ) -> None:
        connect[f"DELETE {ORDERS}"] = (status, {"message": "no"})

        with pytest.raises(UserError, match=f"{status}: no"):
            provider.delete("orders", props)

    def test_without_workers_and_without_a_known_group_it_is_an_error(
        self, props: dict[str, Any]
    ) -> None:
        with refused_connections() as url, pytest.raises(UserError) as raised:
            provider.delete("orders", props | {"rest_url": url})

        assert "no Connect worker responds" in raised.value.message
        assert "pulumi state delete" in raised.value.fix

    def test_a_password_that_is_gone_with_the_workers_is_not_needed(
        self, props: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Dedicated mode has no REST API, and so no password for one."""
        deleted: list[str] = []
        monkeypatch.setattr(
            "components.connector_provider.delete_connector",
            lambda _client, name, _find: deleted.append(name),
        )

        login = {"username": "mirrorstack", "password_key": "west-connect-password"}
        provider.delete("orders", {**props, **login})

        assert deleted == ["orders"]

    def test_without_workers_the_config_topic_of_their_group_is_used(
        self, props: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        asked: list[ConnectGroup | None] = []

        def delete(_client: ConnectClient, name: str, find: FindGroup) -> None:
            assert name == "orders"
            asked.append(find())

        monkeypatch.setattr("components.connector_provider.delete_connector", delete)
        cluster = cluster_props(TARGET.cluster, TARGET.password)
        target = {"cluster": cluster, "group": "g", "configs_topic": "g-configs"}
        # The files of the worker may be gone as well.
        gone = {"credentials_file": str(tmp_path / "gone")}

        provider.delete("orders", props | gone | {"target": target})

        (group,) = asked
        assert group is not None
        assert (group.group, group.configs_topic, group.cluster.alias) == ("g", "g-configs", "west")


def test_stalls_are_inspected_where_both_clusters_are_known(props: dict[str, Any]) -> None:
    cluster = cluster_props(TARGET.cluster, TARGET.password)
    target = {"cluster": cluster, "group": "g", "configs_topic": "g-configs"}

    inspector = provider._stalls(props | {"source": cluster, "target": target})

    assert isinstance(inspector, StallInspector)
    assert (inspector.target.alias, inspector.config) == ("west", CONFIG)
    assert provider._stalls(props) is None
