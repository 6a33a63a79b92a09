"""The JSON schema of a stack file, for editors: keys, values and what they mean, as you type."""

from __future__ import annotations

from typing import Any

from mirrorstack.model.settings import StackSettings

PROJECT = "mirrorstack"


def stack_file_schema() -> dict[str, Any]:
    """Pulumi's part of the file stays open; below `mirrorstack:` every key is known."""
    settings = StackSettings.model_json_schema(by_alias=True)
    definitions = settings.pop("$defs")
    properties = settings["properties"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Mirrorstack stack file",
        "type": "object",
        "properties": {
            "config": {
                "type": "object",
                "properties": {f"{PROJECT}:{key}": value for key, value in properties.items()},
                "required": [f"{PROJECT}:{key}" for key in settings["required"]],
                # A mistyped key of ours; other namespaces belong to Pulumi and its plugins.
                "patternProperties": {f"^(?!{PROJECT}:)": {}},
                "additionalProperties": False,
            }
        },
        "required": ["config"],
        "$defs": definitions,
    }
