"""Runs one policy as the engine does: with the SDK's own objects, unknown values included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import reduce
from typing import Any

from pulumi_policy import (
    Policy,
    PolicyCustomTimeouts,
    PolicyProviderResource,
    PolicyResource,
    PolicyResourceOptions,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.proxy import UNKNOWN_STRING_VALUE, UnknownValueError, unknown_checking_proxy

from mirrorstack.findings import UserError
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER
from policies.adapter import policy_of
from policies.pack import RULES
from policies.resources import (
    CONNECT_WORKERS,
    CONNECTOR,
    KAFKA_PROVIDER,
    MIRROR_FLOW,
    MIRROR_STACK,
    plain,
)

UNKNOWN = UNKNOWN_STRING_VALUE
OPTIONS = PolicyResourceOptions(False, [], False, [], PolicyCustomTimeouts(0, 0, 0), [])
MM2 = "org.apache.kafka.connect.mirror"


def resource(
    kind: str, props: Mapping[str, Any], *, parent: PolicyResource | None = None, at: str = ""
) -> PolicyResource:
    """`at` is an address of the cluster that the resource is on."""
    provider = PolicyProviderResource(
        KAFKA_PROVIDER, unknown_checking_proxy({"bootstrapServers": f'["{at}"]'}), "urn:p", "p"
    )
    return PolicyResource(
        kind,
        unknown_checking_proxy(dict(props)),
        f"urn:{kind}:{props.get('name', '')}",
        str(props.get("name", "it")),
        OPTIONS,
        provider if at else None,
        parent,
        [],
        {},
    )


def without(path: Sequence[str | int], *resources: PolicyResource) -> tuple[PolicyResource, ...]:
    """The same resources without one key, in the last resource that has it."""
    result = list(resources)
    for number, each in reversed(list(enumerate(resources))):
        props = plain(each.props)
        try:
            holder = reduce(lambda inner, step: inner[step], path[:-1], props)
            del holder[path[-1]]
        except (KeyError, IndexError):
            continue
        result[number] = copy(each)
        result[number].props = unknown_checking_proxy(props)
        return tuple(result)
    raise KeyError(path)


def violations_of(rule: str, *resources: PolicyResource) -> list[str]:
    """The messages of one rule; `unknown` where a value is not known yet.

    An invalid stack file is reported by its reader, in a preview as well.
    """
    found: list[str] = []

    def report(message: str, urn: str | None = None) -> None:
        found.append(message)

    policy: Policy = next(policy_of(each) for each in RULES if each.id == rule)
    try:
        if isinstance(policy, StackValidationPolicy):
            policy.validate(StackValidationArgs(list(resources)), report)
        elif isinstance(policy, ResourceValidationPolicy):
            for each in resources:
                policy.validate(_arguments(each), report)
    except UnknownValueError:
        found.append("unknown")
    except UserError as problem:
        found.append(str(problem))
    return found


def remediated(rule: str, given: PolicyResource) -> Any:
    policy = next(policy_of(each) for each in RULES if each.id == rule)
    assert isinstance(policy, ResourceValidationPolicy)
    return policy.remediate(_arguments(given))


def _arguments(each: PolicyResource) -> ResourceValidationArgs:
    return ResourceValidationArgs(
        each.resource_type, each.props, each.urn, each.name, each.opts, each.provider
    )


def stack(
    *flows: Mapping[str, Any],
    peers: Mapping[str, Any] | None = None,
    acl_modes: Mapping[str, str] | None = None,
    **more: Any,
) -> PolicyResource:
    """A stack of clusters whose addresses contain their aliases."""
    settings = declared(*flows, **more)
    modes = acl_modes or dict.fromkeys(settings["clusters"], "managed")
    return resource(MIRROR_STACK, {"settings": settings, "peers": peers or {}, "acl_modes": modes})


def declared(*flows: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    chosen = flows or (flow("east", "west"),)
    aliases = dict.fromkeys(each[end] for each in chosen for end in ("from", "to"))
    changed = more.pop("clusters", {})
    return {
        "clusters": {alias: {**cluster(alias), **changed.get(alias, {})} for alias in aliases},
        "flows": [dict(each) for each in chosen],
        **{key.replace("_", "-"): value for key, value in more.items()},
    }


def cluster(name: str) -> dict[str, Any]:
    return {
        "bootstrap-servers": [f"{name}:9093"],
        "principals": {"mirror": "mirror", "admin": "admin"},
    }


def flow(source: str, target: str, *topics: str, **more: Any) -> dict[str, Any]:
    named = {key.replace("_", "-"): value for key, value in more.items()}
    return {"from": source, "to": target, "topics": list(topics or ["orders"]), **named}


FLOW = resource(MIRROR_FLOW, {"name": "east-to-west"})


def connector(kind: str = "Source", **changes: Any) -> PolicyResource:
    """A valid one from east to west; `_` in a change stands for a dot, None removes the key."""
    config = {
        "connector.class": f"{MM2}.Mirror{kind}Connector",
        "source.cluster.alias": "east",
        "target.cluster.alias": "west",
        "source.cluster.bootstrap.servers": "east:9093",
        "target.cluster.bootstrap.servers": "west:9093",
        "source.cluster.security.protocol": "SASL_SSL",
        "target.cluster.security.protocol": "SASL_SSL",
        "replication.policy.class": f"{MM2}.DefaultReplicationPolicy",
        "replication.policy.separator": ".",
        "key.converter": BYTE_ARRAY_CONVERTER,
        "value.converter": BYTE_ARRAY_CONVERTER,
        "header.converter": BYTE_ARRAY_CONVERTER,
        **OWN[kind],
        **{key.replace("_", "."): value for key, value in changes.items()},
    }
    given = {key: value for key, value in config.items() if value is not None}
    props = {
        "name": f"east-to-west-{kind.lower()}",
        "config": given,
        "rest_url": "http://127.0.0.1:8083",
    }
    return resource(CONNECTOR, props, parent=FLOW)


OWN: dict[str, dict[str, str]] = {
    "Source": {
        "topics": "orders",
        "topics.exclude": r"mm2.*\.internal,.*\.replica,__.*",
        "sync.topic.configs.enabled": "false",
        "sync.topic.acls.enabled": "false",
        "offset-syncs.topic.location": "target",
        "replication.factor": "3",
        "offset-syncs.topic.replication.factor": "3",
        "consumer.isolation.level": "read_committed",
        "exactly.once.support": "required",
    },
    "Checkpoint": {
        "groups": "billing",
        "groups.exclude": "",
        "topics": "orders",
        "topics.exclude": r"mm2.*\.internal,.*\.replica,__.*",
        "offset-syncs.topic.location": "target",
        "checkpoints.topic.replication.factor": "3",
        "sync.group.offsets.enabled": "true",
    },
    "Heartbeat": {"heartbeats.topic.replication.factor": "3"},
}


def worker(*, isolated: bool = False, **changes: Any) -> PolicyResource:
    """`isolated`: its platform lets nobody else reach its REST API."""
    config = {
        "bootstrap.servers": "west:9093",
        "security.protocol": "SASL_SSL",
        "group.id": "mirrorstack-west",
        "config.storage.topic": "mirrorstack-west-configs",
        "offset.storage.topic": "mirrorstack-west-offsets",
        "status.storage.topic": "mirrorstack-west-status",
        "config.storage.replication.factor": "3",
        "offset.storage.replication.factor": "3",
        "status.storage.replication.factor": "3",
        "exactly.once.source.support": "enabled",
        "listeners": "http://127.0.0.1:8083",
        **{key.replace("_", "."): value for key, value in changes.items()},
    }
    given = {key: value for key, value in config.items() if value is not None}
    declared: dict[str, Any] = {"config": given, "rest_url": "http://127.0.0.1:8083"}
    declared |= {"isolated": True} if isolated else {}
    return resource(CONNECT_WORKERS, {"workers": [declared]})
