"""The JSON schema for editors is generated from the settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from mirrorstack.config.schema import stack_file_schema

STACKS = Path(__file__).parents[3] / "stacks"


def template() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((STACKS / "local.template.yaml").read_text())
    return loaded


def test_the_committed_schema_is_current() -> None:
    committed = json.loads((STACKS / "schema.json").read_text())

    assert committed == stack_file_schema(), "run `make docs`"


def test_the_template_is_valid_and_names_the_schema() -> None:
    jsonschema.validate(template(), stack_file_schema())

    assert "$schema=schema.json" in (STACKS / "local.template.yaml").read_text()


def test_keys_of_pulumi_and_its_plugins_are_allowed() -> None:
    stack = template() | {"encryptionsalt": "v1:x"}
    stack["config"]["kafka:timeout"] = "30"

    jsonschema.validate(stack, stack_file_schema())


def test_a_password_must_be_encrypted() -> None:
    stack = template()
    stack["config"]["mirrorstack:east-mirror-password"] = {"secure": "v1:abc"}
    jsonschema.validate(stack, stack_file_schema())

    stack["config"]["mirrorstack:east-mirror-password"] = "hunter2"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(stack, stack_file_schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mirrorstack:flow", []),
        ("mirrorstack:flows", []),
        ("mirrorstack:flows", [{"from": "east", "to": "west", "topics": ["a"], "topic": 1}]),
        ("mirrorstack:flows", [{"from": "east", "to": "west", "topics": ["a"], "naming": "x"}]),
    ],
)
def test_what_is_an_error_in_the_program_is_invalid_in_the_schema(key: str, value: object) -> None:
    stack = template()
    stack["config"][key] = value

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(stack, stack_file_schema())
