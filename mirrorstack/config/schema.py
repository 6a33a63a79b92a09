"""The JSON schema of a stack file, for editors: keys, values and what they mean, as you type."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.passwords import SUFFIX
from mirrorstack.config.settings import StackSettings

PROJECT = "mirrorstack"
_SECRET = {
    "type": "object",
    "description": "A password, as `pulumi config set --secret` writes it; never in plain text.",
    "properties": {"secure": {"type": "string"}},
    "required": ["secure"],
    "additionalProperties": False,
}


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
                "patternProperties": {
                    f"^{PROJECT}:.+{SUFFIX}$": _SECRET,
                    # A mistyped key of ours; other namespaces belong to Pulumi and its plugins.
                    f"^(?!{PROJECT}:)": {},
                },
                "additionalProperties": False,
            }
        },
        "required": ["config"],
        "$defs": definitions,
    }
