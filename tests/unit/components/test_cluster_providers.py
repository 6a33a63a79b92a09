"""The providers of a cluster: Kafka's, and Kubernetes' where Strimzi runs it."""

from __future__ import annotations

from pathlib import Path

import pulumi
import pytest

from components.cluster_providers import administered_clusters
from mirrorstack.planning.preflight import preflight
from tests.unit.components.declaring import declare
from tests.unit.planning.fake_clusters import FakeClusters, stack_settings
from tests.unit.planning.strimzi_stack import operated_stack


def test_a_cluster_that_is_not_administered_has_no_provider(tmp_path: Path) -> None:
    clusters = {"east": {"sandbox": "default", "administer": False}, "west": {"sandbox": "default"}}
    settings = stack_settings(clusters=clusters)
    deployment = preflight(settings, FakeClusters(settings), stack="dev", home=tmp_path)

    declared = declare(
        lambda: administered_clusters("s", deployment.clusters, pulumi.ComponentResource("t", "p"))
    )

    assert declared.resources.keys() - {"p"} == {"s-kafka-west"}


def test_a_cluster_of_strimzi_s_has_one_of_its_namespace_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = operated_stack(tmp_path, monkeypatch)

    declared = declare(
        lambda: administered_clusters("s", deployment.clusters, pulumi.ComponentResource("t", "p"))
    )

    assert declared.resources.keys() - {"p"} == {
        "s-kafka-east",
        "s-kafka-west",
        "s-west-kubernetes",
    }
    assert declared.resources["s-west-kubernetes"].inputs["namespace"] == "kafka"
