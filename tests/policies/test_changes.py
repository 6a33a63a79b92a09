"""What goes away is told before it is gone, unless the stack file says that it is meant."""

from __future__ import annotations

from typing import Any

import pytest

from policies.view import LEDGER
from tests.policies.asking import UNKNOWN, asked, resource
from tests.policies.conftest import PACK
from tests.pulumi_project import PulumiProject

RULE = "connectors-leave-on-purpose"
GONE = {"name": "east-to-west-source", "offsets": "mirrorstack-west-offsets"}
MOVED = {**GONE, "moves_to": "other-offsets", "mirrored": 12345.0}

PROGRAM = """
    import pulumi
    from components.ledger import Ledger, LedgerArgs

    config = pulumi.Config()
    Ledger("ledger", LedgerArgs(
        connectors={
            name: {"offsets": offsets, "rest_url": "http://127.0.0.1:9"}
            for name, offsets in config.require_object("connectors").items()
        },
        intent=config.get_object("intent", {}),
    ))
"""


def messages(left: dict[str, Any], intent: object = None) -> list[str]:
    return asked(RULE, resource(LEDGER, {"leaving": [left], "intent": intent or {}}))


class TestAlone:
    def test_nothing_leaves_nothing_is_said(self) -> None:
        assert asked(RULE, resource(LEDGER, {"leaving": [], "intent": {}})) == []

    @pytest.mark.parametrize("intent", ["resume", "discard"])
    def test_a_connector_may_go_away_on_purpose(self, intent: str) -> None:
        assert messages(GONE, {"east-to-west-source": intent}) == []

    def test_a_connector_that_goes_away_without_a_word_is_named(self) -> None:
        (message,) = messages({**GONE, "mirrored": 2000.0}, {"another": "discard"})

        assert "Connector east-to-west-source goes away, after up to 2,000 records" in message
        assert "`mirrorstack:intent: {east-to-west-source: resume}`" in message
        assert "stay in mirrorstack-west-offsets" in message

    def test_a_connector_that_begins_anew_is_told_with_what_is_sent_again(self) -> None:
        (message,) = messages(MOVED)

        assert "would look for its offsets in other-offsets" in message
        assert "sends again up to 12,345 records" in message

    def test_it_may_begin_anew_on_purpose_but_cannot_resume(self) -> None:
        assert messages(MOVED, {"east-to-west-source": "restart"}) == []
        assert "`resume` cannot be" in messages(MOVED, {"east-to-west-source": "resume"})[0]

    def test_absent_keys_pass(self) -> None:
        assert asked(RULE, resource(LEDGER, {})) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert messages(GONE, UNKNOWN) == ["unknown"]


class TestThroughTheEngine:
    @pytest.mark.slow
    def test_what_leaves_or_moves_needs_a_word_and_then_passes(
        self, project: PulumiProject
    ) -> None:
        project.write("__main__.py", PROGRAM)
        pack = f"--policy-pack={PACK}"
        project.configure({"connectors": {"a-source": "one", "b-source": "one"}})
        project.up(pack)
        assert RULE not in project.pulumi("preview", pack)

        project.configure({"connectors": {"b-source": "two"}})
        said = project.up(pack, fails=True)

        assert "Connector a-source goes away" in said
        assert "Connector b-source would look for its offsets in two, and they are in one" in said
        assert "Connect could not be asked how many" in said

        meant = {"a-source": "discard", "b-source": "restart"}
        project.configure({"connectors": {"b-source": "two"}, "intent": meant})
        project.up(pack)
        project.configure({"connectors": {"b-source": "two"}})
        assert RULE not in project.pulumi("preview", pack)
