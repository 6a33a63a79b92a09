"""Values of keys: whether Kafka's ConfigDef accepts them, and how it splits lists."""

from __future__ import annotations

import re

from mirrorstack.connect.config import REFERENCE
from mirrorstack.mm2.catalogue import Key, Type

BLANKS = "".join(map(chr, range(33)))  # what Java's `trim` removes
SEPARATOR = re.compile(r"[ \t\n\x0b\f\r]*,[ \t\n\x0b\f\r]*")
CLASS_NAME = re.compile(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)*")
WHOLE_NUMBER = re.compile(r"[+-]?\d+")
NUMBER = re.compile(r"[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?)")
# Validators that Kafka only describes in words; their meaning is tested with the real classes.
DESCRIBED = {
    "[eager, compatible, sessioned]": re.compile("eager|compatible|sessioned", re.IGNORECASE),
    "[implicit, explicit]": re.compile("implicit|explicit", re.IGNORECASE),
    "[batch_optimized, record_limit]": re.compile("batch_optimized|record_limit", re.IGNORECASE),
    "[latest, earliest, none, by_duration:PnDTnHnMn.nS]": re.compile(
        "latest|earliest|none|by_duration:.+"
    ),
}
BITS = {Type.SHORT: 16, Type.INT: 32, Type.LONG: 64}


def rejection_reason(key: Key, value: str) -> str | None:
    """Why Kafka rejects the value; None where it accepts it, or where that is not known."""
    if REFERENCE.search(value):
        return None
    text = value.strip(BLANKS)
    if key.type is Type.LIST:
        return _list_rejection(key, split_list(text))
    if key.type is Type.BOOLEAN:
        return None if text.lower() in ("true", "false") else "it must be true or false"
    if key.type in (*BITS, Type.DOUBLE):
        return _number_rejection(key, text)
    if key.type is Type.CLASS:
        return None if CLASS_NAME.fullmatch(text) else "it must be the name of a Java class"
    return _text_rejection(key, text)


def split_list(value: str) -> list[str]:
    """A list as Kafka splits it: at every comma, which cannot be escaped."""
    text = value.strip(BLANKS)
    return SEPARATOR.split(text) if text else []


def list_items(value: str) -> tuple[str, ...]:
    """The items of a list that are not empty."""
    return tuple(item for item in split_list(value) if item)


def _list_rejection(key: Key, given: list[str]) -> str | None:
    if not given:
        return "it must name at least one" if key.not_empty else None
    if key.choices:
        odd = [item for item in given if item not in key.choices]
        return f"{odd[0]!r} is none of {', '.join(key.choices)}" if odd else None
    if key.no_empty_items and "" in given:
        return "one of its items is empty: there is a comma too many"
    return None


def _number_rejection(key: Key, text: str) -> str | None:
    if key.type is Type.DOUBLE:
        if not NUMBER.fullmatch(text):
            return "it must be a number"
        number = float(text.rstrip("fFdD") if text[-1:] in "fFdD" else text)
    else:
        half = 2 ** (BITS[key.type] - 1)
        if not WHOLE_NUMBER.fullmatch(text):
            return "it must be a whole number"
        if not -half <= int(text) < half:
            return f"it must be between {-half} and {half - 1}"
        number = int(text)
    if key.rule.startswith("Positive number") and number < 1 and number != -1:
        return "it must be at least 1, or -1 for the broker's default"
    if key.rule == "[1,...,9] or -1" and not (1 <= number <= 9 or number == -1):
        return "it must be between 1 and 9, or -1"
    if key.rule == "[0,...]" and number < 0:
        return "it must be at least 0"
    if key.min is not None and number < key.min:
        return f"it must be at least {key.min}"
    if key.max is not None and number > key.max:
        return f"it must be at most {key.max}"
    return None


def _text_rejection(key: Key, text: str) -> str | None:
    if key.rule.startswith("non-empty") and not text:
        return "it must not be empty"
    if key.rule in DESCRIBED:
        return None if DESCRIBED[key.rule].fullmatch(text) else f"it must be one of {key.rule}"
    if not key.choices:
        return None
    given, choices = text, key.choices
    if key.ignore_case:
        given, choices = text.upper(), tuple(choice.upper() for choice in choices)
    return None if given in choices else f"it must be one of {', '.join(key.choices)}"
