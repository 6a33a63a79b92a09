"""The clusters of a stack, with passwords from its Pulumi config."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from pulumi.automation import ConfigValue

from mirrorstack.cli import workspace
from mirrorstack.cli.stack_clusters import project_directory, stack_clusters
from mirrorstack.config.stack_file import read_stack
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from tests.unit.config.stacks import outside_cluster, stack


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The stack file of a project that embeds the components."""
    values = stack(clusters={"east": outside_cluster(), "west": {"sandbox": "default"}})
    file = tmp_path / "stacks" / "Pulumi.dr.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump({"config": {f"shop:{k}": v for k, v in values.items()}}))
    (tmp_path / "Pulumi.yaml").write_text("name: shop")
    return file


def answer_with(monkeypatch: pytest.MonkeyPatch, config: dict[str, ConfigValue]) -> list[Path]:
    directories: list[Path] = []

    class Project:
        def __init__(self, directory: Path) -> None:
            directories.append(directory)

        def config(self, _stack: str) -> dict[str, ConfigValue]:
            return config

    monkeypatch.setattr(workspace, "PulumiProject", Project)
    return directories


def secrets(**changes: Any) -> dict[str, ConfigValue]:
    return {
        "shop:east-mirror-password": ConfigValue("one", secret=True),
        "shop:east-admin-password": ConfigValue("two", secret=True),
        "other:east-password": ConfigValue("three", secret=True),
        **changes,
    }


def test_passwords_of_an_embedding_project_come_from_its_namespace(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directories = answer_with(monkeypatch, secrets())

    clusters = stack_clusters(read_stack(file), "dr", file)

    assert directories == [file.parent.parent]
    assert "one" not in repr(clusters)


def test_a_password_in_plain_text_is_an_error_and_not_shown(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, secrets(**{"shop:east-mirror-password": ConfigValue("hunter2")}))

    with pytest.raises(UserError) as raised:
        stack_clusters(read_stack(file), "dr", file)

    assert raised.value.report().startswith(f"error: {file}: east-mirror-password: the password is")
    assert "hunter2" not in raised.value.report()


def test_a_stack_without_passwords_does_not_need_pulumi(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directories = answer_with(monkeypatch, {})
    file = tmp_path / "Pulumi.dr.yaml"
    file.write_text(yaml.safe_dump({"config": {f"mirrorstack:{k}": v for k, v in stack().items()}}))

    stack_clusters(read_stack(file), "dr", file)

    assert directories == []


def test_a_file_outside_a_project_belongs_to_this_clone(tmp_path: Path) -> None:
    assert project_directory(tmp_path / "Pulumi.dr.yaml") == ROOT


def test_an_override_of_a_key_that_the_flow_sets_is_refused(file: Path) -> None:
    values = yaml.safe_load(file.read_text())
    override = {"source": {"replication.policy.separator": "_"}}
    values["config"]["shop:flows"][0]["override"] = override
    file.write_text(yaml.safe_dump(values))

    with pytest.raises(
        UserError, match=r"replication\.policy\.separator cannot be overridden"
    ) as raised:
        stack_clusters(read_stack(file), "dr", file)

    assert raised.value.findings[0].file == str(file)
