"""Removals and restarts through the real engine, with a deployment record of its own."""

from __future__ import annotations

import pytest

from tests.policies.conftest import PACK
from tests.pulumi_project import PulumiProject

RULE = "intended-connector-removal"
COPIES = "intended-topic-deletion"
LEFT_OVER = "no-unused-intents"
AGAIN = "replay-is-announced"
PROGRAM = """
    import pulumi
    from components.deployment_record import DeploymentRecord, DeploymentRecordArgs
    from mirrorstack.changes.diff import connector_record, topic_record
    from mirrorstack.planning.deployment import RecordContent

    config = pulumi.Config()
    deletes = config.get_bool("deletes", True)
    DeploymentRecord("record", DeploymentRecordArgs(record=RecordContent(
        connectors={
            name: {**connector_record(offsets, None, config.get("heartbeat"),
                                      delete_topics=deletes),
                   "rest_url": "http://127.0.0.1:9"}
            for name, offsets in config.require_object("connectors").items()
        },
        topics={
            name: topic_record("b-source", name.split(".")[-1].split("/")[-1], partitions,
                               delete_topics=deletes)
            for name, partitions in config.get_object("topics", {}).items()
        },
        intent=config.get_object("intent", {}),
        offset_ranges=config.get_object("offset_ranges", {}),
    )))
"""


@pytest.mark.slow
def test_removals_and_restarts_need_an_intent_and_then_pass(project: PulumiProject) -> None:
    project.write("__main__.py", PROGRAM)
    pack = f"--policy-pack={PACK}"
    topics = {"west/x": 2, "west/y": 2, "west/z": 2}
    project.configure({"connectors": {"a-source": "one", "b-source": "one"}, "topics": topics})
    project.up(pack)
    assert RULE not in project.pulumi("preview", pack)

    changed = {"connectors": {"b-source": "two"}, "topics": {"west/y": 1, "west/z": 3}}
    project.configure(changed)
    output = project.up(pack, fails=True)

    assert "Connector a-source would be removed" in output
    assert "Connector b-source would read its offsets from two, but they are in one" in output
    assert "Connect did not report how many" in output
    assert "Topic west/x would be deleted, because `delete-topics` is true" in output
    assert "Topic west/y would be deleted and recreated with 1 partition, fewer" in output
    assert "west/z" not in output

    intents = {"a-source": "discard", "b-source": "restart"}
    intents |= {"west/x": "discard", "west/y": "restart"}
    project.configure({**changed, "intent": intents})
    assert LEFT_OVER not in project.up(pack)
    output = project.pulumi("preview", pack)
    assert "for a-source, but an earlier deployment already used it" in output

    # An intent that stays in the stack file does not apply to the next change.
    project.configure({**changed, "topics": {"west/z": 3}, "intent": intents})
    assert "remove it and deploy first" in project.up(pack, fails=True)

    project.configure(changed)
    output = project.pulumi("preview", pack)
    assert not [rule for rule in (RULE, COPIES, LEFT_OVER) if rule in output]


@pytest.mark.slow
def test_renamed_topics_and_unneeded_intents_are_reported(project: PulumiProject) -> None:
    project.write("__main__.py", PROGRAM)
    pack = f"--policy-pack={PACK}"
    before = {"connectors": {"b-source": "one"}, "topics": {"west/east.x": 2, "west/east.y": 1}}
    project.configure({**before, "heartbeat": "b-heartbeat", "deletes": False})
    project.up(pack)
    written = {"offset_ranges": {"b-source": {"x": [[0, 7], [0, 9]]}}}
    project.configure({**before, **written, "heartbeat": "b-heartbeat", "deletes": False})
    project.pulumi("preview", "--expect-no-changes")

    changed = {"connectors": {"b-source": "one"}, "topics": {"west/x": 2}}
    project.configure({**changed, "intent": {"b-heartbeat": "discard", "b-sorce": "restart"}})
    output = project.pulumi("preview", pack, fails=True)

    assert "would write to west/x instead of west/east.x" in output
    assert "for b-heartbeat, but a heartbeat connector needs no intent" in output
    assert "did you mean `b-source`?" in output
    stays = "warning: west/east.x, west/east.y of b-source stay on the target"
    assert stays in output
    assert stays in project.pulumi("preview"), "without the pack as well"

    project.configure({**changed, "intent": {"b-source": "restart"}})
    output = project.up(pack)
    assert AGAIN in output
    assert "as its intent declares" in output
    assert LEFT_OVER not in output
