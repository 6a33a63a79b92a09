"""The resources from which Strimzi's operator runs workers: valid for its API, without secrets."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import pytest

from mirrorstack.kubernetes.strimzi_resources import (
    CHECKPOINT,
    HEARTBEAT,
    SOURCE,
    StrimziCluster,
    mirror_maker,
    revision,
    secrets,
)
from tests.unit.kubernetes.strimzi_examples import MIRROR, strimzi_workers, wrong_fields


@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_the_resource_is_valid_for_the_api_of_the_operator(version: str) -> None:
    workers = strimzi_workers(
        api_version=version, kafka_version="4.1.0", image="mine", labels={"team": "data"}
    )

    assert wrong_fields(mirror_maker(workers)) == []


def test_a_field_that_the_api_does_not_have_is_found() -> None:
    manifest = mirror_maker(strimzi_workers())
    manifest["spec"]["target"]["group"] = "mine"

    assert wrong_fields(manifest) == [
        "target: Additional properties are not allowed ('group' was unexpected)"
    ]


def test_the_connect_group_and_its_topics_are_those_of_the_stack() -> None:
    target = mirror_maker(strimzi_workers())["spec"]["target"]

    assert target["groupId"] == "mirrorstack-west"
    assert target["offsetStorageTopic"] == "mirrorstack-west-offsets"
    old = mirror_maker(strimzi_workers(api_version="v1beta2"))["spec"]
    assert old["connectCluster"] == "west"
    config = {each["alias"]: each.get("config", {}) for each in old["clusters"]}
    assert config["west"]["offset.storage.topic"] == "mirrorstack-west-offsets"
    assert config["east"] == {}


def test_what_the_operator_sets_itself_is_left_out() -> None:
    spec = mirror_maker(strimzi_workers())["spec"]

    assert spec["target"]["config"] == {
        "config.storage.replication.factor": "3",
        "exactly.once.source.support": "enabled",
    }
    (mirror,) = spec["mirrors"]
    assert mirror[SOURCE] == {
        "tasksMax": 2,
        "state": "running",
        "autoRestart": {"enabled": True},
        "config": {"offset.lag.max": "100"},
    }


def test_patterns_are_fields_even_if_they_exclude_nothing() -> None:
    """The operator would leave MirrorMaker's own exclusions otherwise."""
    (mirror,) = mirror_maker(strimzi_workers())["spec"]["mirrors"]

    assert mirror["topicsPattern"] == "orders"
    assert mirror["topicsExcludePattern"] == ""
    assert (mirror["groupsPattern"], mirror["groupsExcludePattern"]) == ("billing", "")


def test_only_the_older_version_of_the_api_has_a_heartbeat_connector() -> None:
    (mirror,) = mirror_maker(strimzi_workers())["spec"]["mirrors"]
    (old,) = mirror_maker(strimzi_workers(api_version="v1beta2"))["spec"]["mirrors"]

    assert {SOURCE, CHECKPOINT} <= mirror.keys()
    assert HEARTBEAT not in mirror
    assert HEARTBEAT in old
    assert old["sourceCluster"] == "east"


@pytest.mark.parametrize("state", ["running", "paused", "stopped"])
def test_the_state_of_a_flow_is_that_of_its_connectors(state: str) -> None:
    workers = strimzi_workers(mirrors=[replace(MIRROR, state=state)])

    (mirror,) = mirror_maker(workers)["spec"]["mirrors"]
    assert mirror[SOURCE]["state"] == mirror[CHECKPOINT]["state"] == state


def test_passwords_and_certificates_are_in_secrets_only() -> None:
    workers = strimzi_workers()

    passwords, certificates = secrets(workers)
    assert passwords["data"] == {"west": "aHVudGVyMg==", "east": "aHVudGVyMw=="}
    east = base64.b64decode(certificates["data"]["east.crt"]).decode()
    assert east == "certificate of east"
    manifest = mirror_maker(workers)
    assert "aHVudGVyMg==" not in json.dumps(manifest)
    source: dict[str, Any] = manifest["spec"]["mirrors"][0]["source"]
    assert source["authentication"]["passwordSecret"] == {
        "secretName": "mirrorstack-dr-west-passwords",
        "password": "east",
    }
    assert source["tls"]["trustedCertificates"] == [
        {"secretName": "mirrorstack-dr-west-certificates", "certificate": "east.crt"}
    ]


def test_an_existing_secret_is_not_created() -> None:
    workers = strimzi_workers(passwords=None, passwords_secret="theirs")

    (certificates,) = secrets(workers)
    assert certificates["metadata"]["name"] == "mirrorstack-dr-west-certificates"
    assert '"secretName": "theirs"' in json.dumps(mirror_maker(workers))


def test_a_cluster_without_security_has_no_fields_for_it() -> None:
    plain = StrimziCluster(alias="east", bootstrap_servers="east:9092", is_encrypted=False)
    public = StrimziCluster(alias="west", bootstrap_servers="west:9093")
    workers = strimzi_workers(clusters={"west": public, "east": plain}, passwords=None)

    spec = mirror_maker(workers)["spec"]
    assert spec["mirrors"][0]["source"] == {"alias": "east", "bootstrapServers": "east:9092"}
    assert spec["target"]["tls"] == {"trustedCertificates": []}
    assert secrets(workers) == []


def test_another_password_is_another_revision() -> None:
    """Workers read it only when they start."""
    manifest = mirror_maker(strimzi_workers())
    changed = mirror_maker(strimzi_workers(checksum="other"))

    annotations = manifest["spec"]["template"]["pod"]["metadata"]["annotations"]
    assert annotations == {"mirrorstack/checksum": "c0ffee"}
    assert revision([manifest]) != revision([changed])
    assert manifest["spec"]["resources"]["requests"] == {"cpu": "688m", "memory": "1136Mi"}
    assert manifest["spec"]["jvmOptions"] == {"-Xmx": "704m"}
