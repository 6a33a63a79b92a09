"""Pulumi through the Automation API, with a scripted `pulumi`."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from mirrorstack.cli.workspace import PulumiProject
from mirrorstack.findings import UserError
from toolchain import receipt, shell
from toolchain.part import InstalledPart

SCRIPT = """\
#!/bin/sh
echo "$@" >> {log}
case "$*" in
  *nope*) echo 'hunter2'; echo "error: no stack named 'nope' found" >&2; exit 255;;
  *broken*) echo 'hunter2'; echo "error: no passphrase" >&2; exit 255;;
  *config*) echo '{{"mirrorstack:a-password": {{"value": "hunter2", "secret": true}}}}';;
  *export*) echo '{{"version": 3, "deployment": {{"resources": []}}}}';;
esac
"""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (shell.EXPORTED, shell.BACKEND, *shell.PASSPHRASE):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "clone"
    pulumi, java = tmp_path / "bin" / "pulumi", tmp_path / "jdk" / "bin" / "java"
    for file in (pulumi, java):
        file.parent.mkdir(parents=True)
        file.touch(mode=0o755)
    pulumi.write_text(SCRIPT.format(log=tmp_path / "calls"))
    root.mkdir()
    found = {"pulumi": InstalledPart(pulumi, "3", "-"), "java": InstalledPart(java, "17", "-")}
    receipt.write(root / ".mirrorstack", found)
    return root


def calls(clone: Path) -> list[str]:
    return (clone.parent / "calls").read_text().splitlines()


def test_config_and_state_are_read_without_selecting_the_stack(clone: Path) -> None:
    project = PulumiProject(clone, clone)

    assert project.config("local")["mirrorstack:a-password"].value == "hunter2"
    assert project.config("local")["mirrorstack:a-password"].secret
    assert project.state("local") == {"resources": []}
    assert not [call for call in calls(clone) if "select" in call]


def test_lock_and_pending_creates_are_cleared_for_the_named_stack(clone: Path) -> None:
    project = PulumiProject(clone, clone)

    project.cancel("local")
    project.clear_pending_creates("local")

    cancel, refresh = calls(clone)
    assert "cancel --yes --stack local" in cancel
    assert "--clear-pending-creates --stack local" in refresh


def test_an_error_shows_standard_error_only_because_output_can_hold_secrets(
    clone: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(UserError) as raised:
        PulumiProject(clone, clone).config("broken")

    assert "failed: no passphrase" in raised.value.message
    assert "hunter2" not in raised.value.report() + caplog.text


def test_an_unknown_stack_lists_the_stacks_that_exist(clone: Path) -> None:
    project = PulumiProject(clone, clone)
    with pytest.raises(UserError, match="no such stack: nope") as raised:
        project.state("nope")
    assert raised.value.fix == "create it: `pulumi stack init nope`"

    (clone / "stacks").mkdir()
    (clone / "stacks" / "Pulumi.dr.yaml").touch()
    with pytest.raises(UserError) as raised:
        project.config("nope")
    assert raised.value.fix == "use one of the stacks: dr"


def test_up_shows_its_own_output_and_its_failure_is_an_error(clone: Path) -> None:
    project = PulumiProject(clone, clone)

    project.up("local", "--refresh")
    with pytest.raises(UserError, match="failed with exit status 255"):
        project.up("nope")

    assert calls(clone)[0] == "up --stack local --yes --skip-preview --refresh"


def test_this_clone_has_its_own_backend_and_another_project_keeps_its_own(
    clone: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()

    own = PulumiProject(clone, clone).backend
    assert own == f"file://{clone}/.mirrorstack/state?create_dir=true"
    assert PulumiProject(other, clone).backend == ""
