"""A removal, restart or deletion is reported before it happens, unless an intent declares it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from policies.resources import DEPLOYMENT_RECORD
from tests.policies.harness import UNKNOWN, resource, violations_of

RULE, COPIES = "intended-connector-removal", "intended-topic-deletion"
LEFT_OVER = "no-unused-intents"
AGAIN = "replay-is-announced"
SOURCE = "east-to-west-source"
REMOVED = {"name": SOURCE, "offsets_topic": "mirrorstack-west-offsets"}
MOVED = {
    **REMOVED,
    "new_offsets_topic": "other-offsets",
    "estimate": {"replicated": 12345.0},
}
DELETED = {"name": "west/east.orders", "connector": SOURCE, "estimate": {"replicated": 2000.0}}
RECREATED = {**DELETED, "new_partitions": 2.0}
RENAMED = {
    "connector": SOURCE,
    "topics": ["orders", "clicks"],
    "old_name": "west/east.orders",
    "new_name": "west/orders",
    "estimate": {"replicated": 2000.0, "retained": 1500.0},
}


def found(rule: str, **props: Any) -> list[str]:
    return violations_of(rule, resource(DEPLOYMENT_RECORD, props))


def removed(connector: dict[str, Any], intent: object = None) -> list[str]:
    return found(RULE, removed_connectors=[connector], intent=intent or {})


def moved(intent: object = None) -> list[str]:
    return found(RULE, moved_connectors=[MOVED], intent=intent or {})


class TestConnectors:
    def test_nothing_is_reported_if_nothing_changes(self) -> None:
        empty: dict[str, list[Any]] = {"removed_connectors": [], "deleted_topics": []}

        assert found(RULE, **empty, intent={}, used_intents=[]) == []

    @pytest.mark.parametrize("intent", ["resume", "discard"])
    def test_a_connector_may_be_removed_with_an_intent(self, intent: str) -> None:
        assert removed(REMOVED, {SOURCE: intent}) == []

    def test_a_connector_removed_without_an_intent_is_reported(self) -> None:
        connector = {**REMOVED, "estimate": {"replicated": 2000.0}, "deleted_topics": 3.0}
        (message,) = removed(connector, {"another": "discard"})

        assert f"Connector {SOURCE} would be removed, and no intent is declared for it" in message
        assert "It has replicated up to 2,000 records" in message
        assert "3 target topics would be deleted with it" in message
        assert "`mirrorstack:intent: {east-to-west-source: resume}`" in message
        assert "stay in mirrorstack-west-offsets" in message

    def test_a_connector_cannot_resume_if_its_offsets_are_deleted(self) -> None:
        connector = {**REMOVED, "deletes_offsets": True}

        assert removed(connector, {SOURCE: "discard"}) == []
        (message,) = removed(connector, {SOURCE: "resume"})
        assert "`resume` is not possible, because `delete-topics` deletes its offsets" in message

    def test_a_restart_is_reported_with_the_records_to_replicate_again(self) -> None:
        (message,) = moved()

        assert "would read its offsets from other-offsets" in message
        assert "replicate again up to 12,345 records" in message

    def test_a_moved_connector_may_restart_but_cannot_resume(self) -> None:
        assert moved({SOURCE: "restart"}) == []
        assert "`resume` is not possible" in moved({SOURCE: "resume"})[0]

    def test_an_intent_that_was_used_before_does_not_apply_again(self) -> None:
        used = {"intent": {SOURCE: "discard"}, "used_intents": [SOURCE]}
        (message,) = found(RULE, removed_connectors=[REMOVED], **used)

        assert "an earlier deployment used it: remove it and deploy first" in message

    def test_a_checkpoint_connector_needs_an_intent_too(self) -> None:
        removed = [{"name": "east-to-west-checkpoint"}]
        (message,) = found(RULE, removed_checkpoints=removed)

        assert "No record is replicated again or skipped" in message
        assert "after a failover each group reads again" in message
        intent = {"east-to-west-checkpoint": "discard"}
        assert found(RULE, removed_checkpoints=removed, intent=intent) == []

    def test_absent_keys_pass(self) -> None:
        assert found(RULE) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert removed(REMOVED, UNKNOWN) == ["unknown"]


class TestNaming:
    def renamed(self, intent: str | None = None, rule: str = RULE) -> list[str]:
        declared = {SOURCE: intent} if intent else {}
        return found(rule, renamed_topics=[RENAMED], intent=declared)

    def test_another_naming_is_reported_with_replayed_and_skipped_records(self) -> None:
        (message,) = self.renamed()

        assert "would write to west/orders instead of west/east.orders" in message
        assert "for 2 topics and replicates again up to 1,500 records" in message
        assert "Up to 500 records that the source no longer retains are skipped" in message
        assert "`mirrorstack:intent: {east-to-west-source: restart}`" in message

    @pytest.mark.parametrize("intent", ["resume", "discard"])
    def test_another_intent_is_rejected_with_the_same_number(self, intent: str) -> None:
        (message,) = self.renamed(intent)

        assert "replicates again up to 1,500 records" in message
        assert f"`{intent}` is not possible" in message

    def test_the_number_of_records_is_reported_even_if_the_restart_is_intended(self) -> None:
        assert self.renamed("restart") == []
        (message,) = self.renamed("restart", AGAIN)

        assert "as its intent declares" in message
        assert "replicates again up to 1,500 records" in message
        assert self.renamed("discard", AGAIN) == []

    def test_a_topic_deleted_with_its_old_name_is_reported_with_its_new_one(self) -> None:
        topic = {**DELETED, "new_name": "west/orders"}
        topic["estimate"] = {"replicated": 2000.0, "retained": 1500.0}
        (message,) = found(COPIES, deleted_topics=[topic])

        assert "`naming` of its flow changes its name to west/orders" in message
        assert "This deletes up to 2,000 records" in message
        assert "replicate again up to 1,500 records" in message

    def test_a_connector_whose_offsets_move_too_is_reported_once(self) -> None:
        assert len(found(RULE, moved_connectors=[MOVED], renamed_topics=[RENAMED])) == 1


class TestIntendedRestarts:
    INTENT: ClassVar = {SOURCE: "restart", "west/east.orders": "restart"}

    def test_restarts_are_reported_with_the_number_of_records(self) -> None:
        moved = {**MOVED, "estimate": {"replicated": 12345.0, "retained": 45.0}}
        connector, topic = found(
            AGAIN, moved_connectors=[moved], deleted_topics=[RECREATED], intent=self.INTENT
        )

        assert "restarts from earliest, as its intent declares" in connector
        assert "replicates again up to 45 records" in connector
        assert "Topic west/east.orders is deleted and recreated" in topic
        assert "replicates again up to 2,000 records" in topic

    def test_a_removal_replicates_nothing_again(self) -> None:
        changes = {"removed_connectors": [REMOVED], "deleted_topics": [DELETED]}

        assert found(AGAIN, **changes, intent=self.INTENT) == []

    def test_absent_keys_pass(self) -> None:
        assert found(AGAIN) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert found(AGAIN, moved_connectors=[MOVED], intent=UNKNOWN) == ["unknown"]


class TestTopics:
    def test_a_topic_may_be_deleted_or_recreated_with_an_intent(self) -> None:
        name = "west/east.orders"

        assert found(COPIES, deleted_topics=[DELETED], intent={name: "discard"}) == []
        assert found(COPIES, deleted_topics=[RECREATED], intent={name: "restart"}) == []

    def test_a_topic_deleted_without_an_intent_is_reported_with_its_records(self) -> None:
        intent = {"west/east.orders": "restart"}
        (message,) = found(COPIES, deleted_topics=[DELETED], intent=intent)

        assert "Topic west/east.orders would be deleted, because `delete-topics` is true" in message
        assert "This deletes up to 2,000 records" in message
        assert f"{SOURCE} replicates them again, except those that the source no" in message
        assert "`mirrorstack:intent: {west/east.orders: discard}`" in message

    def test_a_topic_to_recreate_is_reported_with_the_records_to_replicate_again(self) -> None:
        intent = {"west/east.orders": "discard"}
        (message,) = found(COPIES, deleted_topics=[RECREATED], intent=intent)

        assert "deleted and recreated with 2 partitions, fewer than it has" in message
        assert f"{SOURCE} would replicate again up to 2,000 records" in message
        assert "`mirrorstack:intent: {west/east.orders: restart}`" in message

    def test_the_intent_of_its_connector_applies_unless_that_resumes(self) -> None:
        def count(intent: str) -> int:
            changes = {"deleted_topics": [DELETED], "removed_connectors": [REMOVED]}
            return len(found(COPIES, **changes, intent={SOURCE: intent} if intent else {}))

        assert (count("discard"), count(""), count("resume")) == (0, 0, 1)

    def test_absent_keys_pass(self) -> None:
        assert found(COPIES) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert found(COPIES, deleted_topics=[DELETED], intent=UNKNOWN) == ["unknown"]


class TestUnneededIntents:
    INTENT: ClassVar = {SOURCE: "discard", "west/east.orders": "discard"}

    def test_intents_for_changes_pass(self) -> None:
        changes = {"removed_connectors": [REMOVED], "deleted_topics": [DELETED]}

        assert found(LEFT_OVER, intent=self.INTENT, **changes) == []

    def test_intents_that_were_used_or_match_nothing_are_to_be_removed(self) -> None:
        used, unmatched = found(LEFT_OVER, intent=self.INTENT, used_intents=[SOURCE])

        assert f"declares `discard` for {SOURCE}, but an earlier deployment already used" in used
        assert "for west/east.orders, but no connector or topic of that name" in unmatched
        assert "fix: remove it from the stack file" in used

    @pytest.mark.parametrize(
        ("reason", "text"),
        [
            ("heartbeat", "a heartbeat connector needs no intent: its offsets do not matter"),
            ("checkpoint", "a checkpoint connector that is removed with its flow needs no intent"),
            ("protected", "the topic stays on the target with its records"),
        ],
    )
    def test_intents_for_exempt_changes_are_reported_with_the_reason(
        self, reason: str, text: str
    ) -> None:
        exempt = [{"name": "it", "reason": reason}]
        (message,) = found(LEFT_OVER, exempt=exempt, intent={"it": "discard"})

        assert f"declares `discard` for it, but {text}" in message
        assert "of that name" not in message

    def test_intents_for_unchanged_names_are_reported(self) -> None:
        connectors = {SOURCE: {"checkpoint": "east-to-west-checkpoint"}}
        for name in (SOURCE, "east-to-west-checkpoint", "west/orders"):
            unchanged = {"connectors": connectors, "topics": {"west/orders": {}}}
            (message,) = found(LEFT_OVER, intent={name: "discard"}, **unchanged)

            assert f"for {name}, but this deployment does not change it" in message

    def test_a_mistyped_name_is_reported_with_the_closest_change(self) -> None:
        typo = {"east-to-west-sorce": "discard"}
        (message,) = found(LEFT_OVER, removed_connectors=[REMOVED], intent=typo)
        typo = {"west/east.order": "discard"}
        (other,) = found(LEFT_OVER, intent=typo, deleted_topics=[DELETED])

        assert f"did you mean `{SOURCE}`? Otherwise remove it" in message
        assert "did you mean `west/east.orders`?" in other

    def test_absent_keys_pass(self) -> None:
        assert found(LEFT_OVER) == []
        assert len(found(LEFT_OVER, intent=self.INTENT)) == 2, "then nothing changes"

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert found(LEFT_OVER, intent=UNKNOWN) == ["unknown"]
