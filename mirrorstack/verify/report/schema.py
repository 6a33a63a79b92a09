"""The JSON schema of `report.json`, generated from the classes of the report."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from mirrorstack.verify.report.codes import Verdict, VerifyCode
from mirrorstack.verify.report.report import FINDING_KEYS, VERSION, FlowReport, Report

VERDICT = {"enum": [each.value for each in Verdict]}
RULE = {"enum": [each.value for each in VerifyCode]}
WITH_VERDICT = (Report.__name__, FlowReport.__name__)


class _SchemaRoot(BaseModel):
    """Enables descriptions from docstrings for all classes below it."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    report: Report


def report_schema() -> dict[str, Any]:
    """What this release writes: no key is optional, and there are no others."""
    definitions = _SchemaRoot.model_json_schema(mode="serialization")["$defs"]
    for name, each in definitions.items():
        if each["type"] == "object":
            definitions[name] = _complete(
                each, {"verdict": VERDICT} if name in WITH_VERDICT else {}
            )
    _reduce_finding(definitions["Finding"])
    report = definitions.pop(Report.__name__)
    report["properties"]["version"] = {"const": VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **report,
        "title": "Report of `mirrorstack verify`",
        "$defs": definitions,
    }


def _complete(definition: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """All keys are required; titles would only repeat their names."""
    properties = more | {
        key: {name: each for name, each in value.items() if name not in ("title", "default")}
        for key, value in definition["properties"].items()
    }
    return {
        **definition,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _reduce_finding(definition: dict[str, Any]) -> None:
    """Only the keys of findings that reports use."""
    properties = definition["properties"]
    definition["properties"] = {key: properties[key] for key in FINDING_KEYS}
    definition["properties"]["rule"] = {**properties["rule"], **RULE}
    definition["required"] = list(FINDING_KEYS)
