"""The reference page is generated from the settings."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import yaml

from mirrorstack.config.reference import stack_file_page
from mirrorstack.config.schema import stack_file_schema
from mirrorstack.config.settings import parse

ROOT = Path(__file__).parents[3]


def test_the_committed_page_is_current() -> None:
    assert (ROOT / "docs" / "stack-file.md").read_text() == stack_file_page(), "run `make docs`"


def test_every_key_has_a_description() -> None:
    rows = [line for line in stack_file_page().splitlines() if line.startswith("| `")]

    assert len(rows) > 40
    assert all(len(row.split("|")[3].strip()) > 10 for row in rows)


def test_lines_of_a_model_s_description_are_not_indented() -> None:
    """Python 3.13 dedents docstrings when it compiles them, and older versions do not."""
    text = re.sub(r"```.*?```", "", stack_file_page(), flags=re.DOTALL)

    assert not [line for line in text.splitlines() if line.startswith(" ")]


def test_the_examples_on_the_page_are_valid_stack_files() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", stack_file_page(), re.DOTALL)

    assert len(examples) == 2
    for example in examples:
        stack = yaml.safe_load(example)
        jsonschema.validate(stack, stack_file_schema())
        keys = {key.removeprefix("mirrorstack:"): value for key, value in stack["config"].items()}
        assert parse(keys, "docs/stack-file.md").flows
        assert len(example.splitlines()) <= 25, "a stack with one flow is short"
