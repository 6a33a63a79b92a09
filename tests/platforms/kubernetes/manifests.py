"""Manifests as Pulumi passes them to a plugin: secrets are wrapped, and values may be unknown."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format, struct_pb2  # type: ignore[import-untyped]

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


def from_struct(struct: struct_pb2.Struct) -> dict[str, Any]:
    """Numbers without a fraction become integers, as the API requires."""
    content: dict[str, Any] = json_format.MessageToDict(struct)
    return content


def to_struct(content: dict[str, Any]) -> struct_pb2.Struct:
    return json_format.ParseDict(content, struct_pb2.Struct())


def is_secret(value: object) -> bool:
    return isinstance(value, dict) and value.get(SIGNATURE) == SECRET


def without_secrets(value: Any) -> Any:
    """The plain values."""
    if is_secret(value):
        return without_secrets(value["value"])
    if isinstance(value, dict):
        return {key: without_secrets(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_secrets(each) for each in value]
    return value


def with_secrets_of(inputs: Any, value: Any) -> Any:
    """Plain values become secrets where the inputs have secrets."""
    if is_secret(inputs):
        return {SIGNATURE: SECRET, "value": value}
    if isinstance(inputs, dict) and isinstance(value, dict):
        return {key: with_secrets_of(inputs.get(key), each) for key, each in value.items()}
    if isinstance(inputs, list) and isinstance(value, list):
        wrapped = [with_secrets_of(*pair) for pair in zip(inputs, value, strict=False)]
        return [*wrapped, *value[len(wrapped) :]]
    return value


def with_secret_data(manifest: dict[str, Any]) -> dict[str, Any]:
    """The data of a Secret is secret, whatever the inputs say."""
    if manifest.get("kind") != "Secret":
        return manifest
    wrapped = {
        key: {SIGNATURE: SECRET, "value": manifest[key]}
        for key in ("data", "stringData")
        if key in manifest and not is_secret(manifest[key])
    }
    return manifest | wrapped


def has_unknown(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_unknown, value.values()))
    if isinstance(value, list):
        return any(map(has_unknown, value))
    return bool(value == UNKNOWN)


def as_live(inputs: Any, applied: Any, live: Any) -> Any:
    """The inputs, with the live value of each field that is not as it would be after an apply.

    `applied` is the object after an apply of the inputs: the API defaults and normalizes values,
    such as a quantity of `1000m` to `1`, and that is no difference.
    """
    if isinstance(inputs, dict) and isinstance(applied, dict) and isinstance(live, dict):
        return {
            key: as_live(value, applied.get(key), live.get(key))
            for key, value in inputs.items()
            if key in live or key not in applied
        }
    lists = all(isinstance(each, list) for each in (inputs, applied, live))
    if lists and len(inputs) == len(applied) == len(live):
        return [as_live(*each) for each in zip(inputs, applied, live, strict=True)]
    return inputs if applied == live else live


def with_string_data(manifest: dict[str, Any]) -> dict[str, Any]:
    """A Secret's data under `stringData` too: the API accepts that but never returns it."""
    if manifest.get("kind") != "Secret":
        return manifest
    decoded = {
        key: base64.b64decode(value).decode(errors="replace")
        for key, value in (manifest.get("data") or {}).items()
    }
    return manifest | {"stringData": decoded}


@dataclass(frozen=True)
class Change:
    path: str
    """Such as `spec.template.spec.containers[0].image` or `data["connect.properties"]`."""
    added: bool = False
    removed: bool = False

    @property
    def top_level(self) -> str:
        return re.split(r"[.\[]", self.path)[0]

    def is_below(self, path: str) -> bool:
        return self.path == path or self.path.startswith((f"{path}.", f"{path}["))


def changes(old: Any, new: Any, path: str = "") -> Iterator[Change]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            below = f"{path}.{key}".lstrip(".") if key.isidentifier() else f'{path}["{key}"]'
            if key in old and key in new:
                yield from changes(old[key], new[key], below)
            else:
                yield Change(below, added=key in new, removed=key in old)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from changes(*pair, f"{path}[{index}]")
    elif old != new:
        yield Change(path)
