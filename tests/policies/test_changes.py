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
AGAIN = "what-is-sent-again-is-told"
GONE = {"name": "east-to-west-source", "offsets": "mirrorstack-west-offsets"}
MOVED = {**GONE, "moves_to": "other-offsets", "mirrored": 12345.0}
DELETED = {"name": "west/east.orders", "connector": "east-to-west-source", "mirrored": 2000.0}
ANEW = {**DELETED, "partitions": 2.0}
RENAMED = {
    "name": "east-to-west-source",
    "topics": ["orders", "clicks"],
    "copy": "west/east.orders",
    "becomes": "west/orders",
    "mirrored": 2000.0,
    "held": 1500.0,
}

PROGRAM = """
    import pulumi
    from components.deployment_record import Ledger, LedgerArgs
    from mirrorstack.changes import diff as ledger

    config = pulumi.Config()
    deletes = config.get_bool("deletes", True)
    Ledger("ledger", LedgerArgs(
        connectors={
            name: {**ledger.connector(offsets, None, config.get("heartbeat"), deletes=deletes),
                   "rest_url": "http://127.0.0.1:9"}
            for name, offsets in config.require_object("connectors").items()
        },
        topics={
            name: ledger.copy("b-source", name.split(".")[-1].split("/")[-1], partitions,
                              deletes=deletes)
            for name, partitions in config.get_object("topics", {}).items()
        },
        intent=config.get_object("intent", {}),
        spans=config.get_object("spans", {}),
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


class TestNaming:
    def told(self, word: str | None = None, rule: str = RULE) -> list[str]:
        intent = {"east-to-west-source": word} if word else {}
        return said(rule, renamed=[RENAMED], intent=intent)

    def test_another_naming_is_told_with_what_is_sent_again_and_what_is_skipped(self) -> None:
        (message,) = self.told()

        assert "writes to west/orders what it has written to west/east.orders" in message
        assert "for 2 of its topics, and sends again up to 1,500 records" in message
        assert "Up to 500 that the source does not hold any more are skipped" in message
        assert "`mirrorstack:intent: {east-to-west-source: restart}`" in message

    @pytest.mark.parametrize("word", ["resume", "discard"])
    def test_another_word_is_refused_with_the_same_number(self, word: str) -> None:
        (message,) = self.told(word)

        assert "sends again up to 1,500 records" in message
        assert f"`{word}` cannot be" in message

    def test_it_may_be_meant_and_the_number_is_told_all_the_same(self) -> None:
        assert self.told("restart") == []
        (message,) = self.told("restart", AGAIN)

        assert "as the stack file says" in message
        assert "sends again up to 1,500 records" in message
        assert self.told("discard", AGAIN) == []

    def test_a_copy_that_is_deleted_with_its_old_name_says_where_its_records_go(self) -> None:
        (message,) = said(COPIES, deleted=[{**DELETED, "becomes": "west/orders", "held": 1500.0}])

        assert "its flow's `naming` calls it west/orders from now on" in message
        assert "With it go up to 2,000 records" in message
        assert "sends again up to 1,500 records" in message

    def test_where_its_offsets_move_too_one_message_is_enough(self) -> None:
        assert len(said(RULE, leaving=[MOVED], renamed=[RENAMED])) == 1


class TestWhatIsSentAgainOnPurpose:
    MEANT: ClassVar = {"east-to-west-source": "restart", "west/east.orders": "restart"}

    def test_connectors_and_copies_that_begin_anew_are_told_with_the_number(self) -> None:
        moved = {**MOVED, "held": 45.0}
        connector, copy = said(AGAIN, leaving=[moved], deleted=[ANEW], intent=self.MEANT)

        assert "begins at the earliest record, as the stack file says" in connector
        assert "sends again up to 45 records" in connector
        assert "Topic west/east.orders is made anew" in copy
        assert "sends again up to 2,000 records" in copy

    def test_what_only_goes_away_sends_nothing_again(self) -> None:
        assert said(AGAIN, leaving=[GONE], deleted=[DELETED], intent=self.MEANT) == []

    def test_absent_keys_pass(self) -> None:
        assert said(AGAIN) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert said(AGAIN, leaving=[MOVED], intent=UNKNOWN) == ["unknown"]


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
        assert "fix: take it off the stack file" in used

    @pytest.mark.parametrize(
        ("because", "why"),
        [
            ("heartbeat", "a heartbeat connector needs no word: it has no offsets that matter"),
            ("checkpoint", "a checkpoint connector that goes with its flow needs no word: what is"),
            ("protected", "that topic stays on the target with its records"),
        ],
    )
    def test_those_about_what_needs_no_word_say_so(self, because: str, why: str) -> None:
        wordless = [{"name": "it", "because": because}]
        (message,) = said(LEFT_OVER, wordless=wordless, intent={"it": "discard"})

        assert f"says `discard` for it, and {why}" in message
        assert "nothing of that name" not in message

    def test_those_about_what_stays_say_so(self) -> None:
        connectors = {"east-to-west-source": {"checkpoint": "east-to-west-checkpoint"}}
        for name in ("east-to-west-source", "east-to-west-checkpoint", "west/orders"):
            there = {"connectors": connectors, "topics": {"west/orders": {}}}
            (message,) = said(LEFT_OVER, intent={name: "discard"}, **there)

            assert f"for {name}, and it stays as it is" in message

    def test_a_mistyped_name_comes_with_the_one_that_was_meant(self) -> None:
        typo = {"east-to-west-sorce": "discard"}
        (message,) = said(LEFT_OVER, leaving=[GONE], intent=typo)
        (other,) = said(LEFT_OVER, intent={"west/east.order": "discard"}, deleted=[DELETED])

        assert "did you mean `east-to-west-source`? Else take it off" in message
        assert "did you mean `west/east.orders`?" in other

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

    @pytest.mark.slow
    def test_names_that_change_and_words_that_are_not_needed_are_told(
        self, project: PulumiProject
    ) -> None:
        project.write("__main__.py", PROGRAM)
        pack = f"--policy-pack={PACK}"
        before = {"connectors": {"b-source": "one"}, "topics": {"west/east.x": 2, "west/east.y": 1}}
        project.configure({**before, "heartbeat": "b-heartbeat", "deletes": False})
        project.up(pack)
        written = {"spans": {"b-source": {"x": [[0, 7], [0, 9]]}}}
        project.configure({**before, **written, "heartbeat": "b-heartbeat", "deletes": False})
        project.pulumi("preview", "--expect-no-changes")

        changed = {"connectors": {"b-source": "one"}, "topics": {"west/x": 2}}
        project.configure({**changed, "intent": {"b-heartbeat": "discard", "b-sorce": "restart"}})
        said = project.pulumi("preview", pack, fails=True)

        assert "writes to west/x what it has written to west/east.x" in said
        assert "for b-heartbeat, and a heartbeat connector needs no word" in said
        assert "did you mean `b-source`?" in said
        stays = "warning: west/east.x, west/east.y of b-source stay on the target"
        assert stays in said
        assert stays in project.pulumi("preview"), "without the pack as well"

        project.configure({**changed, "intent": {"b-source": "restart"}})
        said = project.up(pack)
        assert AGAIN in said
        assert "as the stack file says" in said
        assert LEFT_OVER not in said
