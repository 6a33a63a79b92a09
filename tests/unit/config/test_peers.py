"""Peer stacks, read from their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError

CLUSTERS = {"east": {"sandbox": "a"}, "west": {"sandbox": "a"}}


def declared(source: str = "east", target: str = "west", **more: Any) -> dict[str, Any]:
    return {
        "clusters": CLUSTERS,
        "flows": [{"from": source, "to": target, "topics": ["orders"]}],
        **more,
    }


def write(directory: Path, name: str, values: dict[str, Any], project: str = "mirrorstack") -> None:
    config = {f"{project}:{key}": value for key, value in values.items()} | {"kafka:timeout": "1"}
    (directory / name).write_text(yaml.safe_dump({"config": config, "encryptionsalt": "v1:x"}))


def peers(directory: Path, *names: str) -> dict[str, StackSettings]:
    settings = parse(declared(peers=list(names)), "Pulumi.own.yaml")
    return read_peers(settings, directory / "Pulumi.own.yaml")


def test_without_peers_nothing_is_read(tmp_path: Path) -> None:
    assert peers(tmp_path / "absent") == {}


def test_a_peer_is_read_without_its_passwords_and_other_namespaces(tmp_path: Path) -> None:
    password = {"west-mirror-password": {"secure": "v1:x"}}
    write(tmp_path, "Pulumi.dr.yaml", declared("west", "east", **password), project="shop")

    found = peers(tmp_path, "Pulumi.dr.yaml")

    assert found["Pulumi.dr.yaml"].flows[0].name == "west-to-east"


def test_peers_of_peers_count_and_may_name_each_other(tmp_path: Path) -> None:
    write(tmp_path, "Pulumi.b.yaml", declared(peers=["Pulumi.c.yaml", "Pulumi.own.yaml"]))
    write(tmp_path, "Pulumi.c.yaml", declared(peers=["Pulumi.b.yaml"]))

    assert list(peers(tmp_path, "Pulumi.b.yaml")) == ["Pulumi.b.yaml", "Pulumi.c.yaml"]


def test_a_peer_that_is_not_there_is_named_with_who_names_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Pulumi.own.yaml: mirrorstack:peers names Pulumi.x.yaml"):
        peers(tmp_path, "Pulumi.x.yaml")


@pytest.mark.parametrize(
    "content", ["", "a: [", "config: {}", "config: {mirrorstack:clusters: {}}"]
)
def test_a_file_that_is_no_stack_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "Pulumi.x.yaml").write_text(content)

    with pytest.raises(UserError, match=r"Pulumi\.x\.yaml"):
        peers(tmp_path, "Pulumi.x.yaml")


def test_an_error_in_a_peer_names_its_file_and_key(tmp_path: Path) -> None:
    write(tmp_path, "Pulumi.x.yaml", declared(flwos=1))

    with pytest.raises(UserError, match=r"Pulumi.x.yaml: mirrorstack:flwos is not a key"):
        peers(tmp_path, "Pulumi.x.yaml")
