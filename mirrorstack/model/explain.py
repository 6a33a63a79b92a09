"""What is wrong with a stack file, in the words of the stack file."""

from __future__ import annotations

import difflib
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from mirrorstack.problem import Problem


def explain(error: ValidationError, model: type[BaseModel], where: str) -> Problem:
    """One message for the first thing that is wrong."""
    errors = error.errors(include_url=False)
    # A mistyped key is also a missing one: the first tells more.
    first = next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])
    *parents, last = first["loc"]
    key = ".".join(str(piece) for piece in first["loc"])
    if first["type"] == "extra_forbidden":
        known = _keys_at(model, parents)
        near = difflib.get_close_matches(str(last), known, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"known keys here: {', '.join(known)}"
        return Problem(f"{where}: mirrorstack:{key} is not a key that is known.", hint)
    if first["type"] == "missing":
        return Problem(f"{where}: mirrorstack:{key} is missing.", f"add `{last}`")
    rule = RULES.get(first["type"]) or first["msg"].removeprefix("Value error, ")
    return Problem(f"{where}: mirrorstack:{key} is {first['input']!r}: {rule}.", "change it")


# Where pydantic speaks of Python, and not of stack files.
RULES = {
    "tuple_type": "it must be a list, such as [orders, clicks]",
    "dict_type": "it must hold keys and values",
    "model_type": "it must hold keys and values",
    "too_short": "it must not be empty, and `clusters` needs two",
    "string_type": "it must be a text",
    "string_too_short": "it must not be empty",
    "string_pattern_mismatch": "it may hold only letters, digits, _ and -",
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
}


def _keys_at(model: type[BaseModel], path: list[int | str]) -> list[str]:
    """The keys that may stand at a path, found by walking down the models."""
    for step in path:
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        if step in fields:
            model = _model_in(fields[str(step)].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model behind `tuple[Flow, ...]`, `dict[str, Cluster]`, `Cluster | None` or itself."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(argument) for argument in get_args(annotation))
    return next((found for found in inner if found), None)
