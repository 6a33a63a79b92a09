"""What goes away is told before it is gone, unless the stack file says that it is meant."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from policies.view import LEDGER
from tests.policies.asking import UNKNOWN, asked, resource
from tests.policies.conftest import PACK
from tests.pulumi_project import PulumiProject

RULE, COPIES = "connectors-leave-on-purpose", "copies-are-deleted-on-purpose"
LEFT_OVER = "intents-are-taken-off"
GONE = {"name": "east-to-west-source", "offsets": "mirrorstack-west-offsets"}
MOVED = {**GONE, "moves_to": "other-offsets", "mirrored": 12345.0}
DELETED = {"name": "west/east.orders", "connector": "east-to-west-source", "mirrored": 2000.0}
ANEW = {**DELETED, "partitions": 2.0}

PROGRAM = """
    import pulumi
    from components.ledger import Ledger, LedgerArgs
    from mirrorstack.model import ledger

    config = pulumi.Config()
    Ledger("ledger", LedgerArgs(
        connectors={
            name: {**ledger.connector(offsets, None, deletes=True),
                   "rest_url": "http://127.0.0.1:9"}
            for name, offsets in config.require_object("connectors").items()
        },
        topics={
            name: ledger.copy("b-source", "orders", partitions, deletes=True)
            for name, partitions in config.get_object("topics", {}).items()
        },
        intent=config.get_object("intent", {}),
    ))
