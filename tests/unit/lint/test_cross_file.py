"""Checks over several files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from tests.unit.lint.files import PACKAGE, connector

MM2 = "clusters=a,b\na.bootstrap.servers=a:1\nb.bootstrap.servers=b:1\na->b.enabled=true\n"
IDENTITY = {"replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy"}
WORKER = """\
bootstrap.servers=b:1
group.id=one
key.converter=org.example.C
value.converter=org.example.C
offset.storage.topic=o
config.storage.topic=c
status.storage.topic=s
"""


@pytest.fixture
def linted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Findings as (file, rule, message and fix)."""
    monkeypatch.chdir(tmp_path)

    def linted(**files: str | dict[str, Any]) -> list[tuple[str, str, str]]:
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            Path(name).write_text(text)
        shown = CliRunner().invoke(main, ["lint", "--format", "json", *files])
        found = json.loads(shown.stdout)["findings"]
        assert shown.exit_code == (1 if found else 0)
        return [(one["file"], one["rule"], f"{one['message']} {one['fix']}") for one in found]

    return linted


class TestConnectors:
    def test_connectors_of_one_flow_must_agree_across_files(self, linted: Any) -> None:
        source = connector("Source", **{"offset-syncs.topic.location": "target"})
        ((file, rule, what),) = linted(one=source, two=connector("Checkpoint"))

        assert (file, rule) == ("two", "consistent-connectors")
        assert "'source' for a-to-b-checkpoint and 'target' for a-to-b-source" in what

    def test_two_environments_with_the_same_aliases_have_no_findings(self, linted: Any) -> None:
        elsewhere = {
            f"{end}.cluster.bootstrap.servers": f"{end}.test:9092" for end in ("source", "target")
        }
        assert linted(prod=connector("Source", **IDENTITY), test=connector("Source")) != []
        assert linted(prod=connector("Source"), test=connector("Checkpoint", **elsewhere)) == []

    def test_a_heartbeat_connector_with_another_target_alias_is_reported_once(
        self, linted: Any
    ) -> None:
        beat = connector("Heartbeat", **{"target.cluster.alias": "B"})
        silent = connector("Heartbeat", **{"target.cluster.alias": "B"})
        del silent["config"]["source.cluster.bootstrap.servers"]

        for heartbeat in (beat, silent):
            ((file, rule, what),) = linted(one=connector("Source"), two=heartbeat)
            assert (file, rule) == ("two", "consistent-connectors")
            assert "one flow has two aliases for its target" in what

    def test_a_difference_within_a_file_is_reported_once(self, linted: Any) -> None:
        both = json.dumps([connector("Source", **IDENTITY), connector("Checkpoint")])

        assert len(linted(both=both, third=connector("Heartbeat", **IDENTITY))) == 1

    def test_a_cycle_through_two_files_names_both(self, linted: Any) -> None:
        identity = "".join(f"{key}={value}\n" for key, value in IDENTITY.items())
        back = MM2.replace("a->b.enabled", "b->a.enabled")
        found = linted(**{"there.properties": MM2 + identity, "back.properties": back + identity})

        (what,) = [what for _, rule, what in found if rule == "no-replication-cycles"]
        assert "Flows a->b of there.properties and b->a of back.properties form a cycle" in what
        assert "set `replication.policy.class` to" in what
        assert "with `a->b.topics.exclude`, which replaces its default" in what
        assert "`naming" not in what

    def test_the_fix_of_a_cycle_of_connectors_names_connector_keys(self, linted: Any) -> None:
        there = connector("Source", **IDENTITY)
        turned = {
            f"{end}.cluster.{key}": there["config"][f"{other}.cluster.{key}"]
            for end, other in (("source", "target"), ("target", "source"))
            for key in ("alias", "bootstrap.servers")
        }
        back = {**connector("Source", **IDENTITY, **turned), "name": "back"}

        ((_, rule, what),) = linted(there=there, back=back)
        assert rule == "no-replication-cycles"
        assert "with `topics.exclude`, which" in what


class TestDedicatedMode:
    def test_two_files_must_not_run_one_flow_with_different_configs(self, linted: Any) -> None:
        found = linted(**{"x.properties": MM2, "y.properties": f"{MM2}a->b.topics=orders\n"})

        assert {(file, rule) for file, rule, _ in found} == {
            ("y.properties", "no-shared-dedicated-workers")
        }
        assert found[0][2].startswith(
            "a->b uses a-mm2, mm2-configs.a.internal, mm2-offsets.a.internal, "
            "mm2-status.a.internal on b, and so does a->b of x.properties with a different config"
        )

    def test_one_alias_must_not_be_used_for_two_sources_of_one_target(self, linted: Any) -> None:
        other = MM2.replace("a:1", "elsewhere:1")

        found = linted(**{"x.properties": MM2, "y.properties": other})
        assert ("y.properties", "no-shared-dedicated-workers") in {one[:2] for one in found}

    def test_two_nodes_with_the_same_config_have_no_findings(self, linted: Any) -> None:
        assert linted(**{"node1.properties": MM2, "node2.properties": f"# node 2\n{MM2}"}) == []

    def test_other_aliases_and_other_targets_have_no_findings(self, linted: Any) -> None:
        other = (
            "clusters=c,b\nc.bootstrap.servers=c:1\nb.bootstrap.servers=b:1\nc->b.enabled=true\n"
        )
        elsewhere = f"{MM2.replace(':1', ':2')}a->b.topics=orders\n"
        files = {"x.properties": MM2, "y.properties": other, "z.properties": elsewhere}

        assert linted(**files) == []


class TestWorkers:
    def test_two_worker_groups_must_not_share_topics_and_one_group_must(self, linted: Any) -> None:
        other_group = WORKER.replace("=one", "=two")
        other_topics = WORKER.replace("topic=", "topic=x")

        ((file, rule, what),) = linted(**{"a.properties": WORKER, "b.properties": other_group})
        assert (file, rule) == ("b.properties", "consistent-worker-groups")
        assert "their group.id is one and two" in what
        assert len(linted(**{"a.properties": WORKER, "b.properties": other_topics})) == 1
        assert linted(**{"a.properties": WORKER, "b.properties": WORKER}) == []
