"""What a preview can know about the cluster in which Strimzi's operator is to run workers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mirrorstack.findings import Finding, KeyPath
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, KubernetesError, as_json
from mirrorstack.kubernetes.checks import Permission, namespace_findings
from mirrorstack.kubernetes.strimzi_resources import GROUP
from mirrorstack.kubernetes.strimzi_status import PLURALS
from mirrorstack.text import did_you_mean


def strimzi_findings(
    access: ClusterAccess,
    path: KeyPath,
    target: str,
    *,
    version: str,
    kinds: Collection[str],
    passwords_secret: str,
    aliases: Collection[str],
) -> Iterator[Finding]:
    """`kinds`: of the operator's resources that the stack creates. `passwords_secret`: the name of
    one that has to exist, with a key for each of `aliases`; or empty. `path` is that of the
    settings."""
    needed = [Permission("", "secrets", "patch")]
    needed += [Permission(GROUP, PLURALS[kind], "patch") for kind in kinds]
    needed += [Permission(GROUP, f"{PLURALS['KafkaMirrorMaker2']}/scale", "patch")]
    yield from resource_findings(
        access,
        path,
        target,
        version=version,
        kinds=kinds,
        needed=needed,
        passwords_secret=passwords_secret,
        aliases=aliases,
    )


def resource_findings(
    access: ClusterAccess,
    path: KeyPath,
    cluster: str,
    *,
    version: str,
    kinds: Collection[str],
    needed: Collection[Permission],
    passwords_secret: str = "",
    aliases: Collection[str] = (),
) -> Iterator[Finding]:
    """For resources of these kinds, whatever they are for."""
    plurals = [PLURALS[kind] for kind in kinds]
    try:
        missing = list(_missing_kinds(access, path, cluster, version, plurals))
    except KubernetesError as error:
        yield Finding.at(path, error.message, error.fix, cluster=cluster)
        return
    found = list(
        namespace_findings(
            access,
            path,
            cluster,
            needed=needed,
            passwords_secret=passwords_secret,
            aliases=aliases,
        )
    )
    # In a namespace that does not exist, nothing else is known.
    yield from found or missing


def _missing_kinds(
    access: ClusterAccess, path: KeyPath, target: str, version: str, plurals: Collection[str]
) -> Iterator[Finding]:
    served = _served_versions(access)
    absent = [f"{plural}.{GROUP}" for plural in plurals if plural not in served]
    if absent:
        yield Finding.at(
            path,
            f"{access.described_context} has no {', '.join(absent)}, which Strimzi installs",
            "install Strimzi's Cluster Operator with its CustomResourceDefinitions, or select "
            "another `context`",
            cluster=target,
        )
        return
    for plural in plurals:
        versions = served[plural]
        if version not in versions:
            yield Finding.at(
                (*path, "api-version"),
                f"{access.described_context} serves {plural}.{GROUP} as {', '.join(versions)}, and "
                f"not as {version}",
                did_you_mean(version, versions, f"set `api-version: {versions[0]}`"),
                cluster=target,
            )
            return


def _served_versions(access: ClusterAccess) -> dict[str, list[str]]:
    """By plural, from the API's discovery, which every user may read."""
    from mirrorstack.kubernetes.library import ApisApi, CustomObjectsApi

    served: dict[str, list[str]] = {}
    with access.client() as client:
        groups = as_json(client, ApisApi(client).get_api_versions(_request_timeout=CALL_SECONDS))
        versions = [
            each["version"]
            for group in groups["groups"]
            for each in group["versions"]
            if group["name"] == GROUP
        ]
        for version in versions:
            listed = CustomObjectsApi(client).get_api_resources(
                GROUP, version, _request_timeout=CALL_SECONDS
            )
            for kind in as_json(client, listed)["resources"]:
                served.setdefault(kind["name"], []).append(version)
    return served
