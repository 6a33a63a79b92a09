"""Stack files: settings, overrides, passwords, and the rules of the policy pack, with lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from mirrorstack.rules.registry import FLOW_RULES, STACK_FILE_RULES
from tests.unit.lint.files import placed

JSON = "org.apache.kafka.connect.json.JsonConverter"
SANDBOX_STACK = """\
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


class TestSettings:
    def test_a_valid_stack_has_no_findings(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "Pulumi.x.yaml", SANDBOX_STACK) == []

    def test_all_mistakes_are_reported_at_once(self, tmp_path: Path) -> None:
        content = SANDBOX_STACK.replace("topics:", "topcs:").replace(
            "    west:", "    west:\n      red: 1"
        )
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (5, "clusters.west.red", "stack-file"),
            (10, "flows[0].topcs", "stack-file"),
        ]

    def test_a_heap_that_is_too_small_is_reported(self, tmp_path: Path) -> None:
        content = f"{SANDBOX_STACK}  mirrorstack:workers:\n    west: {{heap-mb: 300}}\n"
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (14, "workers.west.heap-mb", "stack-file")
        ]

    def test_a_number_in_an_override_is_valid(self, tmp_path: Path) -> None:
        content = SANDBOX_STACK.replace(
            'consumer.fetch.min.bytes: "1"', "refresh.topics.interval.seconds: 30"
        )
        assert placed(tmp_path, "Pulumi.x.yaml", content) == []

    def test_overrides_are_checked_although_other_keys_are_invalid(self, tmp_path: Path) -> None:
        content = SANDBOX_STACK.replace("topics:", "topcs:").replace("min.bytes:", "min.byte:")
        assert [rule for _, _, rule in placed(tmp_path, "Pulumi.x.yaml", content)] == [
            "stack-file",
            "unknown-key",
        ]

    def test_a_misspelled_naming_has_the_intended_one_as_fix(self, tmp_path: Path) -> None:
        (tmp_path / "Pulumi.x.yaml").write_text(f"{SANDBOX_STACK}      naming: idendity\n")

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "Pulumi.x.yaml")])

        assert (
            'flows[0].naming: must be prefixed, identity or custom, not "idendity"' in shown.output
        )
        assert "fix: did you mean `identity`?" in shown.output
        assert shown.exit_code == 1

    def test_overrides_are_checked_against_kafka_s_keys(self, tmp_path: Path) -> None:
        content = SANDBOX_STACK.replace("consumer.fetch.min.bytes", "consumer.fetch.min.byte")
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
    def test_relations_between_keys_are_checked_as_in_a_preview(
        self, tmp_path: Path, old: str, new: str, line: int
    ) -> None:
        found = placed(tmp_path, "Pulumi.x.yaml", SANDBOX_STACK.replace(old, new))
        assert line in {found_line for found_line, _, _ in found}
        assert {rule for _, _, rule in found} == {"stack-file"}


READ_ONLY_STACK = """\
config:
  mirrorstack:clusters:
    east: {bootstrap-servers: [e:1], administer: false, read-only: true, security: {protocol: SSL}}
    west: {bootstrap-servers: [w:1], security: {protocol: SSL}}
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders]
      groups: [billing]
"""


class TestFlowRules:
    def test_a_stack_that_follows_the_rules_has_no_findings(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "Pulumi.x.yaml", READ_ONLY_STACK) == []

    @pytest.mark.parametrize(
        ("more", "line", "key", "rule"),
        [
            ("heartbeats: false", 10, "heartbeats", "emit-heartbeats"),
            ("sync-group-offsets: false", 10, "sync-group-offsets", "sync-group-offsets"),
            ("exclude-groups: ['b.*']", 9, "groups", "no-excluded-groups"),
            ("override: {source: {sync.topic.acls.enabled: 'true'}}", 10,
             "override.source.sync.topic.acls.enabled", "no-acl-sync"),
            (f"override: {{source: {{value.converter: {JSON}}}}}", 10,
             "override.source.value.converter", "byte-array-converters"),
            ("override: {checkpoint: {offset-syncs.topic.location: source}}", 10,
             "override.checkpoint.offset-syncs.topic.location", "key-set-by-flow"),
            ("override: {heartbeat: {emit.heartbeats.enabled: 'false'}}", 10,
             "override.heartbeat.emit.heartbeats.enabled", "emit-heartbeats"),
        ],
    )  # fmt: skip
    def test_a_broken_rule_is_reported_on_the_line_of_the_key(
        self, tmp_path: Path, more: str, line: int, key: str, rule: str
    ) -> None:
        found = placed(tmp_path, "Pulumi.x.yaml", f"{READ_ONLY_STACK}      {more}\n")

        assert found == [(line, f"flows[0].{key}", rule)]