"""


def said(rule: str, **props: Any) -> list[str]:
    return asked(rule, resource(LEDGER, props))


def messages(left: dict[str, Any], intent: object = None) -> list[str]:
    return said(RULE, leaving=[left], intent=intent or {})


class TestConnectors:
    def test_nothing_leaves_nothing_is_said(self) -> None:
        assert said(RULE, leaving=[], untranslated=[], deleted=[], intent={}, spent=[]) == []

    @pytest.mark.parametrize("intent", ["resume", "discard"])
    def test_a_connector_may_go_away_on_purpose(self, intent: str) -> None:
        assert messages(GONE, {"east-to-west-source": intent}) == []

    def test_a_connector_that_goes_away_without_a_word_is_named(self) -> None:
        left = {**GONE, "mirrored": 2000.0, "copies": 3.0}
        (message,) = messages(left, {"another": "discard"})

        assert "Connector east-to-west-source goes away, after up to 2,000 records" in message
        assert "and 3 topics that it wrote are deleted" in message
        assert "`mirrorstack:intent: {east-to-west-source: resume}`" in message
        assert "stay in mirrorstack-west-offsets" in message

    def test_it_cannot_resume_where_its_offsets_are_deleted(self) -> None:
        left = {**GONE, "offsets_go": True}

        assert messages(left, {"east-to-west-source": "discard"}) == []
        (message,) = messages(left, {"east-to-west-source": "resume"})
        assert "`resume` cannot be, because `delete-topics` deletes its offsets" in message

    def test_a_connector_that_begins_anew_is_told_with_what_is_sent_again(self) -> None:
        (message,) = messages(MOVED)

        assert "would look for its offsets in other-offsets" in message
        assert "sends again up to 12,345 records" in message

    def test_it_may_begin_anew_on_purpose_but_cannot_resume(self) -> None:
        assert messages(MOVED, {"east-to-west-source": "restart"}) == []
        assert "`resume` cannot be" in messages(MOVED, {"east-to-west-source": "resume"})[0]

    def test_a_word_that_was_used_before_is_no_word(self) -> None:
        spent = {"intent": {"east-to-west-source": "discard"}, "spent": ["east-to-west-source"]}
        (message,) = said(RULE, leaving=[GONE], **spent)

        assert "an earlier deployment made use of it: take it off" in message

    def test_a_checkpoint_connector_needs_a_word_too(self) -> None:
        left = [{"name": "east-to-west-checkpoint"}]
        (message,) = said(RULE, untranslated=left)

        assert "No record is sent again or skipped by that" in message
        assert "after a failover each group reads again" in message
        assert said(RULE, untranslated=left, intent={"east-to-west-checkpoint": "discard"}) == []

    def test_absent_keys_pass(self) -> None:
        assert said(RULE) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert messages(GONE, UNKNOWN) == ["unknown"]


class TestCopies:
    def test_a_copy_may_be_deleted_or_made_anew_on_purpose(self) -> None:
        assert said(COPIES, deleted=[DELETED], intent={"west/east.orders": "discard"}) == []
        assert said(COPIES, deleted=[ANEW], intent={"west/east.orders": "restart"}) == []

    def test_one_that_is_deleted_without_a_word_is_named_with_its_records(self) -> None:
        (message,) = said(COPIES, deleted=[DELETED], intent={"west/east.orders": "restart"})

        assert "Topic west/east.orders is deleted, because `delete-topics` is true" in message
        assert "With it go up to 2,000 records" in message
        assert "east-to-west-source sends them again, and skips what the source does not" in message
        assert "`mirrorstack:intent: {west/east.orders: discard}`" in message

    def test_one_that_is_made_anew_is_told_with_what_is_sent_again(self) -> None:
        (message,) = said(COPIES, deleted=[ANEW], intent={"west/east.orders": "discard"})

        assert "is to have 2 partitions, fewer than it has" in message
        assert "east-to-west-source sends again up to 2,000 records" in message
        assert "`mirrorstack:intent: {west/east.orders: restart}`" in message

    def test_what_is_said_about_its_connector_counts_unless_that_comes_back(self) -> None:
        def told(word: str) -> int:
            intent = {"east-to-west-source": word} if word else {}
            return len(said(COPIES, deleted=[DELETED], leaving=[GONE], intent=intent))

        assert (told("discard"), told(""), told("resume")) == (0, 0, 1)

    def test_absent_keys_pass(self) -> None:
        assert said(COPIES) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert said(COPIES, deleted=[DELETED], intent=UNKNOWN) == ["unknown"]


class TestIntentsThatAreLeftOver:
    MEANT: ClassVar = {"east-to-west-source": "discard", "west/east.orders": "discard"}

    def test_those_about_what_leaves_pass(self) -> None:
        leaving = {"leaving": [GONE], "deleted": [DELETED]}

        assert said(LEFT_OVER, intent=self.MEANT, **leaving) == []

    def test_those_that_were_used_or_name_nothing_are_to_be_taken_off(self) -> None:
        used, unused = said(LEFT_OVER, intent=self.MEANT, spent=["east-to-west-source"])

        assert "says `discard` for east-to-west-source, and an earlier deployment made use" in used
        assert "for west/east.orders, and nothing of that name goes away" in unused
        assert "way out: take it off the stack file" in used

    def test_absent_keys_pass(self) -> None:
        assert said(LEFT_OVER) == []
        assert len(said(LEFT_OVER, intent=self.MEANT)) == 2, "then nothing leaves"

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert said(LEFT_OVER, intent=UNKNOWN) == ["unknown"]


class TestThroughTheEngine:
    @pytest.mark.slow
    def test_what_leaves_or_moves_needs_a_word_and_then_passes(
        self, project: PulumiProject
    ) -> None:
        project.write("__main__.py", PROGRAM)
        pack = f"--policy-pack={PACK}"
        copies = {"west/x": 2, "west/y": 2, "west/z": 2}
        project.configure({"connectors": {"a-source": "one", "b-source": "one"}, "topics": copies})
        project.up(pack)
        assert RULE not in project.pulumi("preview", pack)

        changed = {"connectors": {"b-source": "two"}, "topics": {"west/y": 1, "west/z": 3}}
        project.configure(changed)
        said = project.up(pack, fails=True)

        assert "Connector a-source goes away" in said
        assert "Connector b-source would look for its offsets in two, and they are in one" in said
        assert "Connect could not be asked how many" in said
        assert "Topic west/x is deleted, because `delete-topics` is true" in said
        assert "Topic west/y is to have 1 partitions, fewer than it has" in said
        assert "west/z" not in said

        meant = {"a-source": "discard", "b-source": "restart"}
        meant |= {"west/x": "discard", "west/y": "restart"}
        project.configure({**changed, "intent": meant})
        assert LEFT_OVER not in project.up(pack)
        said = project.pulumi("preview", pack)
        assert "for a-source, and an earlier deployment made use of it" in said

        # Left where it is, a word does not cover the next one.
        project.configure({**changed, "topics": {"west/z": 3}, "intent": meant})
        assert "take it off, and deploy, first" in project.up(pack, fails=True)

        project.configure(changed)
        said = project.pulumi("preview", pack)
        assert not [rule for rule in (RULE, COPIES, LEFT_OVER) if rule in said]
