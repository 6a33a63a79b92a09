"""A connector as a resource."""

from __future__ import annotations

from components.connector import Connector, ConnectorArgs, ConnectorSource, ConnectorTarget
from mirrorstack.connect.health import Expectation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.connections import PasswordReference
from tests.unit.components.declaring import Registration, declare
from tests.unit.planning.fake_clusters import sandbox_connection

SOURCE = ConnectorSource(
    cluster=KafkaCluster("east", sandbox_connection("default", "east", "mirror"), "start it"),
    password=PasswordReference(config_key="east-mirror-password"),
)
TARGET = ConnectorTarget(
    cluster=KafkaCluster("west", sandbox_connection("default", "west", "mirror"), "start it"),
    password=PasswordReference(config_key="west-mirror-password"),
    group="mirrorstack-west",
    configs_topic="mirrorstack-west-configs",
)
ARGS = ConnectorArgs(
    rest_url="http://127.0.0.1:1",
    name="orders",
    config={"connector.class": "Mirror"},
    expect=Expectation(partitions={"orders": 3}, records=frozenset({"orders"})),
    new_topics=("orders", "clicks"),
    source=SOURCE,
    target=TARGET,
)


def connector() -> Registration:
    return declare(lambda: Connector("connector", ARGS)).resources["connector"]


def test_two_runs_of_the_program_have_the_same_inputs() -> None:
    assert connector().inputs == connector().inputs


def test_the_source_s_password_is_a_reference() -> None:
    source = connector().inputs["source"]

    assert source["password"] == {"config_key": "east-mirror-password"}
    assert SOURCE.cluster.connection.password not in str(connector().inputs)


def test_the_target_has_the_group_and_a_reference_to_the_password() -> None:
    target = connector().inputs["target"]

    assert (target["group"], target["configs_topic"]) == (
        "mirrorstack-west",
        "mirrorstack-west-configs",
    )
    assert target["cluster"]["password"] == {"config_key": "west-mirror-password"}


def test_it_is_of_the_type_that_policies_look_for() -> None:
    assert connector().type == "pulumi-python:dynamic/kafkaconnect:Connector"


def test_what_it_must_show_is_among_its_inputs() -> None:
    inputs = connector().inputs

    assert Expectation.decoded(inputs["expect"]) == ARGS.expect
    assert inputs["new_topics"] == ["clicks", "orders"]
    assert inputs["state"] == "running"
