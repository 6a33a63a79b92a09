"""`intent` of a stack file."""

from __future__ import annotations

from mirrorstack.config.intents import Intent
from mirrorstack.config.settings import parse
from tests.unit.config.stacks import FILE, only_finding, stack


def test_an_intent_is_read_by_connector_or_topic() -> None:
    intents = {"east-to-west-source": "resume", "west/east.orders": "discard"}

    assert parse(stack(intent=intents), FILE).intent == {
        "east-to-west-source": Intent.RESUME,
        "west/east.orders": Intent.DISCARD,
    }


def test_an_unknown_intent_is_an_error_with_the_choices() -> None:
    finding = only_finding(intent={"east-to-west-source": "restrat"})

    assert "must be resume, restart or discard" in finding.message
    assert finding.fix == "did you mean `restart`?"
