"""A cluster as an input of a dynamic resource."""

from __future__ import annotations

import pytest
from pulumi.dynamic import ConfigureRequest
from pulumi.dynamic.config import Config

from components import cluster_props as module
from components.cluster_props import PasswordProvider, cluster_props
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.connections import PasswordReference
from tests.unit.planning.fake_clusters import sandbox_connection

CLUSTER = KafkaCluster("east", sandbox_connection("default", "east", "mirror"), "start it")


def configured(**secrets: str) -> PasswordProvider:
    provider = PasswordProvider()
    values = {f"shop:{key.replace('_', '-')}": value for key, value in secrets.items()}
    provider.configure(ConfigureRequest(Config(values, project_name="shop")))
    return provider


def test_a_cluster_survives_with_the_password_of_the_config() -> None:
    props = cluster_props(CLUSTER, PasswordReference(config_key="east-mirror-password"))
    password = CLUSTER.connection.password

    assert password not in str(props)
    assert configured(east_mirror_password=password).cluster(props) == CLUSTER


def test_a_sandbox_s_password_is_read_from_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "sandbox_connection", sandbox_connection)
    reference = PasswordReference(sandbox="default", cluster="east", principal="mirror")

    assert configured().cluster(cluster_props(CLUSTER, reference)) == CLUSTER


def test_a_changed_password_is_used_without_a_change_of_the_resource() -> None:
    props = cluster_props(CLUSTER, PasswordReference(config_key="east-mirror-password"))

    assert configured(east_mirror_password="next").cluster(props).connection.password == "next"


def test_a_key_without_a_value_is_an_empty_password() -> None:
    assert configured().secret("east-mirror-password") == ""
