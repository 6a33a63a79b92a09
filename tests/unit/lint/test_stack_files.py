"""Stack files are judged by the policy pack's rules, without Pulumi, with the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.rules.registry import FLOW_RULES, STACK_FILE_RULES
from tests.unit.lint.files import placed

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
RING = """
    - from: west
      to: east
      naming: identity
      topics: [orders, x]
"""
CASES = [
    (
        ("administer: false, ", ""),
        ("topics: [orders]\n", "topics: [orders]\n      naming: identity" + RING),
        (11, "flows[0]", "no-replication-cycles"),
    ),
    (("topics: [bills]", "topics: ['.*']"), (14, "flows[1].topics", "no-match-all-in-production")),
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


def test_what_keeps_all_rules_passes(tmp_path: Path) -> None:
    assert placed(tmp_path, "Pulumi.x.yaml", STACK) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[-1][-1]))
def test_what_breaks_one_is_named_where_it_stands(tmp_path: Path, case: tuple[Any, ...]) -> None:
    *changes, wanted = case
    assert placed(tmp_path, "Pulumi.x.yaml", changed(*changes)) == [wanted]


def test_the_namespace_of_an_embedding_project_is_checked(tmp_path: Path) -> None:
    content = changed(("topics: [bills]", "tpics: [bills]")).replace("mirrorstack:", "shop:")
    assert placed(tmp_path, "Pulumi.x.yaml", content) == [(14, "flows[1].tpics", "stack-file")]


class TestPeers:
    PEERS = ("config:\n", "config:\n  mirrorstack:peers: [Pulumi.y.yaml]\n")

    def test_they_are_looked_at_together(self, tmp_path: Path) -> None:
        (tmp_path / "Pulumi.y.yaml").write_text(STACK)
        found = placed(tmp_path, "Pulumi.x.yaml", changed(self.PEERS))
        assert {rule for _, _, rule in found} == {"no-shared-state"}
        assert {(line, key) for line, key, _ in found} >= {(6, "clusters.west"), (12, "flows[0]")}

    def test_one_that_cannot_be_read_is_named_and_the_rest_is_judged(self, tmp_path: Path) -> None:
        content = changed(self.PEERS, ("topics: [bills]", "topics: ['.*']"))
        assert placed(tmp_path, "Pulumi.x.yaml", content) == [
            (2, "peers[0]", "stack-file"),
            (15, "flows[1].topics", "no-match-all-in-production"),
        ]


def test_a_stack_without_its_passwords_is_judged_all_the_same(tmp_path: Path) -> None:
    content = changed(
        ("[e:1], administer: false, security: {protocol: SSL}",
         "[e:1], administer: false, principals: {mirror: m}"),
        ("topics: [bills]", "topics: ['.*']"),
    )  # fmt: skip
    rules = [rule for _, _, rule in placed(tmp_path, "Pulumi.x.yaml", content)]
    assert rules == ["stack-file", "no-match-all-in-production"]


def test_every_judgement_has_a_case() -> None:
    tried = {str(case[-1][-1]) for case in CASES} | {"no-shared-state"}
    assert tried == {rule.id for rule in (*STACK_FILE_RULES, *FLOW_RULES)}
