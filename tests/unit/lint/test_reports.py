"""Text, JSON and SARIF reports.

`SARIF` is a schema of the parts of SARIF 2.1.0 that `lint` writes. Add other parts from the
specification.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from mirrorstack.findings import Finding, Severity
from mirrorstack.lint.reports import as_json, as_text
from mirrorstack.rules.registry import LINT_RULES

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def part(*must: str, **may: Schema) -> Schema:
    """An object with these keys and no others; `must` are the required ones."""
    return {
        "type": "object",
        "required": list(must),
        "properties": may,
        "additionalProperties": False,
    }


def several(each: Schema) -> Schema:
    return {"type": "array", "items": each}


MESSAGE = part("text", text=TEXT)
LEVEL: Schema = {"enum": ["none", "note", "warning", "error"]}
RULE = part(
    "id",
    id=TEXT,
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    defaultConfiguration=part(level=LEVEL),
)
DRIVER = part("name", name=TEXT, version=TEXT, rules=several(RULE) | {"uniqueItems": True})
PLACE = part(
    "artifactLocation",
    artifactLocation=part(uri={"type": "string", "pattern": r"^[^\s\\]+$"}),
    region=part(startLine={"type": "integer", "minimum": 1}),  # lines are counted from 1
)
RESULT = part(
    "message",
    message=MESSAGE,
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    locations=several(part(physicalLocation=PLACE)),
)
RUN = part(
    "tool",
    tool=part("driver", driver=DRIVER),
    results=several(RESULT),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
)
VERSION = {"version": {"const": "2.1.0"}, "$schema": {"type": "string", "format": "uri"}}
SARIF = part("version", "runs", runs=several(RUN), **VERSION)
BAD = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n" + (
    "a->b.topics.blacklist=secret\nemit.heartbeats.enabled=true \n"
)


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a bad one.properties"
    file.write_text(BAD)
    return file


def sarif(*files: Path) -> dict[str, Any]:
    shown = CliRunner().invoke(main, ["lint", "--format", "sarif", *map(str, files)])
    document: dict[str, Any] = json.loads(shown.stdout)
    return document


def uris(document: dict[str, Any]) -> set[str]:
    return {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for result in document["runs"][0]["results"]
        for place in result["locations"]
    }


def test_sarif_is_valid_with_and_without_findings(bad: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.properties"
    good.write_text("\n".join(BAD.splitlines()[:4]).replace(":1", ":2"))

    for files in ([bad], [good], [bad, good]):
        jsonschema.validate(sarif(*files), SARIF)


def test_the_schema_rejects_an_invalid_level(bad: Path) -> None:
    document = sarif(bad)
    document["runs"][0]["results"][0]["level"] = "fatal"

    with pytest.raises(jsonschema.ValidationError, match="'fatal' is not one of"):
        jsonschema.validate(document, SARIF)


def test_each_sarif_result_has_rule_level_and_line(bad: Path) -> None:
    (run,) = sarif(bad)["runs"]

    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    results = [
        (
            rules[result["ruleIndex"]]["id"] == result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for result in run["results"]
    ]
    assert results == [(True, "error", 5), (True, "warning", 6)]


def test_a_sarif_message_ends_in_the_fix(bad: Path) -> None:
    (run,) = sarif(bad)["runs"]

    assert ". fix: write `topics.exclude`" in run["results"][0]["message"]["text"]


def test_sarif_has_title_reason_and_level_of_every_rule(bad: Path) -> None:
    (run,) = sarif(bad)["runs"]

    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert list(rules) == [rule.id for rule in LINT_RULES]
    for rule in LINT_RULES:
        assert rules[rule.id]["shortDescription"]["text"] == rule.title
        assert rule.reason in rules[rule.id]["fullDescription"]["text"]
        assert rules[rule.id]["defaultConfiguration"]["level"] == rule.severity


def test_sarif_names_files_by_uri(bad: Path) -> None:
    assert uris(sarif(bad)) == {bad.as_uri()}
    assert uris(sarif(Path(bad.name))) == {"a%20bad%20one.properties"}


FINDING = Finding(
    "topics is 'a'.", "write b", rule="x", path=("flows", 0, "topics"), file="f.yaml", line=3
)


def test_text_has_location_severity_message_rule_and_fix() -> None:
    warning = Finding("y", rule="z", file="f.yaml", severity=Severity.WARNING)

    assert as_text([FINDING, warning], [Path("f.yaml")]).splitlines() == [
        "f.yaml:3: error: topics is 'a' [x]",
        "  fix: write b",
        "f.yaml:1: warning: y [z]",
        "1 error and 1 warning in 1 file",
    ]


def test_text_escapes_characters_that_cannot_be_printed() -> None:
    (line, _) = as_text([Finding("\x1b[31m \ud800 \n é", rule="x")], []).splitlines()

    assert line.encode().decode().endswith(r"\x1b[31m \ud800 \n é [x]")


def test_json_has_a_version_the_files_and_the_fields_of_the_findings() -> None:
    assert json.loads(as_json([FINDING], [Path("f.yaml")])) == {
        "version": 2,
        "files": ["f.yaml"],
        "errors": [],
        "findings": [
            {
                "file": "f.yaml",
                "line": 3,
                "severity": "error",
                "rule": "x",
                "key": "flows[0].topics",
                "message": "topics is 'a'.",
                "fix": "write b",
            }
        ],
    }
