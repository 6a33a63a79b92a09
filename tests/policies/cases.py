"""For each rule: a compliant stack, a violating one, one without the key, and an unknown value."""

from __future__ import annotations

from tests.policies.case import HERE, JAAS, NORTH, Case, acl, topic
from tests.policies.harness import UNKNOWN, connector, declared, flow, stack, worker
from tests.policies.production_cases import TRANSPORT

CONNECTORS = [
    Case(
        "byte-array-converters",
        right=(connector(), connector("Checkpoint")),
        wrong=(connector(value_converter="org.apache.kafka.connect.json.JsonConverter"),),
        says="value.converter is org.apache.kafka.connect.json.JsonConverter",
        absent=("config", "value.converter"),
        absent_says="value.converter is absent, so the worker decides",
        unknown=(connector(key_converter=UNKNOWN),),
    ),
    Case(
        "exactly-once-support",
        right=(connector(), worker()),
        wrong=(connector(), worker(exactly_once_source_support="disabled")),
        says="exactly.once.source.support is disabled: Connect refuses",
        absent=("workers", 0, "config", "exactly.once.source.support"),
        absent_says="is absent, which means disabled",
        unknown=(connector(), worker(exactly_once_source_support=UNKNOWN)),
    ),
    Case(
        "consistent-connectors",
        right=(connector(), connector("Checkpoint"), connector("Heartbeat")),
        wrong=(connector(), connector("Checkpoint", topics="clicks")),
        says="topics is orders for east-to-west-source and clicks for east-to-west-checkpoint",
        absent=("config", "topics"),
        absent_says="topics is orders for east-to-west-source and .* for east-to-west-checkpoint",
        unknown=(connector(), connector("Checkpoint", topics=UNKNOWN)),
    ),
    Case(
        "workers-on-target-cluster",
        right=(connector(), worker()),
        wrong=(connector(), worker(bootstrap_servers="south:9093")),
        says="its worker's bootstrap.servers is south:9093",
        absent=("workers", 0, "config", "bootstrap.servers"),
        absent_says=None,
        unknown=(connector(), worker(bootstrap_servers=UNKNOWN)),
    ),
    Case(
        "no-excluded-groups",
        right=(connector("Checkpoint", groups="connect-sink,billing"),),
        wrong=(connector("Checkpoint", groups="connect-sink", groups_exclude="x, connect-.*"),),
        says="groups names connect-sink, and groups.exclude (x, connect-.*) excludes all of it",
        absent=("config", "groups.exclude"),
        absent_says="MirrorMaker's default excludes `connect-.*`",
        unknown=(connector("Checkpoint", groups=UNKNOWN),),
    ),
    Case(
        "sync-group-offsets",
        right=(connector("Checkpoint"),),
        wrong=(connector("Checkpoint", sync_group_offsets_enabled="false"),),
        says="sync.group.offsets.enabled is false",
        absent=("config", "sync.group.offsets.enabled"),
        absent_says="absent, which means false",
        unknown=(connector("Checkpoint", sync_group_offsets_enabled=UNKNOWN),),
    ),
]

SOURCES = [
    Case(
        "no-write-acls-on-read-only-clusters",
        right=(HERE, acl("Read")),
        wrong=(HERE, acl("Alter")),
        says="User:mirror is allowed Alter on Topic orders of east, which is `read-only: true`",
        absent=("settings", "clusters", "east", "read-only"),
        absent_says=None,
        unknown=(HERE, acl(UNKNOWN)),
    ),
    Case(
        "no-topics-on-read-only-clusters",
        right=(HERE, topic("east.clicks")),
        wrong=(HERE, topic("mm2-offset-syncs.west.internal", at="east")),
        says="Topic mm2-offset-syncs.west.internal would be created on east",
        absent=("settings", "clusters", "east", "read-only"),
        absent_says=None,
        unknown=(HERE, topic(UNKNOWN, at="east")),
    ),
    Case(
        "no-offset-syncs-on-read-only-clusters",
        right=(HERE, connector(), connector("Checkpoint")),
        wrong=(HERE, connector("Checkpoint", **{"offset-syncs_topic_location": "source"})),
        says="offset-syncs.topic.location is source, and east is `read-only: true`",
        absent=("config", "offset-syncs.topic.location"),
        absent_says="absent, which means source",
        unknown=(HERE, connector(**{"offset-syncs_topic_location": UNKNOWN})),
    ),
    Case(
        "no-acl-sync",
        right=(connector(),),
        wrong=(connector(sync_topic_acls_enabled="true"),),
        says="sync.topic.acls.enabled is true. MirrorMaker then copies some",
        absent=("config", "sync.topic.acls.enabled"),
        absent_says="absent, which means true",
        unknown=(connector(sync_topic_acls_enabled=UNKNOWN),),
    ),
]

