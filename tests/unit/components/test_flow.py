"""The connectors of one flow."""

from __future__ import annotations

from components.flow import MirrorFlow, MirrorFlowArgs
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.mm2.connector_configs import ConnectorConfig, ConnectorKind
from mirrorstack.planning.deployment import FlowDeployment
from tests.unit.components.declaring import Declared, Registration, declare
from tests.unit.components.test_connector import SOURCE, TARGET

FLOW = FlowDeployment(
    name="east-to-west",
    source="east",
    target="west",
    state="paused",
    connectors=tuple(
        ConnectorConfig(f"east-to-west-{kind}", kind, {"connector.class": kind.java_class})
        for kind in ConnectorKind
    ),
    offsets=OffsetsLocation("mirrorstack-west-offsets", "east-to-west-source"),
    tasks=2,
    target_topics=(),
    partitions={"orders": 3},
    new_topics=("orders",),
    with_records=frozenset({"orders"}),
)


def flow() -> Declared:
    args = MirrorFlowArgs(
        flow=FLOW,
        source=SOURCE,
        target=TARGET,
        rest_url="http://127.0.0.1:1",
        login=RestLogin(credentials_file="/login.json"),
    )
    return declare(lambda: MirrorFlow("flow", args))


def test_each_connector_is_a_child_of_the_flow_with_its_state_and_worker() -> None:
    declared = flow()

    assert set(declared.resources) == {"flow", "flow-source", "flow-checkpoint", "flow-heartbeat"}
    for connector in declared.of_type(":Connector"):
        assert connector.parent == "flow"
        assert connector.inputs["state"] == "paused"
        assert connector.inputs["rest_url"] == "http://127.0.0.1:1"
        assert connector.inputs["credentials_file"] == "/login.json"
        assert connector.inputs["target"]["group"] == "mirrorstack-west"


def expectation(connector: Registration) -> Expectation:
    return Expectation.decoded(connector.inputs["expect"])


def test_only_the_source_connector_must_move_records() -> None:
    resources = flow().resources

    assert expectation(resources["flow-source"]).partitions == {"orders": 3}
    assert resources["flow-source"].inputs["new_topics"] == ["orders"]
    for kind in ("checkpoint", "heartbeat"):
        inputs = resources[f"flow-{kind}"].inputs
        assert inputs["new_topics"] == []
        assert not inputs.get("source")
        assert expectation(resources[f"flow-{kind}"]).partitions is None


def test_a_checkpoint_connector_may_have_no_task() -> None:
    resources = flow().resources

    assert expectation(resources["flow-checkpoint"]).may_idle
    assert not expectation(resources["flow-heartbeat"]).may_idle


def test_the_output_names_the_connectors() -> None:
    assert flow().outputs["flow"]["connector_names"] == [c.name for c in FLOW.connectors]
