"""Stack files are read without Pulumi, and bad ones end in an error with a fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.config.stack_file import namespace_of, read_file, read_stack, stack_names
from mirrorstack.findings import Finding, UserError

STACK = """\
config:
  shop:clusters:
    east: {sandbox: default}
    west: {sandbox: default}
  shop:flows:
    - {from: east, to: west, topics: [orders]}
  shop:east-mirror-password: {secure: v1:x}
  kafka:timeout: "30"
"""


def finding(file: Path) -> Finding:
    with pytest.raises(UserError) as raised:
        read_stack(file)
    (found,) = raised.value.findings
    assert found.file == str(file)
    assert found.fix
    return found


def test_the_namespace_of_an_embedding_project_is_read(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.dr.yaml"
    file.write_text(STACK)

    content = read_file(file)

    assert content.namespace == "shop"
    assert content.values.keys() == {"clusters", "flows"}
    assert read_stack(file).flows[0].name == "east-to-west"


@pytest.mark.parametrize(
    ("keys", "namespace"),
    [
        (["mirrorstack:clusters", "mirrorstack:flwos"], "mirrorstack"),
        (["shop:flows", "mirrorstack:flows"], "mirrorstack"),
        (["shop:flows", "mirrorstack:clusters"], "shop"),
        (["kafka:timeout"], None),
        ([], None),
    ],
)
def test_the_namespace_is_the_one_with_flows(keys: list[str], namespace: str | None) -> None:
    assert namespace_of(keys) == namespace


def test_a_missing_file_lists_the_stacks_that_exist(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.dr.yaml").touch()
    (tmp_path / "Pulumi.local.yaml").touch()
    (tmp_path / "local.template.yaml").touch()

    assert stack_names(tmp_path) == ["dr", "local"]
    found = finding(tmp_path / "Pulumi.x.yaml")
    assert found.message == "no such stack file"
    assert found.fix == "use one of the stacks: dr, local"


def test_a_missing_file_without_stacks_asks_for_a_stack(tmp_path: Path) -> None:
    assert finding(tmp_path / "Pulumi.x.yaml").fix.startswith(
        "correct the path; `pulumi stack init"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"- a\n- b\n", "must be a mapping"),
        (b"text", "must be a mapping"),
        (b"", "must be a mapping"),
        (b"config: [1]", "must be a mapping"),
        (b"config:", "declares no flows"),
        (b"config: {1: 2, kafka:timeout: 3}", "declares no flows"),
        (b"a: \x07", "not valid YAML"),
        (b"a: 2026-99-99", "not valid YAML"),
        (b"[" * 5000, "not valid YAML"),
    ],
)
def test_a_file_that_is_no_stack_file_ends_in_an_error(
    tmp_path: Path, content: bytes, message: str
) -> None:
    file = tmp_path / "Pulumi.x.yaml"
    file.write_bytes(content)

    assert message in finding(file).message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"config:\n  a: \xff\n", "not UTF-8"),
        (b"config:\n  a: [\n  b: 1", "not valid YAML"),
        (b"a: 1\nb: \x07", "U+0007 is not"),
    ],
)
def test_a_syntax_error_has_a_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "Pulumi.x.yaml"
    file.write_bytes(content)

    found = finding(file)

    assert message in found.message
    assert found.line in (2, 3)


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    assert "cannot be read: Is a directory" in finding(tmp_path).message