FLOWS = [
    Case(
        "emit-heartbeats",
        right=(connector(), connector("Heartbeat")),
        wrong=(connector(), connector("Heartbeat", emit_heartbeats_enabled="false")),
        says="Connector east-to-west-heartbeat: emit.heartbeats.enabled is false",
        absent=("config", "emit.heartbeats.enabled"),
        absent_says=None,
        unknown=(connector(), connector(connector_class=UNKNOWN)),
    ),
    Case(
        "checkpoints-for-groups",
        right=(HERE, connector(**NORTH), connector("Checkpoint", **NORTH)),
        wrong=(HERE, connector(**NORTH)),
        says="Flow north-to-south declares the groups billing, and there is no checkpoint",
        absent=("settings", "flows", 1, "groups"),
        absent_says=None,
        unknown=(HERE, connector(**{**NORTH, "source_cluster_alias": UNKNOWN})),
    ),
    Case(
        "one-owner-of-topic-configs",
        right=(
            connector(sync_topic_configs_enabled="true", config_properties_exclude="retention.*"),
            topic("east.orders", config={"retention.ms": "1"}),
        ),
        wrong=(
            connector(sync_topic_configs_enabled="true"),
            topic("east.orders", config={"retention.ms": "1"}),
        ),
        says="the stack owns retention.ms of topic east.orders",
        absent=("config", "sync.topic.configs.enabled"),
        absent_says="absent, which means true",
        unknown=(
            connector(sync_topic_configs_enabled=UNKNOWN),
            topic("east.orders", config={"retention.ms": "1"}),
        ),
    ),
]

NAMES = [
    Case(
        "no-match-all-in-production",
        right=(HERE,),
        wrong=(stack(flow("east", "west", "[a-z._-].*", ".*"), production=True),),
        says="Flow east-to-west: topics has .*, which matches everything",
        absent=("settings", "production"),
        absent_says=None,
        unknown=(stack(flow("east", "west", UNKNOWN), production=True),),
    ),
    Case(
        "no-merged-sources",
        right=(stack(flow("east", "west"), flow("south", "west")),),
        wrong=(stack(*(flow(each, "west", f"{each}.*|o.*", naming="identity") for each in "ab")),),
        says="Flows a-to-west and b-to-west come from two clusters, and both write",
        absent=("settings", "flows", 1, "naming"),
        absent_says=None,
        unknown=(stack(flow("east", "west", UNKNOWN)),),
    ),
    Case(
        "no-cluster-alias-prefix",
        right=(stack(flow("a", "b"), flow("b", "c", "a.orders")),),
        wrong=(stack(flow("east", "west", "west.orders")),),
        says="the topics west.orders begin with west., and west is a cluster",
        absent=("settings", "flows", 0, "topics"),
        absent_says="flows[0].topics: required key is missing",
        unknown=(stack(flow("east", "west", UNKNOWN)),),
    ),
    Case(
        "no-heartbeats-suffix",
        right=(stack(flow("east", "west", "device-heartbeats", naming="prefixed")),),
        wrong=(stack(flow("east", "west", "device-heartbeats", naming="identity")),),
        says="the topics device-heartbeats end in heartbeats",
        absent=("settings", "flows", 0, "naming"),
        absent_says=None,
        unknown=(stack(flow("east", "west", UNKNOWN)),),
    ),
    Case(
        "no-shared-state",
        right=(stack(peers={"dr": declared(flow("west", "east"))}),),
        wrong=(stack(peers={"dr": declared(flow("south", "west"))}),),
        says="On west, group mirrorstack-west, topic mirrorstack-west-configs,",
        absent=("peers",),
        absent_says=None,
        unknown=(stack(peers={"dr": UNKNOWN}),),
    ),
    Case(
        "consistent-worker-groups",
        right=(worker(), worker()),
        wrong=(worker(), worker(group_id="other")),
        says="their config.storage.topic is mirrorstack-west-configs and mirrorstack-west-configs",
        absent=("workers", 0, "config", "group.id"),
        absent_says="their group.id is mirrorstack-west and None",
        unknown=(worker(), worker(group_id=UNKNOWN)),
    ),
]

TOPICS = [
    Case(
        "topic-replication-factor",
        right=(HERE, topic("east.clicks")),
        wrong=(HERE, topic("east.clicks", factor=4)),
        says="Topic east.clicks: the replication factor is 4, and west has 3 brokers",
        absent=("replicationFactor",),
        absent_says=None,
        unknown=(HERE, topic("east.clicks", factor=UNKNOWN)),
    ),
    Case(
        "internal-topic-replication-factor",
        right=(HERE, connector(), connector("Checkpoint"), worker()),
        wrong=(HERE, connector(), worker(offset_storage_replication_factor="4")),
        says="offset.storage.replication.factor is 4, and west has 3 brokers",
        absent=("workers", 0, "config", "offset.storage.replication.factor"),
        absent_says=None,
        unknown=(HERE, worker(offset_storage_replication_factor=UNKNOWN)),
    ),
]

ACLS = [
    Case(
        "no-excess-acls",
        right=(HERE, connector(), acl("Read"), acl("Alter", "west", aclPrincipal="User:other")),
        wrong=(
            HERE,
            connector(source_cluster_sasl_jaas_config=JAAS),
            acl("Read", aclResourceName="payments"),
        ),
        says="User:mirror is allowed Read on Topic payments of east, which no flow needs",
        absent=("resourcePatternTypeFilter",),
        absent_says="allowed Read on Topic payments of east",
        unknown=(HERE, connector(), acl("Read", aclResourceName=UNKNOWN)),
    ),
]

CASES = [*CONNECTORS, *SOURCES, *FLOWS, *NAMES, *TOPICS, *ACLS, *TRANSPORT]
