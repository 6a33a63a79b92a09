"""What Strimzi's operator derives from its resources: workers' properties and connectors' configs.

For the stand-in of the operator. It follows `KafkaConnectConfigurationBuilder` and
`KafkaMirrorMaker2Connectors` of Strimzi's Cluster Operator 1.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Resource = dict[str, Any]

FORBIDDEN = (
    "group.id",
    "config.storage.topic",
    "offset.storage.topic",
    "status.storage.topic",
    "ssl.",
    "sasl.",
    "security.",
    "listeners",
    "plugin.path",
    "rest.",
    "bootstrap.servers",
)
MODULES = {
    "plain": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "scram-sha-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "scram-sha-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter"
GROUP_FIELDS = {
    "groupId": "group.id",
    "configStorageTopic": "config.storage.topic",
    "offsetStorageTopic": "offset.storage.topic",
    "statusStorageTopic": "status.storage.topic",
}
KINDS = {
    "sourceConnector": "MirrorSourceConnector",
    "checkpointConnector": "MirrorCheckpointConnector",
    "heartbeatConnector": "MirrorHeartbeatConnector",
}
PATTERNS = {
    "topicsPattern": "topics",
    "topicsExcludePattern": "topics.exclude",
    "groupsPattern": "groups",
    "groupsExcludePattern": "groups.exclude",
}
PROVIDER = "strimzisecrets"


@dataclass(frozen=True)
class OperatedConnector:
    name: str
    config: dict[str, str]
    state: str


def as_v1(resource: Resource) -> Resource:
    """A KafkaMirrorMaker2 of the version v1beta2 with the fields of v1, as newer operators convert
    it."""
    spec = resource["spec"]
    if "connectCluster" not in spec:
        return resource
    clusters = {each["alias"]: each for each in spec["clusters"]}
    target = dict(clusters[spec["connectCluster"]])
    config = dict(target.get("config", {}))
    target |= {field: config.pop(key) for field, key in GROUP_FIELDS.items()}
    mirrors = [{**each, "source": clusters[each["sourceCluster"]]} for each in spec["mirrors"]]
    return {
        **resource,
        "spec": {**spec, "target": {**target, "config": config}, "mirrors": mirrors},
    }


def worker_properties(resource: Resource, port: int) -> dict[str, str]:
    """Of a KafkaMirrorMaker2 in the version v1, or of a KafkaConnect."""
    spec = resource["spec"]
    target = spec.get("target", spec)
    security = client_keys(target, resource["metadata"]["namespace"])
    user = {
        key: str(value)
        for key, value in target.get("config", {}).items()
        if not key.startswith(FORBIDDEN)
    }
    return {
        "bootstrap.servers": target["bootstrapServers"],
        **{
            f"{client}{key}": value
            for client in ("", "producer.", "consumer.", "admin.")
            for key, value in security.items()
        },
        "key.converter": BYTES,
        "value.converter": BYTES,
        "header.converter": BYTES,
        **user,
        **{key: target[field] for field, key in GROUP_FIELDS.items()},
        "listeners": f"http://127.0.0.1:{port}",
        "rest.advertised.host.name": "127.0.0.1",
        "config.providers": PROVIDER,
        # The operator's own provider asks Kubernetes for `<namespace>/<secret>`; the stand-in has
        # Secrets as directories below the working directory.
        f"config.providers.{PROVIDER}.class": (
            "org.apache.kafka.common.config.provider.DirectoryConfigProvider"
        ),
    }


def client_keys(cluster: Resource, namespace: str) -> dict[str, str]:
    keys, protocol = {}, "PLAINTEXT"
    if "tls" in cluster:
        protocol = "SSL"
        for trusted in cluster["tls"].get("trustedCertificates", ()):
            reference = f"{namespace}/{trusted['secretName']}:{trusted['certificate']}"
            keys["ssl.truststore.certificates"] = f"${{{PROVIDER}:{reference}}}"
            keys["ssl.truststore.type"] = "PEM"
    if login := cluster.get("authentication"):
        protocol = f"SASL_{protocol}"
        secret = login["passwordSecret"]
        reference = f"{namespace}/{secret['secretName']}:{secret['password']}"
        keys["sasl.mechanism"] = login["type"].upper()
        keys["sasl.jaas.config"] = (
            f"{MODULES[login['type']]} required "
            f'username="{login["username"]}" password="${{{PROVIDER}:{reference}}}";'
        )
    return {**keys, "security.protocol": protocol}


def mirror_connectors(resource: Resource) -> Iterator[OperatedConnector]:
    """Of a KafkaMirrorMaker2 in the version v1."""
    spec, namespace = resource["spec"], resource["metadata"]["namespace"]
    for mirror in spec["mirrors"]:
        ends = {"target.cluster.": spec["target"], "source.cluster.": mirror["source"]}
        shared: dict[str, str] = {}
        for prefix, cluster in ends.items():
            keys = {
                "alias": cluster["alias"],
                "bootstrap.servers": cluster["bootstrapServers"],
                **client_keys(cluster, namespace),
                **cluster.get("config", {}),
            }
            shared |= {f"{prefix}{key}": str(value) for key, value in keys.items()}
        patterns = {key: mirror[field] for field, key in PATTERNS.items() if field in mirror}
        for field, java_class in KINDS.items():
            if field in mirror:
                name = f"{mirror['source']['alias']}->{spec['target']['alias']}.{java_class}"
                config = {**shared, **_config(mirror[field]), **patterns}
                java_name = f"org.apache.kafka.connect.mirror.{java_class}"
                yield _connector(name, java_name, mirror[field], config)


def kafka_connector(resource: Resource) -> OperatedConnector:
    spec = resource["spec"]
    return _connector(resource["metadata"]["name"], spec["class"], spec, _config(spec))


def secret_names(resource: Resource) -> set[str]:
    """Of the Secrets that a resource refers to."""
    return set(_secret_names(resource["spec"]))


def _secret_names(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _secret_names(each)
    elif isinstance(part, dict):
        if "secretName" in part:
            yield part["secretName"]
        for each in part.values():
            yield from _secret_names(each)


def _config(spec: Resource) -> dict[str, str]:
    return {key: str(value) for key, value in spec.get("config", {}).items()}


def _connector(
    name: str, java_class: str, spec: Resource, config: dict[str, str]
) -> OperatedConnector:
    tasks = {"tasks.max": str(spec["tasksMax"])} if "tasksMax" in spec else {}
    config = {**config, **tasks, "name": name, "connector.class": java_class}
    return OperatedConnector(name, config, spec.get("state", "running"))
