"""What a preview can know about a cluster, before anything is deployed to it."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, KubernetesError, as_json
from mirrorstack.text import and_more, did_you_mean

if TYPE_CHECKING:
    from kubernetes.client import ApiClient

NOT_FOUND, FORBIDDEN = 404, 403


@dataclass(frozen=True)
class Permission:
    group: str
    """Of the API; empty: the core."""
    resource: str
    """In the plural, with a subresource such as `pods/portforward`."""
    verb: str


NEEDED = [
    Permission(group, resource, "patch")
    for group, resources in {
        "": ("configmaps", "secrets", "services", "serviceaccounts"),
        "apps": ("statefulsets",),
        "policy": ("poddisruptionbudgets",),
        "networking.k8s.io": ("networkpolicies",),
    }.items()
    for resource in resources
]
"""For what the stack creates."""
PORT_FORWARD = Permission("", "pods/portforward", "get")


def cluster_findings(
    access: ClusterAccess,
    path: KeyPath,
    target: str,
    *,
    passwords_secret: str,
    aliases: Collection[str],
    port_forward: bool,
) -> Iterator[Finding]:
    """For workers in pods of the stack; see `namespace_findings`."""
    yield from namespace_findings(
        access,
        path,
        target,
        needed=[*NEEDED, *([PORT_FORWARD] if port_forward else [])],
        passwords_secret=passwords_secret,
        aliases=aliases,
    )


def namespace_findings(
    access: ClusterAccess,
    path: KeyPath,
    target: str,
    *,
    needed: Collection[Permission],
    passwords_secret: str,
    aliases: Collection[str],
) -> Iterator[Finding]:
    """`passwords_secret`: the name of one that has to exist, with a key for each of `aliases`; or
    empty. `path` is that of the settings."""
    try:
        with access.client() as client:
            if missing := _missing_namespace(client, access, path, target):
                yield missing
                return
            yield from _missing_permissions(client, access, path, target, needed)
            if passwords_secret:
                yield from _secret(client, access, passwords_secret, aliases, path, target)
    except KubernetesError as error:
        yield Finding.at(path, error.message, error.fix, cluster=target)


def has_pod_monitors(access: ClusterAccess) -> bool:
    """Whether the Prometheus operator's kind exists there; not, if the API does not answer."""
    from mirrorstack.kubernetes.library import CustomObjectsApi

    try:
        with access.client() as client:
            CustomObjectsApi(client).list_namespaced_custom_object(
                "monitoring.coreos.com",
                "v1",
                access.namespace,
                "podmonitors",
                limit=1,
                _request_timeout=CALL_SECONDS,
            )
    except KubernetesError as error:
        return error.status == FORBIDDEN
    return True


def _missing_namespace(
    client: ApiClient, access: ClusterAccess, path: KeyPath, target: str
) -> Finding | None:
    from mirrorstack.kubernetes.library import ApiException, CoreV1Api

    api = CoreV1Api(client)
    try:
        api.read_namespace(access.namespace, _request_timeout=CALL_SECONDS)
    except ApiException as error:
        if error.status == FORBIDDEN:  # a user of one namespace need not see namespaces
            return None
        if error.status != NOT_FOUND:
            raise
    else:
        return None
    try:
        names = [
            each["metadata"]["name"] for each in as_json(client, api.list_namespace())["items"]
        ]
    except ApiException:
        names = []
    create = f"create it with `kubectl create namespace {access.namespace}`"
    return Finding.at(
        (*path, "namespace"),
        f"{access.described_context} has no namespace {access.namespace}",
        did_you_mean(access.namespace, names, create),
        cluster=target,
    )


def _missing_permissions(
    client: ApiClient,
    access: ClusterAccess,
    path: KeyPath,
    target: str,
    needed: Collection[Permission],
) -> Iterator[Finding]:
    """Asks the API server; it answers for everybody."""
    refused = [
        f"{each.verb} {each.resource}"
        for each in needed
        if not _may(client, access.namespace, each)
    ]
    if refused:
        yield Finding.at(
            (*path, "context"),
            f"the user of {access.described_context} may not {and_more(refused)} in namespace "
            f"{access.namespace}",
            "bind a Role with these permissions to it"
            + (
                "; or set `rest-url` instead of using a port-forward"
                if PORT_FORWARD in needed
                else ""
            ),
            cluster=target,
        )


def _may(client: ApiClient, namespace: str, permission: Permission) -> bool:
    from mirrorstack.kubernetes.library import AuthorizationV1Api

    kind, _, part = permission.resource.partition("/")
    attributes: dict[str, Any] = {
        "namespace": namespace,
        "resource": kind,
        "verb": permission.verb,
    }
    attributes |= {"group": permission.group} if permission.group else {}
    attributes |= {"subresource": part} if part else {}
    review: Any = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": attributes},
    }
    answer = AuthorizationV1Api(client).create_self_subject_access_review(
        review, _request_timeout=CALL_SECONDS
    )
    return bool(as_json(client, answer)["status"]["allowed"])


def _secret(
    client: ApiClient,
    access: ClusterAccess,
    name: str,
    aliases: Collection[str],
    path: KeyPath,
    target: str,
) -> Iterator[Finding]:
    from mirrorstack.kubernetes.library import ApiException, CoreV1Api

    key = (*path, "secret")
    try:
        found = CoreV1Api(client).read_namespaced_secret(
            name, access.namespace, _request_timeout=CALL_SECONDS
        )
    except ApiException as error:
        if error.status == NOT_FOUND:
            yield Finding.at(
                key,
                f"{access.described} has no Secret {name}",
                f"create it, with a key for each of {', '.join(aliases)}; or remove `secret`, and "
                "the stack creates one",
                cluster=target,
            )
        elif error.status != FORBIDDEN:  # who may not read it cannot check it
            raise
        return
    yield from secret_findings(as_json(client, found).get("data") or {}, name, aliases, key, target)


def secret_findings(
    data: Mapping[str, str], name: str, aliases: Collection[str], key: KeyPath, target: str
) -> Iterator[Finding]:
    """`data` as in the Secret, in base64."""
    if missing := [alias for alias in aliases if alias not in data]:
        yield Finding.at(
            key,
            f"the Secret {name} has no key {', '.join(missing)} (keys: {', '.join(sorted(data))})",
            "add the password of MirrorMaker's principal under the alias of each cluster",
            cluster=target,
        )
    for alias in aliases:
        password = base64.b64decode(data.get(alias, ""))
        if b'"' in password or b"\\" in password or password.strip() != password:
            yield Finding.at(
                key,
                f"the value of {alias} in the Secret {name} contains a quote, a backslash, or "
                "white space at an end; connectors insert it between the quotes of a JAAS entry",
                'remove the white space; or write \\" for a quote and \\\\ for a backslash in a '
                "Secret of the stack, which escapes them: remove `secret`",
                cluster=target,
            )
