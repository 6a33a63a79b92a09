"""The JSON schema of `report.json`, for programs that read it; from the report's own classes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from mirrorstack.verify.report.report import VERSION, FlowReport, Report, Verdict

VERDICT = {"enum": [each.value for each in Verdict]}
WITH_VERDICT = (Report.__name__, FlowReport.__name__)


class _File(BaseModel):
    """Carries the wish for descriptions to all classes below it."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    report: Report


def report_schema() -> dict[str, Any]:
    """What this release writes: no key is left out, and none is added."""
    definitions = _File.model_json_schema(mode="serialization")["$defs"]
    for name, each in definitions.items():
        if each["type"] == "object":
            definitions[name] = _whole(each, {"verdict": VERDICT} if name in WITH_VERDICT else {})
    report = definitions.pop(Report.__name__)
    report["properties"]["version"] = {"const": VERSION}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **report,
        "title": "What `mirrorstack verify` found",
        "$defs": definitions,
    }


def _whole(definition: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """All keys are always there; titles only repeat names."""
    properties = more | {
        key: {name: said for name, said in value.items() if name not in ("title", "default")}
        for key, value in definition["properties"].items()
    }
    return {
        **definition,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
