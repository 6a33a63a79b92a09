"""Files that cannot be read, and how the kind of a file is detected."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.lint.reader import lint_file
from tests.unit.lint.files import placed


class TestUnreadableFiles:
    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("x.json", '{"a": 1\n"b": 2}', "x.json:2: cannot be parsed"),
            ("x.json", "[]", "contains no connector"),
            ("x.json", '{"a": 1}', "contains no connector"),
            ("x.yaml", "a: [1", "x.yaml:1: cannot be parsed"),
            ("x.yaml", "a: &b [*b]", "contains itself"),
            ("x.yaml", "a: 1", "contains neither"),
            ("x.yaml", "", "contains neither"),
            (
                "x.yaml",
                "config:\n  mirrorstack:flows: \x07",
                "x.yaml:2: cannot be parsed: the char",
            ),
            ("x.yaml", "a: b: c", "x.yaml:1: cannot be parsed"),
        ],
    )
    def test_the_error_has_the_reason(
        self, tmp_path: Path, name: str, content: str, message: str
    ) -> None:
        with pytest.raises(UserError, match=message):
            placed(tmp_path, name, content)

    def test_bytes_that_are_not_utf_8_are_an_error_with_the_line(self, tmp_path: Path) -> None:
        file = tmp_path / "x.json"
        file.write_bytes(b'{"a":\n"\xff"}')
        with pytest.raises(UserError, match=r"x\.json:2: cannot be read: not UTF-8"):
            lint_file(file)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", '{"connector.class": "x"}'),
        ("x", '  {"connector.class": "x"}'),
        ("x", "config:\n  mirrorstack:production: 1\n"),
        ("x.yml", "apiVersion: kafka.strimzi.io/v1\nkind: KafkaConnect\n"),
        ("x", "#!/bin/sh\nls\n"),
        ("x.sh", "ls\n"),
        ("x.conf", "clusters=a,b\n"),
    ],
)
def test_the_kind_is_detected_by_extension_or_content(
    tmp_path: Path, name: str, content: str
) -> None:
    placed(tmp_path, name, content)


def test_findings_have_the_file_and_are_sorted_by_line(tmp_path: Path) -> None:
    file = tmp_path / "mm2.properties"
    file.write_text("clusters=a,b\nx=1\na->b.enabled=true\n")

    found = lint_file(file)

    assert {one.file for one in found} == {str(file)}
    assert [one.line for one in found] == sorted(one.line or 0 for one in found)
