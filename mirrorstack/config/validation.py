"""Pydantic's validation errors as findings, in the terms of stack files."""

from __future__ import annotations

import json
import re
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mirrorstack.config.base import InvalidValueError
from mirrorstack.connect.config import SECRET_KEY
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.text import closest, did_you_mean

SHOWN_CHARACTERS = 100
REFERENCE = "docs/stack-file.md describes the values of every key"

# Error type of pydantic: what the value must be, and the fix.
RULES = {
    "tuple_type": ("must be a list", "write a list, such as [orders, clicks]"),
    "dict_type": ("must be a mapping", "write keys and values below it"),
    "model_type": ("must be a mapping", "write keys and values below it"),
    "string_type": ("must be text", "put the value in quotes"),
    "string_too_short": ("must have a value", "set a value, or remove the key"),
    "string_too_long": ("must have at most {max_length} characters", "shorten it"),
    "string_pattern_mismatch": ("may contain only letters, digits, _ and -", "rename it"),
    "bool_type": ("must be true or false", "write true or false"),
    "bool_parsing": ("must be true or false", "write true or false"),
    "int_type": ("must be an integer", "write an integer"),
    "int_parsing": ("must be an integer", "write an integer"),
    "int_from_float": ("must be an integer", "write an integer"),
    "float_type": ("must be a number", "write a number"),
    "float_parsing": ("must be a number", "write a number"),
    "finite_number": ("must be a finite number", "write a finite number"),
    "greater_than_equal": ("must be at least {ge:g}", "write {ge:g} or more"),
    "less_than_equal": ("must be at most {le:g}", "write {le:g} or less"),
}


def explain(error: ValidationError, model: type[BaseModel]) -> list[Finding]:
    """One finding per mistake, unknown keys first; none that only follows from another."""
    errors = error.errors(include_url=False)
    errors.sort(key=lambda each: each["type"] != "extra_forbidden")
    return [
        _explain_one(each, model)
        for each in errors
        if not any(_follows(each, other) for other in errors)
    ]


def _follows(each: ErrorDetails, other: ErrorDetails) -> bool:
    """A list with an invalid item counts as too short; a mistyped key leaves another missing."""
    if each["type"] == "too_short":
        return other is not each and other["loc"][: len(each["loc"])] == each["loc"]
    return (
        each["type"] == "missing"
        and other["type"] == "extra_forbidden"
        and each["loc"][:-1] == other["loc"][:-1]
        and closest(str(other["loc"][-1]), [str(each["loc"][-1])]) is not None
    )


def _explain_one(each: ErrorDetails, model: type[BaseModel]) -> Finding:
    # Pydantic marks an invalid key, as opposed to an invalid value, with a last step "[key]".
    path = tuple(step for step in each["loc"] if step != "[key]")
    kind, context = each["type"], each.get("ctx", {})
    value = "" if _is_secret(path) else f", not {show_value(each['input'])}"
    if not path:
        return Finding("a stack file must be a mapping", REFERENCE)
    if kind == "extra_forbidden":
        known = _keys_at(model, path[:-1])
        fix = did_you_mean(str(path[-1]), known, f"remove it; known keys: {', '.join(known)}")
        return Finding.at(path, "unknown key", fix)
    if kind == "missing":
        return Finding.at(path, "required key is missing", f"add `{path[-1]}`")
    if kind in ("enum", "literal_error"):
        choices = re.findall("'([^']*)'", str(context["expected"]))
        fix = did_you_mean(str(each["input"]), choices, f"write {_either(choices)}")
        return Finding.at(path, f"must be {_either(choices)}{value}", fix)
    if kind == "too_short":
        least = context["min_length"]
        entries = "one entry" if least == 1 else f"{least} entries"
        return Finding.at(path, f"must have at least {entries}", f"add {entries} or more")
    reason = context.get("error")
    if isinstance(reason, InvalidValueError):
        named = "" if "[key]" in each["loc"] else f"{show_value(each['input'])}: "
        return Finding.at(path, f"{named}{reason}", reason.fix)
    rule, fix = RULES.get(kind, (each["msg"].removeprefix("Value error, "), REFERENCE))
    return Finding.at(path, f"{rule.format(**context)}{value}", fix.format(**context))


def show_value(value: Any) -> str:
    """A value as it would be written in a stack file, on one line and not too long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


def _is_secret(path: KeyPath) -> bool:
    return any(SECRET_KEY.search(str(step)) for step in path)


def _either(choices: list[str]) -> str:
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last


def _keys_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    """The keys that are known at a path, found by walking down the models."""
    steps = iter(path)
    for step in steps:
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        inner = _model_in(fields[str(step)].annotation) if step in fields else None
        if inner:
            model = inner
            if get_origin(fields[str(step)].annotation) in (dict, tuple):
                next(steps, None)  # an alias or an index
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model in `tuple[Flow, ...]`, `dict[str, Cluster]`, `Cluster | None` or itself."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(argument) for argument in get_args(annotation))
    return next((found for found in inner if found), None)
