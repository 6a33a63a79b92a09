"""Stack files for tests, as keys and values."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings, check, parse
from mirrorstack.findings import Finding, UserError

FILE = "stacks/Pulumi.test.yaml"
FLOW: dict[str, Any] = {"from": "east", "to": "west", "topics": ["orders"]}
USERS = {"mirror": "mm2", "admin": "platform"}


def stack(**changes: Any) -> dict[str, Any]:
    return {
        "clusters": {"east": {"sandbox": "default"}, "west": {"sandbox": "default"}},
        "flows": [FLOW],
        **changes,
    }


def outside_cluster(**changes: Any) -> dict[str, Any]:
    """A cluster that is not in a sandbox; a change to None removes the key."""
    plain = {"bootstrap-servers": ["kafka-1.example:9093"], "principals": USERS}
    return {key: value for key, value in (plain | changes).items() if value is not None}


def settings_with(east: dict[str, Any]) -> StackSettings:
    return parse(stack(clusters={"east": east, "west": {"sandbox": "default"}}), FILE)


def only_finding(**changes: Any) -> Finding:
    """The one thing that is wrong with a stack file."""
    _, findings = check(stack(**changes))
    assert len(findings) == 1, findings
    return findings[0]


def error(**changes: Any) -> str:
    """What a command prints about a stack file."""
    with pytest.raises(UserError) as raised:
        parse(stack(**changes), FILE)
    return raised.value.report()
