"""The files that `bench.fuzz_lint` mutates."""

from __future__ import annotations

import json

MIRROR = "org.apache.kafka.connect.mirror"
STACK = """\
config:
  mirrorstack:production: true
  mirrorstack:clusters:
    east: {bootstrap-servers: [e:1], administer: false, security: {protocol: SSL}, read-only: true}
    west:
      bootstrap-servers: [w:1, w:2]
      replication-factor: 3
      security:
        protocol: SASL_SSL
        mechanism: SCRAM-SHA-512
        ca-file: /etc/ca.pem
      principals: {mirror: mm2, admin: boss}
  mirrorstack:west-mirror-password: {secure: v1:abc}
  mirrorstack:peers: [Pulumi.peer.yaml]
  mirrorstack:workers: {west: {count: 2, heap-mb: 1500, group: mirrors, rest-port: 8083}}
  mirrorstack:smoke-test: {wait-seconds: 5, spark: {spark.executor.memory: 4g}}
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders, 'clicks-.*']
      exclude: ['.*-tmp']
      groups: [billing]
      sync-configs: [retention.ms]
      rpo-seconds: 60
      override:
        source:
          refresh.topics.interval.seconds: 30
          consumer.max.poll.records: "500"
        checkpoint: {refresh.groups.enabled: false}
"""
PROPERTIES = f"""\
# mm2.properties
clusters = us-east, us-west
us-east.bootstrap.servers = east-1:9092,east-2:9092
us-west.bootstrap.servers = west-1:9092
us-east->us-west.enabled = true
us-west->us-east.emit.heartbeats.enabled = false
us-east->us-west.topics = orders, clicks-.*
us-east->us-west.topics.blacklist = secret
replication.policy.class = {MIRROR}.DefaultReplicationPolicy
us-east->us-west.sync.group.offsets.enabled = true
tasks.max = 4  # threads
emit.heartbeats.interval.seconds = 5
us-east.security.protocol = SASL_SSL
us-east.sasl.jaas.config = org.apache.kafka.common.security.plain.PlainLoginModule required \\
    username="mm2" password="${{file:/secrets:east}}";
us-west.producer.linger.ms = 5
offset-syncs.topic.location = target
us-west.exactly.once.source.support = enabled
key.converter = org.apache.kafka.connect.converters.ByteArrayConverter
"""
CONNECTORS = json.dumps(
    [
        {
            "name": f"a-to-b-{kind.lower()}",
            "config": {
                "connector.class": f"{MIRROR}.Mirror{kind}Connector",
                "source.cluster.alias": "a",
                "target.cluster.alias": "b",
                "source.cluster.bootstrap.servers": "a.example:9092",
                "target.cluster.bootstrap.servers": "b.example:9092",
                "replication.policy.class": f"{MIRROR}.IdentityReplicationPolicy",
                "topics": "orders|clicks,x",
                "groups": "billing",
                "tasks.max": 4,
                "sync.group.offsets.enabled": True,
                "consumer.override.isolation.level": None,
            },
        }
        for kind in ("Source", "Checkpoint", "Heartbeat")
    ],
    indent=1,
)
STRIMZI = f"""\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaMirrorMaker2
metadata: {{name: mirror}}
spec:
  connectCluster: b
  clusters:
    - alias: a
      bootstrapServers: a.example:9092
      tls: {{trustedCertificates: [{{secretName: a-ca}}]}}
    - alias: b
      bootstrapServers: b.example:9092
      config: {{config.storage.replication.factor: -1, producer.batch.size: 1}}
  mirrors:
    - sourceCluster: a
      targetCluster: b
      sourceConnector:
        tasksMax: 4
        config:
          replication.factor: -1
          sync.topic.acls.enabled: "false"
      heartbeatConnector: {{}}
      checkpointConnector: {{config: {{sync.group.offsets.enabled: true}}}}
      topicsPattern: "orders|clicks"
      groupsPattern: ".*"
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaConnector
metadata: {{name: source}}
spec:
  class: {MIRROR}.MirrorSourceConnector
  tasksMax: 2
  config: {{source.cluster.alias: a, topics: orders}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaConnect
spec: {{configStorageTopic: c, config: {{offset.flush.interval.ms: 5}}}}
"""
FILES = {
    "Pulumi.fuzz.yaml": STACK,
    "mm2.properties": PROPERTIES,
    "connectors.json": CONNECTORS,
    "strimzi.yaml": STRIMZI,
}
PEER = "Pulumi.peer.yaml"
