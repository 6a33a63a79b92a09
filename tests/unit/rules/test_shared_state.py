"""Worker groups and internal topics that belong to two stacks."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import Finding
from mirrorstack.rules.shared_state import no_shared_state
from mirrorstack.rules.subjects import Declaration


def stack(
    source: str, target: str, group: str | None = None, acls: str = "managed", **more: Any
) -> StackSettings:
    clusters = {
        alias: {
            "bootstrap-servers": [f"{alias}:9093"],
            "principals": {"mirror": "m", "admin": "a"},
            "acls": acls,
        }
        for alias in (source, target)
    }
    flow = {"from": source, "to": target, "topics": ["orders"], "groups": ["billing"], **more}
    workers = {"workers": {target: {"group": group}}} if group else {}
    return parse({"clusters": clusters, "flows": [flow], **workers}, "stack")


def shared(settings: StackSettings, peers: dict[str, StackSettings]) -> list[Finding]:
    return list(no_shared_state.findings(Declaration(settings, peers)))


def test_stacks_with_other_targets_share_nothing() -> None:
    assert shared(stack("east", "west"), {"b": stack("west", "east")}) == []


def test_one_group_at_one_target_is_reported_once_for_both_stacks() -> None:
    (finding,) = shared(stack("east", "west"), {"b": stack("south", "west")})

    assert "On west, group mirrorstack-west, topic mirrorstack-west-configs" in finding.message
    assert "the workers at west of this stack and to the workers at west of b" in finding.message
    assert (finding.cluster, finding.path) == ("west", ("clusters", "west"))


def test_another_group_name_passes() -> None:
    assert list(shared(stack("east", "west"), {"b": stack("south", "west", "b")})) == []


def test_the_same_flow_in_two_stacks_shares_its_offset_syncs_and_checkpoints() -> None:
    (finding,) = shared(stack("east", "west"), {"b": stack("east", "west", "b")})

    assert "mm2-offset-syncs.east.internal, topic east.checkpoints.internal" in finding.message
    assert (finding.flow, finding.path) == ("east-to-west", ("flows", 0))


def test_stacks_may_declare_that_they_share_offset_syncs_and_checkpoints() -> None:
    one, other = (stack("east", "west", group, "shared") for group in "ab")

    assert shared(one, {"b": other}) == []
    assert shared(one, {"b": stack("east", "west", "b")}) != []


def test_a_worker_group_is_never_shared() -> None:
    one, other = stack("east", "west", acls="shared"), stack("south", "west", acls="shared")

    (finding,) = shared(one, {"b": other})

    assert "group mirrorstack-west" in finding.message


def test_stacks_may_use_one_connect_cluster_that_neither_of_them_runs() -> None:
    existing = {
        "runtime": "existing",
        "rest-url": "http://connect:8083",
        "group": "connect",
        "secret-reference": "${file:/s:{alias}}",
    }
    one, other = (
        stack(source, "west").model_copy(
            update={"workers": {"west": WorkerSettings.model_validate(existing)}}
        )
        for source in ("east", "south")
    )

    assert shared(one, {"b": other}) == []


def test_what_two_peers_share_is_reported_at_the_key_that_names_them() -> None:
    peers = {"a": stack("south", "north"), "b": stack("east", "north")}

    (finding,) = shared(stack("east", "west"), peers)

    assert finding.path == ("peers",)
