"""The stack `local` of a clone; a shell script stands in for Pulumi."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Console
from tests.unit.toolchain.machine import executable
from toolchain.local_stack import LocalStack
from toolchain.part import InstalledPart, ensure

PULUMI = """
    echo "$*" >> {log}
    state={clone}/.mirrorstack/state/.pulumi/stacks/mirrorstack
    /bin/mkdir -p "$state"; : > "$state/local.json"
    echo "encryptionsalt: v1:abc" >> {clone}/stacks/Pulumi.local.yaml"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "pulumi.log"


@pytest.fixture
def stack(tmp_path: Path, path: Path, log: Path) -> LocalStack:
    clone = tmp_path / "clone"
    (clone / "stacks").mkdir(parents=True)
    (clone / ".mirrorstack").mkdir()
    (clone / "stacks" / "local.template.yaml").write_text("config: {}\n")
    pulumi = executable(tmp_path / "pulumi", PULUMI.format(log=log, clone=clone))
    parts = {
        "java": InstalledPart(tmp_path / "jdk" / "bin" / "java", "17", "found"),
        "pulumi": InstalledPart(pulumi, "3", "official download"),
    }
    return LocalStack(clone, parts)


def test_passphrase_stack_file_and_stack_are_created_once(stack: LocalStack, log: Path) -> None:
    assert stack.find() is None
    found = ensure(stack, Console())
    assert found.path.read_text() == "config: {}\nencryptionsalt: v1:abc\n"
    passphrase = stack.root / ".mirrorstack" / "passphrase"
    assert passphrase.stat().st_mode & 0o777 == 0o600
    assert ensure(stack, Console()) == found
    [command] = log.read_text().splitlines()
    assert command.startswith("stack init local --no-select --non-interactive")


def test_a_removed_stack_file_gets_the_salt_of_the_existing_stack(
    stack: LocalStack, log: Path
) -> None:
    found = ensure(stack, Console())
    passphrase = (stack.root / ".mirrorstack" / "passphrase").read_text()
    found.path.unlink()
    assert stack.find() is None
    ensure(stack, Console())
    assert log.read_text().splitlines()[1].startswith("stack change-secrets-provider passphrase")
    assert (stack.root / ".mirrorstack" / "passphrase").read_text() == passphrase
