"""The JSON schema of stack files, with which editors complete and check them."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.passwords import SUFFIXES
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.stack_file import PROJECT

_SECRET = {
    "type": "object",
    "description": "A password, encrypted by `pulumi config set --secret`.",
    "properties": {"secure": {"type": "string"}},
    "required": ["secure"],
    "additionalProperties": False,
}


def stack_file_schema() -> dict[str, Any]:
    """Every key below `mirrorstack:` is known; other keys are Pulumi's and its plugins'."""
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
                    f"^{PROJECT}:.+({'|'.join(SUFFIXES)})$": _SECRET,
                    # Any key of another namespace: it belongs to Pulumi or a plugin.
                    f"^(?!{PROJECT}:)": {},
                },
                "additionalProperties": False,
            }
        },
        "required": ["config"],
        "$defs": definitions,
    }
