"""SARIF as version 2.1.0 of its specification wants it.

`SARIF` is our own account of the parts that `lint` writes: what each must have, may have, and what
kind it is of. What it writes beyond that has to be added here from the specification.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def part(*must: str, **may: Schema) -> Schema:
    """An object that has these keys and no other; `must` are those it cannot do without."""
    return {
        "type": "object",
        "required": list(must),
        "properties": may,
        "additionalProperties": False,
    }


def several(each: Schema) -> Schema:
    return {"type": "array", "items": each}


MESSAGE = part("text", text=TEXT)
RULE = part("id", id=TEXT, shortDescription=MESSAGE)
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
    level={"enum": ["none", "note", "warning", "error"]},
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


def test_it_is_valid_with_findings_and_without(bad: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.properties"
    good.write_text("\n".join(BAD.splitlines()[:4]).replace(":1", ":2"))

    for files in ([bad], [good], [bad, good]):
        jsonschema.validate(sarif(*files), SARIF)


def test_the_schema_would_notice(bad: Path) -> None:
    document = sarif(bad)
    document["runs"][0]["results"][0]["level"] = "fatal"

    with pytest.raises(jsonschema.ValidationError, match="'fatal' is not one of"):
        jsonschema.validate(document, SARIF)


def test_each_result_has_its_rule_its_level_and_its_line(bad: Path) -> None:
    (run,) = sarif(bad)["runs"]

    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    told = [
        (
            rules[result["ruleIndex"]]["id"] == result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for result in run["results"]
    ]
    assert told == [(True, "error", 5), (True, "warning", 6)]


def test_files_are_named_by_uris_whatever_their_names(bad: Path) -> None:
    assert uris(sarif(bad)) == {bad.as_uri()}
    assert uris(sarif(Path(bad.name))) == {"a%20bad%20one.properties"}
