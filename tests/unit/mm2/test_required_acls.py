"""Grants follow from what a flow does: all that it needs, and nothing else."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.acls import Acl
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import WorkerGroup


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
    return {grant.label for grant in found if grant.cluster == cluster}


WORKER = {
    "group-mirrorstack-west-read",
    *(
        f"topic-mirrorstack-west-{topic}-{operation}"
        for topic in ("configs", "offsets", "status")
        for operation in ("read", "write")
    ),
}
SYNCS = {f"topic-mm2-offset-syncs.east.internal-{each}" for each in ("read", "write")}


def test_the_plainest_flow_reads_on_the_source_and_writes_on_the_target() -> None:
    found = derived(flow())

    assert labels("east", found) == {"topic-orders-read"}
    assert labels("west", found) == {"topic-east.-prefixed-write", *SYNCS, *WORKER}


def test_the_source_is_never_written_unless_offset_syncs_are_kept_there() -> None:
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


def test_checkpoints_under_the_prefix_need_no_grants_of_their_own() -> None:
    found = labels("west", derived(flow(groups=["billing"])))

    assert "topic-east.checkpoints.internal-write" not in found
    assert "topic-east.-prefixed-write" in found


def test_without_offset_sync_the_groups_on_the_target_are_left_alone() -> None:
    found = labels("west", derived(flow(groups=["billing"], **{"sync-group-offsets": False})))

    assert not any(label.startswith("group-billing") for label in found)
    assert "topic-east.checkpoints.internal-read" in found, "its store is read at every start"


def test_identity_naming_writes_each_topic_by_its_name() -> None:
    found = labels("west", derived(flow(naming="identity")))

    assert "topic-orders-write" in found
    assert not any("prefixed" in label for label in found)


def test_configs_that_mirror_maker_keeps_are_described_there_and_altered_here() -> None:
    plain, synced = derived(flow()), derived(flow(**{"sync-configs": ["retention.ms"]}))

    assert labels("east", synced) - labels("east", plain) == {"topic-orders-describeconfigs"}
    assert labels("west", synced) - labels("west", plain) == {"topic-east.-prefixed-alterconfigs"}


def test_exactly_once_adds_transactional_ids_and_nothing_else() -> None:
    plain, exactly = derived(flow()), derived(flow(**{"exactly-once": True}))

    assert labels("west", exactly) - labels("west", plain) == {
        "transactionalid-connect-cluster-mirrorstack-west-write",
        "transactionalid-mirrorstack-west--prefixed-write",
    }


def test_heartbeats_add_one_grant() -> None:
    plain, beating = derived(flow()), derived(flow(heartbeats=True))

    assert labels("west", beating) - labels("west", plain) == {"topic-heartbeats-write"}


def test_a_prefix_pattern_is_one_grant_however_many_topics_it_matches() -> None:
    topics = tuple(f"orders-{number}" for number in range(1000))

    found = derived(flow(topics=["orders-.*"]), topics=topics)

    assert labels("east", found) == {"topic-orders--prefixed-read"}
    assert len(found) < 15


def test_a_pattern_that_no_prefix_equals_is_granted_name_by_name() -> None:
    found = derived(flow(topics=["orders|clicks"]), topics=("clicks", "orders"))

    assert labels("east", found) == {"topic-clicks-read", "topic-orders-read"}


def test_exclusions_make_a_prefix_too_wide() -> None:
    found = derived(flow(topics=["orders.*"], exclude=["orders-old"]), topics=("orders-new",))

    assert labels("east", found) == {"topic-orders-new-read"}


def test_two_flows_into_one_target_share_the_workers_grants() -> None:
    found = derived(flow(), flow(**{"from": "north"}))

    assert len([grant for grant in found if grant.label in WORKER]) == len(WORKER)
    assert {"topic-east.-prefixed-write", "topic-north.-prefixed-write"} < labels("west", found)


def test_labels_are_unique_within_a_cluster() -> None:
    found = derived(flow(groups=["billing"], heartbeats=True, **{"exactly-once": True}))

    for cluster in ("east", "west"):
        of_cluster = [grant for grant in found if grant.cluster == cluster]
        assert len(labels(cluster, found)) == len(of_cluster)


def test_a_grant_can_be_made_by_the_owner_with_kafka_s_own_tool() -> None:
    found = derived(flow(topics=["orders-.*"]), topics=("orders-1",))
    (grant,) = [each for each in found if each.cluster == "east"]

    assert grant.command("mirror", "kafka:9093") == (
        "kafka-acls --bootstrap-server kafka:9093 --command-config admin.properties --add "
        "--allow-principal User:mirror --operation Read --topic 'orders-' "
        "--resource-pattern-type prefixed"
    )
