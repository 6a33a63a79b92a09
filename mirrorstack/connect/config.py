"""A connector's config: values as Connect stores them, and no secret in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

# A config provider's reference, ${provider:key} or ${provider:path:key}: the worker resolves it,
# Connect stores it unresolved.
REFERENCE = re.compile(r"\$\{[^}:]+:[^}]+\}")

# Connect takes it from the path of the request; a second one could only contradict it.
NAME = "name"
HIDDEN = "(a plain value, not shown)"

SECRET_KEY = re.compile(
    r"(password|passphrase|jaas\.config|secret|token|user\.info|keystore\.key"
    r"|(secret|access|private|api)[._-]?key)$",
    re.IGNORECASE,
)
# The options of a JAAS entry: name="value".
JAAS_OPTION = re.compile(r"([\w.]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|[^\s;\"]+)")


def normalise(values: Mapping[str, object]) -> dict[str, str]:
    """As Connect stores it: every value a string, nothing for an absent one, no `name`."""
    return {
        key: value_text(value) for key, value in values.items() if value is not None and key != NAME
    }


def value_text(value: object) -> str:
    """A value as Kafka reads it. Pulumi passes every number as a float."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(value_text(item) for item in value)
    return str(value)


def plain_secrets(config: Mapping[str, str]) -> list[str]:
    """The keys whose values look like secrets in plain text."""
    return sorted(key for key, value in config.items() if _is_plain_secret(key, value))


def without_secrets(config: Mapping[str, str]) -> dict[str, str]:
    """The same config with plain secrets hidden, for previews and the state.

    A password in the live connector, set by hand, is drift and has to show as a difference; but
    it must not be stored in the state.
    """
    hidden = set(plain_secrets(config))
    return {key: HIDDEN if key in hidden else value for key, value in config.items()}


def _is_plain_secret(key: str, value: str) -> bool:
    if not value or REFERENCE.fullmatch(value):
        return False
    if "LoginModule" in value:
        # JAAS under any key. With references for its secrets it may be plain: a user name is none.
        return any(
            SECRET_KEY.search(option) and not REFERENCE.fullmatch(given.strip('"'))
            for option, given in JAAS_OPTION.findall(value)
        )
    return SECRET_KEY.search(key) is not None
