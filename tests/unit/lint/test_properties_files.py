"""Properties files of MirrorMaker, workers and connectors."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from mirrorstack.findings import UserError
from mirrorstack.lint.properties_files import PropertiesKind
from tests.unit.lint.files import PACKAGE, connector, findings, placed

MM2 = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n"
WORKER = """\
bootstrap.servers=b:1
group.id=g
key.converter=org.example.C
value.converter=org.example.C
offset.storage.topic=o
config.storage.topic=c
status.storage.topic=s
"""


class TestProperties:
    def test_an_inline_comment_is_reported_and_the_value_checked_without_it(
        self, tmp_path: Path
    ) -> None:
        content = (
            f"{MM2}tasks.max = 4  # threads\na->b.topics = a, b # two\na.sasl.jaas.config=x #y"
        )
        assert placed(tmp_path, "mm2.properties", content) == [
            (5, "tasks.max", "inline-comment"),
            (6, "a->b.topics", "inline-comment"),
        ]

    def test_a_duplicate_key_is_reported_on_the_line_that_takes_effect(
        self, tmp_path: Path
    ) -> None:
        assert placed(tmp_path, "mm2.properties", f"{MM2}tasks.max=1\n\ntasks.max=2\n") == [
            (7, "tasks.max", "duplicate-key")
        ]

    def test_missing_keys_are_reported_on_the_first_line(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "mm2.properties", "\n\nclusters=a,b\na->b.enabled=true\n") == [
            (1, "a.bootstrap.servers", "missing-key"),
            (1, "b.bootstrap.servers", "missing-key"),
        ]

    def test_a_worker_file_is_distinguished_from_mm2_properties(self, tmp_path: Path) -> None:
        content = f"{WORKER}rest.port=8083\nproducer.batchsize=1\nlinger.ms=5\ntasks.max=3\n"
        assert placed(tmp_path, "connect.properties", content) == [
            (8, "rest.port", "removed-key"),
            (9, "producer.batchsize", "unknown-key"),
            (10, "linger.ms", "unread-key"),
            (11, "tasks.max", "unread-key"),
        ]

    @pytest.mark.parametrize(
        ("old", "new", "line", "key"),
        [
            ("config.storage.topic=c", "config.storage.topic=o", 5, "offset.storage.topic"),
            ("status.storage.topic=s", "status.storage.topic=o", 7, "status.storage.topic"),
        ],
    )
    def test_a_worker_needs_three_different_internal_topics(
        self, tmp_path: Path, old: str, new: str, line: int, key: str
    ) -> None:
        assert placed(tmp_path, "connect.properties", WORKER) == []
        assert placed(tmp_path, "connect.properties", WORKER.replace(old, new)) == [
            (line, key, "conflict")
        ]

    def test_one_internal_topic_for_all_is_reported_for_each_key_to_change(
        self, tmp_path: Path
    ) -> None:
        content = WORKER.replace("topic=c", "topic=o").replace("topic=s", "topic=o")
        (tmp_path / "connect.properties").write_text(content)

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "connect.properties")])

        assert "offset.storage.topic is 'o', and so is config.storage.topic" in shown.output
        assert "status.storage.topic is 'o', and so is config.storage.topic" in shown.output
        assert "fix: use three different topics" in shown.output
        assert shown.exit_code == 1

    def test_a_worker_of_dedicated_mode_needs_three_different_internal_topics(
        self, tmp_path: Path
    ) -> None:
        shared = "b.config.storage.topic=x\nb.offset.storage.topic=x\n"

        assert placed(tmp_path, "mm2.properties", MM2 + shared) == [
            (6, "b.offset.storage.topic", "conflict")
        ]

    def test_a_standalone_worker_needs_no_topics(self, tmp_path: Path) -> None:
        content = """
            bootstrap.servers=b:1
            key.converter=org.example.C
            value.converter=org.example.C
            offset.storage.file.filename=/tmp/offsets
        """
        assert placed(tmp_path, "standalone.properties", content) == []

    def test_a_connector_file_is_checked_as_a_connector(self, tmp_path: Path) -> None:
        config = connector("Source", **{"task.max": "1"})["config"]
        content = "".join(f"{key}={value}\n" for key, value in config.items())
        assert placed(tmp_path, "source.properties", content) == [(6, "task.max", "unknown-key")]

    def test_an_ambiguous_file_needs_the_kind_as_an_option(self, tmp_path: Path) -> None:
        content = "bootstrap.servers=b:1\n"
        with pytest.raises(UserError, match="unknown kind of properties file") as problem:
            placed(tmp_path, "x.properties", content)
        assert "--as worker" in problem.value.fix
        found = findings(tmp_path, "x.properties", content, PropertiesKind.WORKER)
        assert found["group.id"] == "missing-key"

    def test_a_file_that_java_cannot_load_is_an_error_with_its_line(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match=r"x\.properties:2: cannot be parsed: a \\u must"):
            placed(tmp_path, "x.properties", "a=1\nb=C:\\users\n")


FLOW_MM2 = """\
clusters = a, b
a.bootstrap.servers = a:1
b.bootstrap.servers = b:1
a->b.enabled = true
a->b.topics = orders
"""
IDENTITY = f"replication.policy.class = {PACKAGE}.IdentityReplicationPolicy\n"
BACK = "b->a.enabled = true\nb->a.topics = o.*\n"
JSON = "org.apache.kafka.connect.json.JsonConverter"


class TestFlowRules:
    @pytest.mark.parametrize(
        ("more", "line", "key", "rule"),
        [
            (IDENTITY + BACK, 5, "a->b.topics", "no-replication-cycles"),
            ("a->b.topics = b.orders\n", 6, "a->b.topics", "no-cluster-alias-prefix"),
            (IDENTITY + "a->b.topics = my-heartbeats\n", 7, "a->b.topics",
             "no-heartbeats-suffix"),
            (f"b.value.converter = {JSON}\n", 6, "b.value.converter", "byte-array-converters"),
            (f"a->b.key.converter = {JSON}\n", 6, "a->b.key.converter", "byte-array-converters"),
            ("sync.group.offsets.enabled = true\na->b.groups = connect-sink\n", 7, "a->b.groups",
             "no-excluded-groups"),
            ("a->b.groups = billing\n", 4, "a->b.enabled", "sync-group-offsets"),
            ("groups = billing\nsync.group.offsets.enabled = false\n", 7,
             "sync.group.offsets.enabled", "sync-group-offsets"),
            ("groups = .*\na->b.emit.checkpoints.enabled = false\n", 7,
             "a->b.emit.checkpoints.enabled", "checkpoints-for-groups"),
            ("a->b.emit.heartbeats.enabled = false\n", 6, "a->b.emit.heartbeats.enabled",
             "emit-heartbeats"),
            ("emit.heartbeats.enabled = false\n", 6, "emit.heartbeats.enabled",
             "emit-heartbeats"),
            ("a->b.offset-syncs.topic.location = target\n", 6, "a->b.offset-syncs.topic.location",
             "no-heartbeats-on-read-only-clusters"),
        ],
    )  # fmt: skip
    def test_a_broken_rule_is_reported_on_the_line_of_the_key(
        self, tmp_path: Path, more: str, line: int, key: str, rule: str
    ) -> None:
        found = placed(tmp_path, "mm2.properties", FLOW_MM2 + more)

        assert [one for one in found if one[2] != "duplicate-key"] == [(line, key, rule)]

    @pytest.mark.parametrize(
        "more",
        [
            BACK,
            IDENTITY,
            IDENTITY + BACK.replace("o.*", "bills"),
            "a->b.groups = .*\n",
            "a->b.groups = billing\nsync.group.offsets.enabled = true\n",
            # Of a direction that mirrors nothing.
            "b->a.emit.checkpoints.enabled = false\nb->a.groups = billing\n",
            "b->a.emit.heartbeats.enabled = false\n",
            "offset-syncs.topic.location = target\nb->a.emit.heartbeats.enabled = false\n",
            # It is written anyway.
            f"offset-syncs.topic.location = target\n{BACK}",
            "emit.checkpoints.enabled = false\n",
            "a->b.topics = ${file:/etc/topics:ours}\n" + IDENTITY + BACK,
        ],
    )
    def test_valid_flows_have_no_findings(self, tmp_path: Path, more: str) -> None:
        rules = set(findings(tmp_path, "mm2.properties", FLOW_MM2 + more).values())

        assert rules <= {"duplicate-key", "invalid-value"}

    def test_two_sources_that_write_one_topic_are_reported(self, tmp_path: Path) -> None:
        third = f"c.bootstrap.servers = c:1\nc->b.enabled = true\nc->b.topics = .*\n{IDENTITY}"
        content = FLOW_MM2.replace("a, b", "a, b, c") + third

        assert findings(tmp_path, "mm2.properties", content) == {"a->b.topics": "no-merged-sources"}
