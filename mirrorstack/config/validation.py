"""What is wrong with a stack file, in the words of the stack file."""

from __future__ import annotations

import difflib
import re
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from mirrorstack.findings import Finding, UserError


def explain(error: ValidationError, model: type[BaseModel], where: str) -> UserError:
    """One message for the first thing that is wrong, and where the others are listed."""
    first, *others = explain_all(error, model)
    more = f"; {len(others)} more to correct: `mirrorstack lint {where}`" if others else ""
    return UserError(f"{where}: {first.message}", first.fix + more)


def explain_all(error: ValidationError, model: type[BaseModel]) -> list[Finding]:
    """Mistyped keys first, and nothing that only follows from something else."""
    errors = error.errors(include_url=False)
    errors.sort(key=lambda each: each["type"] != "extra_forbidden")
    return [
        Finding(*_explained(each, model), path=each["loc"])
        for each in errors
        if not any(_follows(each, other) for other in errors)
    ]


def _follows(each: ErrorDetails, other: ErrorDetails) -> bool:
    """A list of which a part is wrong counts as too short; a mistyped key is also a missing one."""
    if each["type"] == "too_short":
        return other is not each and other["loc"][: len(each["loc"])] == each["loc"]
    mistyped = each["type"] == "missing" and other["type"] == "extra_forbidden"
    return (
        mistyped
        and each["loc"][:-1] == other["loc"][:-1]
        and bool(difflib.get_close_matches(str(other["loc"][-1]), [str(each["loc"][-1])]))
    )


def _explained(each: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    *parents, last = each["loc"]
    # Where a key itself is wrong, pydantic adds a word of its own.
    key = ".".join(str(piece) for piece in each["loc"] if piece != "[key]")
    if each["type"] == "extra_forbidden":
        known = _keys_at(model, parents)
        near = difflib.get_close_matches(str(last), known, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"known keys here: {', '.join(known)}"
        return f"mirrorstack:{key} is not a key that is known.", hint
    if each["type"] == "missing":
        return f"mirrorstack:{key} is missing.", f"add `{last}`"
    limits = each.get("ctx", {})
    if each["type"] in ("enum", "literal_error"):
        words = re.findall("'([^']*)'", str(limits["expected"]))
        near = difflib.get_close_matches(str(each["input"]), words, n=1)
        rule = f"it must be {' or '.join(filter(None, [', '.join(words[:-1]), words[-1]]))}"
        hint = f"did you mean `{near[0]}`?" if near else CORRECT
        return f"mirrorstack:{key} is {each['input']!r}: {rule}.", hint
    ours = RULES.get(each["type"])
    rule = ours.format(**limits) if ours else each["msg"].removeprefix("Value error, ")
    return f"mirrorstack:{key} is {each['input']!r}: {rule}.", CORRECT


CORRECT = "correct it; docs/stack-file.md tells what each key takes"


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
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "finite_number": "it must be a number that has an end",
    "greater_than_equal": "it must be {ge:g} or more",
    "less_than_equal": "it must be {le:g} or less",
    "string_too_long": "it must have at most {max_length} characters",
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
