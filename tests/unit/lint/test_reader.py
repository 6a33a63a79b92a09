"""Every kind of file: what is found in it, on which line."""

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
    def test_an_inline_comment_is_named_and_the_rest_judged_as_it_was_meant(
        self, tmp_path: Path
    ) -> None:
        content = (
            f"{MM2}tasks.max = 4  # threads\na->b.topics = a, b # two\na.sasl.jaas.config=x #y"
        )
        assert placed(tmp_path, "mm2.properties", content) == [
            (5, "tasks.max", "inline-comment"),
            (6, "a->b.topics", "inline-comment"),
        ]

    def test_a_key_that_stands_twice_is_named_where_it_counts(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "mm2.properties", f"{MM2}tasks.max=1\n\ntasks.max=2\n") == [
            (7, "tasks.max", "duplicate-key")
        ]

    def test_what_is_missing_is_on_the_first_line(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "mm2.properties", "\n\nclusters=a,b\na->b.enabled=true\n") == [
            (1, "a.bootstrap.servers", "missing-key"),
            (1, "b.bootstrap.servers", "missing-key"),
        ]

    def test_a_worker_s_file_is_told_from_mirrormaker_s(self, tmp_path: Path) -> None:
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
    def test_a_worker_keeps_configs_offsets_and_states_in_three_topics(
        self, tmp_path: Path, old: str, new: str, line: int, key: str
    ) -> None:
        assert placed(tmp_path, "connect.properties", WORKER) == []
        assert placed(tmp_path, "connect.properties", WORKER.replace(old, new)) == [
            (line, key, "conflict")
        ]

    def test_one_topic_for_all_three_is_told_for_each_that_has_to_change(
        self, tmp_path: Path
    ) -> None:
        content = WORKER.replace("topic=c", "topic=o").replace("topic=s", "topic=o")
        (tmp_path / "connect.properties").write_text(content)

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "connect.properties")])

        assert "offset.storage.topic is 'o', and so is config.storage.topic" in shown.output
        assert "status.storage.topic is 'o', and so is config.storage.topic" in shown.output
        assert "fix: use three different topics" in shown.output
        assert shown.exit_code == 1

    def test_so_does_every_worker_of_dedicated_mode(self, tmp_path: Path) -> None:
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

    def test_a_connector_s_file(self, tmp_path: Path) -> None:
        config = connector("Source", **{"task.max": "1"})["config"]
        content = "".join(f"{key}={value}\n" for key, value in config.items())
        assert placed(tmp_path, "source.properties", content) == [(6, "task.max", "unknown-key")]

    def test_a_file_that_does_not_tell_what_it_is_can_be_told(self, tmp_path: Path) -> None:
        content = "bootstrap.servers=b:1\n"
        with pytest.raises(UserError, match="unknown kind of properties file") as problem:
            placed(tmp_path, "x.properties", content)
        assert "--as worker" in problem.value.fix
        found = findings(tmp_path, "x.properties", content, PropertiesKind.WORKER)
        assert found["group.id"] == "missing-key"

    def test_what_java_cannot_load_is_refused_with_its_line(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match=r"x\.properties:2: cannot be parsed: a \\u must"):
            placed(tmp_path, "x.properties", "a=1\nb=C:\\users\n")


