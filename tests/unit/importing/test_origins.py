"""Files and URLs to import from; a running Connect is scripted in the tests of the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.importing.origins import _declared_state, discover_in_files, is_url
from tests.unit.lint.files import connector

MM2 = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n"


def test_urls_are_distinguished_from_files() -> None:
    assert is_url("http://connect:8083")
    assert not is_url("connectors/source.json")


def test_connectors_of_several_kinds_of_files_are_one_flow(tmp_path: Path) -> None:
    source, heartbeat = tmp_path / "source.json", tmp_path / "heartbeat.properties"
    source.write_text(json.dumps(connector("Source")))
    config = connector("Heartbeat")["config"]
    heartbeat.write_text("".join(f"{key}={value}\n" for key, value in config.items()))

    (flow,) = discover_in_files([source, heartbeat]).flows

    assert {str(kind) for kind in flow.connectors} == {"source", "heartbeat"}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json", '{"a": 1\n"b": 2}', r"x\.json:2: cannot be parsed"),
        ("worker.properties", "group.id=g\noffset.storage.topic=o\n", "declares no flow"),
        ("x.yaml", "apiVersion: v1\nkind: Secret\n", "declares no flow"),
    ],
)
def test_files_without_flows_are_errors(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)

    with pytest.raises(UserError, match=message) as error:
        discover_in_files([tmp_path / name])
    assert error.value.findings[0].file == str(tmp_path / name)


def test_mm2_properties_cannot_be_combined_with_other_files(tmp_path: Path) -> None:
    mm2 = tmp_path / "mm2.properties"
    mm2.write_text(MM2)

    assert len(discover_in_files([mm2]).flows) == 1
    with pytest.raises(UserError, match="cannot be combined with other files"):
        discover_in_files([mm2, mm2])


@pytest.mark.parametrize(
    ("state", "declared"),
    [
        ("RUNNING", ConnectorState.RUNNING),
        ("PAUSED", ConnectorState.PAUSED),
        ("STOPPED", ConnectorState.STOPPED),
        ("FAILED", ConnectorState.RUNNING),
        ("UNASSIGNED", ConnectorState.RUNNING),
    ],
)
def test_a_failed_connector_is_imported_as_running(state: str, declared: ConnectorState) -> None:
    assert _declared_state(state) is declared
