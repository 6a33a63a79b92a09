"""The ACLs that a flow requires, and no other. An integration test removes each of them."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.acls import Acl
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_group import WorkerGroup


def flow(**changes: Any) -> FlowSettings:
    plain = {
        "from": "east",
        "to": "west",
        "topics": ["orders"],
        "exactly-once": False,
        "heartbeats": False,
    }
    return FlowSettings.model_validate(plain | changes)


def derived(*flows: FlowSettings, topics: tuple[str, ...] = ("orders",)) -> list[Acl]:
    targets = dict.fromkeys(each.target for each in flows)
    workers = [WorkerGroup.of(target, flows) for target in targets]
    return required_acls([ResolvedFlow(each, topics) for each in flows], workers)


def labels(cluster: str, found: list[Acl]) -> set[str]:
    return {acl.label for acl in found if acl.cluster == cluster}


WORKER = {
    "group-mirrorstack-west-read",
    *(
        f"topic-mirrorstack-west-{topic}-{operation}"
        for topic in ("configs", "offsets", "status")
        for operation in ("read", "write")
    ),
}
SYNCS = {f"topic-mm2-offset-syncs.east.internal-{each}" for each in ("read", "write")}


def test_a_minimal_flow_reads_on_the_source_and_writes_on_the_target() -> None:
    found = derived(flow())

    assert labels("east", found) == {"topic-orders-read"}
    assert labels("west", found) == {
        "topic-east.-prefixed-write",
        "topic-east.-prefixed-alter",
        *SYNCS,
        *WORKER,
    }


def test_the_source_is_never_written_unless_it_holds_the_offset_syncs() -> None:
    everything = flow(groups=["billing"], heartbeats=True, **{"exactly-once": True})
    there = flow(**{"offset-syncs": "source"})

    assert not any("write" in label for label in labels("east", derived(everything)))
    assert "topic-mm2-offset-syncs.west.internal-write" in labels("east", derived(there))
    assert not SYNCS & labels("west", derived(there))


def test_groups_are_described_on_the_source_and_committed_on_the_target() -> None:
    found = derived(flow(groups=["billing", "report-.*"]))

    assert {"group-billing-describe", "group-report--prefixed-describe"} < labels("east", found)
    assert labels("west", found) >= {
        "group-billing-read",
        "group-report--prefixed-read",
        "topic-east.-prefixed-read",
    }


def test_the_prefix_acl_covers_the_checkpoints_topic() -> None:
    found = labels("west", derived(flow(groups=["billing"])))

    assert "topic-east.checkpoints.internal-write" not in found
    assert "topic-east.-prefixed-write" in found


def test_without_group_offset_sync_no_acl_for_groups_is_required_on_the_target() -> None:
    found = labels("west", derived(flow(groups=["billing"], **{"sync-group-offsets": False})))

    assert not any(label.startswith("group-billing") for label in found)
    assert "topic-east.checkpoints.internal-read" in found, "it is read at every start"


def test_identity_naming_requires_an_acl_for_each_topic_name() -> None:
    found = labels("west", derived(flow(naming="identity")))

    assert "topic-orders-write" in found
    assert not any("prefixed" in label for label in found)


@pytest.mark.parametrize("naming", ["prefixed", "custom"])
def test_a_name_that_begins_with_the_source_requires_one_prefix(naming: str) -> None:
    own = {"class": "com.example.Own", "jar": "own.jar", "name": "{source}_{topic}"}
    more = {"policy": own} if naming == "custom" else {"separator": "_"}

    found = labels("west", derived(flow(naming=naming, **more)))

    assert "topic-east_-prefixed-write" in found


@pytest.mark.parametrize("name", ["{topic}", "dr.{topic}", "{topic}.{source}", "{source}{topic}"])
def test_a_policy_of_ones_own_without_such_a_prefix_requires_an_acl_for_each_name(
    name: str,
) -> None:
    own = {"class": "com.example.Own", "jar": "own.jar", "name": name}

    found = labels("west", derived(flow(naming="custom", policy=own)))

    assert f"topic-{name.format(source='east', topic='orders')}-write" in found
    assert not any("prefixed" in label for label in found)


def test_synced_configs_are_described_on_the_source_and_altered_on_the_target() -> None:
    plain, synced = derived(flow()), derived(flow(**{"sync-configs": ["retention.ms"]}))

    assert labels("east", synced) - labels("east", plain) == {"topic-orders-describeconfigs"}
    assert labels("west", synced) - labels("west", plain) == {"topic-east.-prefixed-alterconfigs"}


def test_exactly_once_adds_only_acls_for_transactional_ids() -> None:
    plain, exactly = derived(flow()), derived(flow(**{"exactly-once": True}))

    assert labels("west", exactly) - labels("west", plain) == {
        "transactionalid-connect-cluster-mirrorstack-west-write",
        "transactionalid-mirrorstack-west--prefixed-write",
    }


def test_workers_of_the_heartbeats_form_a_group_with_topics_of_their_own() -> None:
    resolved = ResolvedFlow(flow(heartbeats=True), ("orders",))
    groups = [
        WorkerGroup.of("west", [flow(heartbeats=True)], separate_heartbeats=separate)
        for separate in (True, False)
    ]

    separate, together = (labels("west", required_acls([resolved], [each])) for each in groups)

    own = "mirrorstack-west-heartbeats"
    assert separate - together == {
        f"group-{own}-read",
        *(
            f"topic-{own}-{topic}-{operation}"
            for topic in ("configs", "offsets", "status")
            for operation in ("read", "write")
        ),
    }


def test_heartbeats_add_one_acl() -> None:
    plain, beating = derived(flow()), derived(flow(heartbeats=True))

    assert labels("west", beating) - labels("west", plain) == {"topic-heartbeats-write"}


def test_a_prefix_pattern_requires_one_acl_for_any_number_of_topics() -> None:
    topics = tuple(f"orders-{number}" for number in range(1000))

    pinned = derived(flow(topics=["orders-.*"], discovery="pinned"), topics=topics)
    live = derived(flow(topics=["orders-.*"]), topics=topics)

    assert labels("east", pinned) == {"topic-orders--prefixed-read"}
    assert len(pinned) < 15
    assert len(live) == len(pinned) + 2


def test_a_live_pattern_requires_what_mirror_maker_needs_to_create_topics() -> None:
    pinned = derived(flow(topics=["orders-.*"], discovery="pinned"), topics=("orders-1",))
    live = derived(flow(topics=["orders-.*"]), topics=("orders-1",))

    assert labels("east", live) - labels("east", pinned) == {
        "topic-orders--prefixed-describeconfigs"
    }
    assert labels("west", live) - labels("west", pinned) == {"topic-east.-prefixed-create"}


def test_a_live_pattern_requires_no_more_acls_on_topics_that_are_named_beside_it() -> None:
    found = derived(flow(topics=["audit", "orders-.*"]), topics=("audit", "orders-1"))

    assert labels("east", found) == {
        "topic-audit-read",
        "topic-orders--prefixed-read",
        "topic-orders--prefixed-describeconfigs",
    }


def test_names_in_a_live_flow_require_no_acl_to_create_topics() -> None:
    assert not any("create" in label for label in labels("west", derived(flow())))


def test_under_identity_naming_a_live_pattern_requires_its_tightest_prefixes() -> None:
    live = flow(topics=["audit", "(orders|clicks)-.*"], naming="identity")
    found = labels("west", derived(live, topics=("audit", "orders-1")))

    assert {
        f"topic-{name}--prefixed-{operation}"
        for name in ("orders", "clicks")
        for operation in ("create", "alter", "write")
    } | {"topic-audit-alter", "topic-audit-write"} <= found
    assert not any(label.startswith(("topic-orders-1", "topic-audit-create")) for label in found)


def test_live_patterns_of_groups_require_acls_for_groups_that_appear_later() -> None:
    live = derived(flow(groups=["app-[0-9]+"]))
    pinned = derived(flow(groups=["app-[0-9]+"], discovery="pinned"))

    assert "group-app--prefixed-describe" in labels("east", live)
    assert not any(label.startswith("group-app") for label in labels("east", pinned))


def test_a_pinned_pattern_that_is_no_prefix_requires_an_acl_for_each_name() -> None:
    pinned = flow(topics=["orders|clicks"], discovery="pinned")
    found = derived(pinned, topics=("clicks", "orders"))

    assert labels("east", found) == {"topic-clicks-read", "topic-orders-read"}


def test_a_prefix_acl_is_used_with_exclusions_only_if_discovery_is_live() -> None:
    changes = {"topics": ["orders.*"], "exclude": ["orders-old"]}
    pinned = derived(flow(**changes, discovery="pinned"), topics=("orders-new",))
    live = derived(flow(**changes), topics=("orders-new",))

    assert labels("east", pinned) == {"topic-orders-new-read"}
    assert "topic-orders-prefixed-read" in labels("east", live), "new topics must be readable"


def test_two_flows_to_one_target_share_the_acls_of_the_workers() -> None:
    found = derived(flow(), flow(**{"from": "north"}))

    assert len([acl for acl in found if acl.label in WORKER]) == len(WORKER)
    assert {"topic-east.-prefixed-write", "topic-north.-prefixed-write"} < labels("west", found)


def test_labels_are_unique_within_a_cluster() -> None:
    found = derived(flow(groups=["billing"], heartbeats=True, **{"exactly-once": True}))

    for cluster in ("east", "west"):
        of_cluster = [acl for acl in found if acl.cluster == cluster]
        assert len(labels(cluster, found)) == len(of_cluster)


def test_an_acl_comes_with_the_kafka_acls_command_that_adds_it() -> None:
    found = derived(flow(topics=["orders-.*"], discovery="pinned"), topics=("orders-1",))
    (acl,) = [each for each in found if each.cluster == "east"]

    assert acl.command("mirror", "kafka:9093") == (
        "kafka-acls --bootstrap-server kafka:9093 --command-config admin.properties --add "
        "--allow-principal User:mirror --operation Read --topic 'orders-' "
        "--resource-pattern-type prefixed"
    )
