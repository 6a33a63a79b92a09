"""Unknown and misspelled fields of Strimzi resources."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from mirrorstack.lint.strimzi_fields import correct_fields
from mirrorstack.lint.yaml_document import parse_yaml
from tests.unit.lint.files import STRIMZI, STRIMZI_CONNECTOR, findings


class TestFields:
    def test_a_misspelled_field_has_the_intended_one_as_fix(self, tmp_path: Path) -> None:
        content = STRIMZI.replace("topicsPattern", "topicsPatern")
        (tmp_path / "mm2.yaml").write_text(content)

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "mm2.yaml")])

        assert "topicsPatern is not a Strimzi field here" in shown.output
        assert "did you mean `topicsPattern`?" in shown.output
        assert shown.exit_code == 1

    def test_an_unknown_field_without_a_similar_one_is_a_warning(self, tmp_path: Path) -> None:
        (tmp_path / "mm2.yaml").write_text(STRIMZI.replace("spec:\n", "spec:\n  zzz: 1\n", 1))

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "mm2.yaml")])

        assert "warning" in shown.output
        assert "zzz is not a Strimzi field here" in shown.output

    @pytest.mark.parametrize("field", ["class", "config", "tasksMax"])
    def test_a_connector_with_a_misspelled_field_is_checked_with_the_intended_one(
        self, tmp_path: Path, field: str
    ) -> None:
        mistyped = STRIMZI_CONNECTOR.replace(f" {field}:", f" {field[:-1]}:")

        assert findings(tmp_path, "connector.yaml", mistyped) == {
            field[:-1]: "unknown-key",
            "topics.blacklist": "removed-key",
        }

    def test_a_mirror_with_misspelled_fields_is_checked_with_the_intended_ones(
        self, tmp_path: Path
    ) -> None:
        mistyped = (
            STRIMZI.replace("mirrors:", "mirors:")
            .replace("targetCluster:", "targetCluter:")
            .replace("- alias: a", "- allias: a")
            .replace(
                "replication.factor: -1\n          sync", "replicaton.factor: -1\n          sync"
            )
        )
        assert findings(tmp_path, "mm2.yaml", mistyped) == dict.fromkeys(
            ["mirors", "targetCluter", "allias", "replicaton.factor"], "unknown-key"
        )

    def test_a_misspelled_field_does_not_replace_a_correct_one(self) -> None:
        (document,) = parse_yaml(STRIMZI.replace("spec:\n", "spec:\n  mirors: 1\n", 1))

        corrected = correct_fields(document).get("spec")

        assert corrected is not None
        assert corrected.members["mirrors"].kind == "list"
