"""Peer stacks, read from their stack files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mirrorstack.config.peers import read_peers
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError
from tests.unit.config.stacks import FLOW, stack

BACK = {**FLOW, "from": "west", "to": "east"}


def write(directory: Path, name: str, values: dict[str, Any], project: str = "mirrorstack") -> None:
    config = {f"{project}:{key}": value for key, value in values.items()} | {"kafka:timeout": "1"}
    (directory / name).write_text(yaml.safe_dump({"config": config, "encryptionsalt": "v1:x"}))


def peers(directory: Path, *names: str) -> dict[str, StackSettings]:
    settings = parse(stack(peers=list(names)), "Pulumi.own.yaml")
    return read_peers(settings, directory / "Pulumi.own.yaml")


def test_without_peers_nothing_is_read(tmp_path: Path) -> None:
    assert peers(tmp_path / "absent") == {}


def test_a_peer_of_another_project_is_read_without_its_passwords(tmp_path: Path) -> None:
    password = {"west-mirror-password": {"secure": "v1:x"}}
    write(tmp_path, "Pulumi.dr.yaml", stack(flows=[BACK], **password), project="shop")

    found = peers(tmp_path, "Pulumi.dr.yaml")

    assert found["Pulumi.dr.yaml"].flows[0].name == "west-to-east"


def test_peers_of_peers_are_read_and_may_name_each_other(tmp_path: Path) -> None:
    write(tmp_path, "Pulumi.b.yaml", stack(peers=["Pulumi.c.yaml", "Pulumi.own.yaml"]))
    write(tmp_path, "Pulumi.c.yaml", stack(peers=["Pulumi.b.yaml"]))

    assert list(peers(tmp_path, "Pulumi.b.yaml")) == ["Pulumi.b.yaml", "Pulumi.c.yaml"]


def test_a_missing_peer_is_a_finding_about_the_key_that_names_it(tmp_path: Path) -> None:
    write(tmp_path, "Pulumi.dr.yaml", stack())

    with pytest.raises(UserError) as raised:
        peers(tmp_path, "Pulumi.dr.yaml", "Pulumi.x.yaml")

    (finding,) = raised.value.findings
    assert finding.file == str(tmp_path / "Pulumi.own.yaml")
    assert finding.path == ("peers", 1)
    assert "Pulumi.x.yaml: no such stack file" in finding.message
    assert "dr" in finding.fix


@pytest.mark.parametrize("content", ["", "a: [", "config: {}", "[1]", "config: [1]"])
def test_a_peer_that_is_no_stack_file_is_a_finding(tmp_path: Path, content: str) -> None:
    (tmp_path / "Pulumi.x.yaml").write_text(content)

    with pytest.raises(UserError, match=r"peers\[0\]: .*Pulumi\.x\.yaml"):
        peers(tmp_path, "Pulumi.x.yaml")


def test_the_mistakes_of_all_peers_are_reported_with_their_files(tmp_path: Path) -> None:
    write(tmp_path, "Pulumi.x.yaml", stack(flwos=1))
    write(tmp_path, "Pulumi.y.yaml", stack(flows=[{**FLOW, "to": "wset"}]))

    with pytest.raises(UserError) as raised:
        peers(tmp_path, "Pulumi.x.yaml", "Pulumi.y.yaml")

    assert [Path(finding.file).name for finding in raised.value.findings] == [
        "Pulumi.x.yaml",
        "Pulumi.y.yaml",
    ]
    assert "flwos: unknown key" in str(raised.value)
