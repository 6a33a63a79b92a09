"""Another version of Strimzi's API is no other object."""

from __future__ import annotations

from components.platforms.strimzi_objects import other_versions


def test_the_other_version_is_an_alias() -> None:
    manifest = {"apiVersion": "kafka.strimzi.io/v1", "kind": "KafkaUser"}

    (plain,) = other_versions(manifest)
    (patch,) = other_versions(manifest, "Patch")

    assert plain.type_ == "kubernetes:kafka.strimzi.io/v1beta2:KafkaUser"
    assert patch.type_ == "kubernetes:kafka.strimzi.io/v1beta2:KafkaUserPatch"


def test_objects_of_kubernetes_itself_have_one_version() -> None:
    assert other_versions({"apiVersion": "v1", "kind": "Secret"}) == []
