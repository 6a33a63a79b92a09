"""The JSON schema of report.json."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from mirrorstack.verify.report.report import Report
from mirrorstack.verify.report.schema import report_schema
from tests import reports

FILE = Path(__file__).parents[4] / "docs" / "report.schema.json"


def test_the_committed_schema_is_current() -> None:
    assert json.loads(FILE.read_text()) == report_schema(), "run `make docs`"


@pytest.mark.parametrize("report", [reports.equal(), reports.different()])
def test_every_report_matches_the_schema(report: Report) -> None:
    jsonschema.validate(json.loads(report.to_json()), report_schema())


@pytest.mark.parametrize("key", ["verdict", "version", "seconds"])
def test_a_report_without_a_key_does_not_match(key: str) -> None:
    content = reports.equal().to_dict()
    del content[key]

    with pytest.raises(jsonschema.ValidationError, match=key):
        jsonschema.validate(content, report_schema())
