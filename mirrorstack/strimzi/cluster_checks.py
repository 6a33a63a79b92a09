"""What a preview can know about a Kafka cluster of Strimzi's, before anything is declared there."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, KubernetesError, as_json
from mirrorstack.kubernetes.checks import NOT_FOUND, Permission
from mirrorstack.kubernetes.strimzi_checks import resource_findings
from mirrorstack.kubernetes.strimzi_resources import GROUP
from mirrorstack.kubernetes.strimzi_status import PLURALS
from mirrorstack.strimzi import kafka_topics, kafka_users
from mirrorstack.strimzi.strimzi_cluster import CLUSTER_LABEL, StrimziCluster
from mirrorstack.text import and_more, did_you_mean


class KafkaUserAcls(StrEnum):
    """What a deployment does to the ACLs of a KafkaUser."""

    SET = "set"
    GIVEN_UP = "given-up"
    """Those that the previous deployment set."""
    LEFT_ALONE = "left-alone"


def strimzi_cluster_findings(
    cluster: StrimziCluster,
    alias: str,
    *,
    principal: str,
    acls: KafkaUserAcls,
    delete_topics: bool,
) -> Iterator[Finding]:
    """`principal`: of MirrorMaker, the name of its KafkaUser."""
    path: KeyPath = ("clusters", alias, "strimzi")
    has_user = acls is not KafkaUserAcls.LEFT_ALONE
    kinds = [kafka_topics.KIND, *([kafka_users.KIND] if has_user else [])]
    verbs = {kafka_topics.KIND: ["patch", "list"], kafka_users.KIND: ["patch", "get"]}
    if delete_topics:
        verbs[kafka_topics.KIND].append("delete")
    found = list(
        resource_findings(
            cluster.access,
            path,
            alias,
            version=cluster.version,
            kinds=kinds,
            needed=[
                Permission(GROUP, PLURALS[kind], verb) for kind in kinds for verb in verbs[kind]
            ],
        )
    )
    yield from found
    if has_user and not found:
        yield from _kafka_user(cluster, alias, principal, acls)


def topics_change_owner(alias: str, *, is_strimzi: bool) -> Finding:
    """Pulumi deletes the resources that the topics have had until now, and with `delete-topics` in
    the state that deletes the topics."""
    change = "adds" if is_strimzi else "removes"
    return Finding.at(
        ("clusters", alias, "strimzi"),
        f"this deployment {change} it, so that topics on {alias} become resources of another kind, "
        "and the last one had `delete-topics: true`: Pulumi would delete the topics with the "
        "resources that they have now",
        "deploy once without `delete-topics`, and change `strimzi` afterwards",
        cluster=alias,
    )


def acls_given_up(alias: str) -> Finding:
    return Finding.at(
        ("clusters", alias, "strimzi"),
        "this deployment removes it, and the ACLs that the stack set in the KafkaUser of "
        f"MirrorMaker's principal on {alias} with it: the operator would delete them, and "
        "MirrorMaker does not report that",
        "keep `strimzi` and set `acls: exported` first, which says how the ACLs stay",
        cluster=alias,
    )


def _kafka_user(
    cluster: StrimziCluster, alias: str, principal: str, acls: KafkaUserAcls
) -> Iterator[Finding]:
    try:
        user = _read_user(cluster, principal)
    except KubernetesError as error:
        if error.status == NOT_FOUND:
            yield _missing_user(cluster, alias, principal)
        else:
            yield Finding.at(
                ("clusters", alias, "strimzi"), error.message, error.fix, cluster=alias
            )
        return
    owners = kafka_users.other_owners(user, cluster.field_manager)
    if acls is KafkaUserAcls.GIVEN_UP:
        if not owners:
            yield _without_owner(cluster, alias, principal)
        return
    label = (user["metadata"].get("labels") or {}).get(CLUSTER_LABEL)
    if label != cluster.name:
        has = f"has {CLUSTER_LABEL}={label}" if label else f"has no label {CLUSTER_LABEL}"
        yield Finding.at(
            ("clusters", alias, "strimzi", "cluster"),
            f"the KafkaUser {principal} in {cluster.access.described} {has}, and not "
            f"{cluster.name}: the User Operator of {cluster.name} ignores it",
            f"set `cluster: {label}`, or select another namespace or principal"
            if label
            else f"label it: `kubectl --namespace {cluster.access.namespace} label kafkauser "
            f"{principal} {CLUSTER_LABEL}={cluster.name}`",
            cluster=alias,
        )
    if owners:
        yield Finding.at(
            ("clusters", alias, "acls"),
            f"`spec.authorization` of the KafkaUser {principal} in {cluster.access.described} "
            f"belongs to {and_more(owners)}: the stack sets the whole list of ACLs there, and "
            "another tool or stack would overwrite it",
            "remove `authorization` from the KafkaUser where it is declared, and apply it; give "
            "this stack a KafkaUser of its own (`principals.mirror`); or set `acls: exported`",
            cluster=alias,
        )


def _without_owner(cluster: StrimziCluster, alias: str, principal: str) -> Finding:
    return Finding.at(
        ("clusters", alias, "acls"),
        f"this deployment gives up `spec.authorization` of the KafkaUser {principal} in "
        f"{cluster.access.described}, and nobody else owns it: the operator would delete the ACLs, "
        "and MirrorMaker does not report that",
        "declare the same `authorization` where the KafkaUser is declared, and apply it with "
        "`kubectl apply --server-side` first: then both own it, and it stays",
        cluster=alias,
    )


def _missing_user(cluster: StrimziCluster, alias: str, principal: str) -> Finding:
    return Finding.at(
        ("clusters", alias, "principals", "mirror"),
        f"{cluster.access.described} has no KafkaUser {principal}, whose `spec.authorization` gets "
        "the ACLs of MirrorMaker",
        did_you_mean(
            principal,
            _user_names(cluster),
            f"create it with `authentication` and the label {CLUSTER_LABEL}={cluster.name}; or set "
            "`acls: exported`",
        ),
        cluster=alias,
    )


def _read_user(cluster: StrimziCluster, name: str) -> dict[str, Any]:
    from mirrorstack.kubernetes.library import CustomObjectsApi

    with cluster.access.client() as client:
        found = CustomObjectsApi(client).get_namespaced_custom_object(
            *_users(cluster.access, cluster.version), name, _request_timeout=CALL_SECONDS
        )
        user: dict[str, Any] = as_json(client, found)
    return user


def _user_names(cluster: StrimziCluster) -> list[str]:
    """None if they may not be listed."""
    from mirrorstack.kubernetes.library import CustomObjectsApi

    try:
        with cluster.access.client() as client:
            found = CustomObjectsApi(client).list_namespaced_custom_object(
                *_users(cluster.access, cluster.version), _request_timeout=CALL_SECONDS
            )
            return [each["metadata"]["name"] for each in as_json(client, found)["items"]]
    except KubernetesError:
        return []


def _users(access: ClusterAccess, version: str) -> tuple[str, str, str, str]:
    return GROUP, version, access.namespace, PLURALS[kafka_users.KIND]