class TestConnectors:
    def test_all_shapes_that_connect_speaks(self, tmp_path: Path) -> None:
        wrong = connector("Source", **{"task.max": 1})
        expanded = {"a-to-b": {"info": {**wrong, "tasks": [], "type": "source"}, "status": {}}}
        for content in (wrong, wrong["config"], [wrong], expanded):
            assert findings(tmp_path, "c.json", content) == {"task.max": "unknown-key"}

    def test_the_line_is_the_key_s(self, tmp_path: Path) -> None:
        wrong = connector("Source", **{"task.max": 1, "topics": "a"})
        assert placed(tmp_path, "c.json", wrong) == [(9, "task.max", "unknown-key")]

    def test_numbers_and_booleans_are_texts_and_lists_are_refused(self, tmp_path: Path) -> None:
        mixed = connector("Source", **{"tasks.max": 4, "sync.topic.acls.enabled": False})
        assert findings(tmp_path, "c.json", mixed) == {}
        listed = connector("Source", topics=["a", "b"])
        assert findings(tmp_path, "c.json", listed) == {"topics": "invalid-value"}

    def test_connectors_of_one_flow_that_disagree(self, tmp_path: Path) -> None:
        policy = {"replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy"}
        both = [
            connector("Source", **policy, **{"offset-syncs.topic.location": "target"}),
            connector("Checkpoint", **policy),
        ]
        assert findings(tmp_path, "both.json", both) == {
            "offset-syncs.topic.location": "consistent-connectors"
        }

    def test_two_names_and_no_class(self, tmp_path: Path) -> None:
        odd = connector("Source", name="other")
        assert findings(tmp_path, "c.json", odd) == {"name": "conflict"}
        del odd["config"]["name"], odd["config"]["connector.class"]
        assert findings(tmp_path, "c.json", odd) == {"connector.class": "missing-key"}

    def test_other_connectors_are_left_alone(self, tmp_path: Path) -> None:
        other = {"name": "x", "config": {"connector.class": "org.example.Sink", "task.max": 1}}
        assert findings(tmp_path, "c.json", other) == {}


STACK = """\
config:
  mirrorstack:clusters:
    east: {sandbox: default}
    west:
      sandbox: default
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders]
      override:
        source:
          consumer.fetch.min.bytes: "1"
"""


class TestStackFiles:
    def test_what_is_right_passes(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "Pulumi.x.yaml", STACK) == []

    def test_everything_that_is_wrong_is_named_at_once(self, tmp_path: Path) -> None:
        content = STACK.replace("topics:", "topcs:").replace("    west:", "    west:\n      red: 1")
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (5, "clusters.west.red", "stack-file"),
            (10, "flows[0].topcs", "stack-file"),
        ]

    def test_a_mistyped_naming_comes_with_the_one_that_was_meant(self, tmp_path: Path) -> None:
        (tmp_path / "Pulumi.x.yaml").write_text(f"{STACK}      naming: idendity\n")

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "Pulumi.x.yaml")])

        assert 'flows[0].naming: must be prefixed or identity, not "idendity"' in shown.output
        assert "fix: did you mean `identity`?" in shown.output
        assert shown.exit_code == 1

    def test_keys_of_mirrormaker_are_judged_where_they_are_overridden(self, tmp_path: Path) -> None:
        content = STACK.replace("consumer.fetch.min.bytes", "consumer.fetch.min.byte")
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (12, "flows[0].override.source.consumer.fetch.min.byte", "unknown-key")
        ]

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ("to: west", "to: north", 8),
            ("sandbox: default\n", "bootstrap-servers: [w:1]\n", 4),
            ("  mirrorstack:flows", "  mirrorstack:west-mirror-password: hunter2\n"
             "  mirrorstack:flows", 6),
        ],
    )  # fmt: skip
    def test_what_belongs_together_is_checked_as_at_preview(
        self, tmp_path: Path, old: str, new: str, line: int
    ) -> None:
        found = placed(tmp_path, "Pulumi.x.yaml", STACK.replace(old, new))
        assert line in {found_line for found_line, _, _ in found}
        assert {rule for _, _, rule in found} == {"stack-file"}


class TestWhatCannotBeRead:
    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("x.json", '{"a": 1,\n}', "x.json:2: cannot be parsed"),
            ("x.json", "[]", "contains no connector"),
            ("x.json", '{"a": 1}', "contains no connector"),
            ("x.yaml", "a: [1", "x.yaml:1: cannot be parsed"),
            ("x.yaml", "a: &b [*b]", "contains itself"),
            ("x.yaml", "a: 1", "contains neither"),
            ("x.yaml", "", "contains neither"),
            ("x.yaml", "a: b: c", "x.yaml:1: cannot be parsed"),
        ],
    )
    def test_one_message_says_why(self, tmp_path: Path, name: str, content: str, said: str) -> None:
        with pytest.raises(UserError, match=said):
            placed(tmp_path, name, content)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        from mirrorstack.lint.reader import lint_file

        file = tmp_path / "x.json"
        file.write_bytes(b'{"a":\n"\xff"}')
        with pytest.raises(UserError, match=r"x\.json:2: cannot be read: not UTF-8"):
            lint_file(file)