STACK = """\
config:
  mirrorstack:production: true
  mirrorstack:clusters:
    east: {bootstrap-servers: [e:1], administer: false, security: {protocol: SSL}}
    west:
      bootstrap-servers: [w:1]
      security:
        protocol: SSL
    north: {bootstrap-servers: [n:1], security: {protocol: SSL}}
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders]
    - {from: west, to: north, topics: [bills]}
"""
CYCLE = """
    - from: west
      to: east
      naming: identity
      topics: [orders, x]
"""
CASES = [
    (
        ("administer: false, ", ""),
        ("topics: [orders]\n", "topics: [orders]\n      naming: identity" + CYCLE),
        (11, "flows[0]", "no-replication-cycles"),
    ),
    (
        ("topics: [bills]", "topics: ['.*']"),
        (14, "flows[1].topics", "no-match-all-in-production"),
    ),
    (
        ("topics: [orders]\n", "topics: [orders]\n      naming: identity\n"),
        ("from: west, to: north", "from: north, to: west, naming: identity"),
        ("[bills]", "['orders|bills']"),
        (11, "flows[0]", "no-merged-sources"),
    ),
    (
        ("topics: [orders]", r"topics: ['north\.orders']"),
        (11, "flows[0]", "no-cluster-alias-prefix"),
    ),
    (
        ("topics: [orders]", "topics: [my-heartbeats]\n      naming: identity"),
        (11, "flows[0]", "no-heartbeats-suffix"),
    ),
    (
        ("protocol: SSL\n    north", "protocol: PLAINTEXT\n    north"),
        (8, "clusters.west.security.protocol", "production-clusters-use-tls"),
    ),
]


def changed(*changes: tuple[str, str]) -> str:
    content = STACK
    for old, new in changes:
        assert old in content
        content = content.replace(old, new)
    return content


def test_a_production_stack_that_follows_the_rules_has_no_findings(tmp_path: Path) -> None:
    assert placed(tmp_path, "Pulumi.x.yaml", STACK) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[-1][-1]))
def test_a_broken_rule_is_reported_on_the_line_of_the_key(
    tmp_path: Path, case: tuple[Any, ...]
) -> None:
    *changes, wanted = case
    assert placed(tmp_path, "Pulumi.x.yaml", changed(*changes)) == [wanted]


def test_the_namespace_of_an_embedding_project_is_checked(tmp_path: Path) -> None:
    content = changed(("topics: [bills]", "tpics: [bills]")).replace("mirrorstack:", "shop:")
    assert placed(tmp_path, "Pulumi.x.yaml", content) == [(14, "flows[1].tpics", "stack-file")]


class TestPeers:
    PEERS = ("config:\n", "config:\n  mirrorstack:peers: [Pulumi.y.yaml]\n")

    def test_peers_are_checked_together(self, tmp_path: Path) -> None:
        (tmp_path / "Pulumi.y.yaml").write_text(STACK)
        found = placed(tmp_path, "Pulumi.x.yaml", changed(self.PEERS))
        assert {rule for _, _, rule in found} == {"no-shared-state"}
        assert {(line, key) for line, key, _ in found} >= {(6, "clusters.west"), (12, "flows[0]")}

    def test_a_peer_that_cannot_be_read_is_reported_and_the_rest_is_checked(
        self, tmp_path: Path
    ) -> None:
        content = changed(self.PEERS, ("topics: [bills]", "topics: ['.*']"))
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (2, "peers[0]", "stack-file"),
            (15, "flows[1].topics", "no-match-all-in-production"),
        ]


def test_a_stack_without_its_passwords_is_checked_by_the_rules_too(tmp_path: Path) -> None:
    content = changed(
        ("[e:1], administer: false, security: {protocol: SSL}",
         "[e:1], administer: false, principals: {mirror: m}"),
        ("topics: [bills]", "topics: ['.*']"),
    )  # fmt: skip
    rules = [rule for _, _, rule in placed(tmp_path, "Pulumi.x.yaml", content)]
    assert rules == ["stack-file", "no-match-all-in-production"]


def test_every_rule_about_declarations_has_a_case() -> None:
    tried = {str(case[-1][-1]) for case in CASES} | {"no-shared-state"}
    assert tried == {rule.id for rule in (*STACK_FILE_RULES, *FLOW_RULES)}
