"""The schema that editors read is the settings', and says the same as the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from mirrorstack.config.reference import stack_file_page
from mirrorstack.config.schema import stack_file_schema
from mirrorstack.config.settings import parse

STACKS = Path(__file__).parents[3] / "stacks"


def template() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((STACKS / "local.template.yaml").read_text())
    return loaded


def test_the_committed_schema_is_the_one_of_the_settings() -> None:
    committed = json.loads((STACKS / "schema.json").read_text())

    assert committed == stack_file_schema(), "type `make docs`"


def test_the_page_about_stack_files_is_current_and_tells_every_key() -> None:
    page = stack_file_page()

    assert (STACKS.parent / "docs" / "stack-file.md").read_text() == page, "type `make docs`"
    assert "|  |" not in page, "every key says what it means"


def test_the_examples_on_the_page_are_stack_files() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", stack_file_page(), re.DOTALL)

    assert len(examples) == 2
    for example in examples:
        stack = yaml.safe_load(example)
        jsonschema.validate(stack, stack_file_schema())
        keys = {key.removeprefix("mirrorstack:"): value for key, value in stack["config"].items()}
        assert parse(keys, "docs/stack-file.md").flows
        assert len(example.splitlines()) <= 25, "a one-flow stack is short"


def test_the_template_is_valid_and_names_the_schema() -> None:
    jsonschema.validate(template(), stack_file_schema())

    assert "$schema=schema.json" in (STACKS / "local.template.yaml").read_text()


def test_keys_of_pulumi_and_its_plugins_are_left_alone() -> None:
    stack = template() | {"encryptionsalt": "v1:x"}
    stack["config"]["kafka:timeout"] = "30"

    jsonschema.validate(stack, stack_file_schema())


def test_a_password_may_stand_in_the_file_only_encrypted() -> None:
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
def test_what_the_program_refuses_the_schema_refuses(key: str, value: object) -> None:
    stack = template()
    stack["config"][key] = value

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(stack, stack_file_schema())
