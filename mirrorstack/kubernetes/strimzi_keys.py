"""Which keys of workers and connectors Strimzi's operator sets itself.

From `FORBIDDEN_PREFIXES` and `FORBIDDEN_PARAMETERS` of `io.strimzi:api`: the operator leaves such
keys of a resource out, with a warning in its status, and sets its own from the resource's fields.
"""

from __future__ import annotations

from collections.abc import Mapping

CLIENTS = ("", "producer.", "consumer.", "admin.")
"""The worker's own client and those of its connectors."""
SECURITY = ("sasl.", "security.", "ssl.")
ALLOWED = (
    "ssl.cipher.suites",
    "ssl.enabled.protocols",
    "ssl.endpoint.identification.algorithm",
    "ssl.protocol",
)
OF_WORKERS = (
    "bootstrap.servers",
    "config.storage.topic",
    "group.id",
    "listeners",
    "offset.storage.topic",
    "plugin.path",
    "rest.",
    "status.storage.topic",
)
OF_CONNECTORS = ("connector.class", "name", "tasks.max")
PATTERNS = {
    "topics": "topicsPattern",
    "topics.exclude": "topicsExcludePattern",
    "groups": "groupsPattern",
    "groups.exclude": "groupsExcludePattern",
}
"""By key: the field of a mirror that the operator writes over it, for all connectors."""
CLUSTERS = ("source.cluster.", "target.cluster.")


def worker_keys(config: Mapping[str, str]) -> dict[str, str]:
    """Those of a worker's config that the resource may have."""
    return {key: value for key, value in config.items() if not _is_of_operator(key)}


def connector_keys(config: Mapping[str, str]) -> dict[str, str]:
    """Those of a connector's config that a mirror may have, without `PATTERNS`."""
    return {
        key: value
        for key, value in config.items()
        if key not in (*OF_CONNECTORS, *PATTERNS) and not _reaches_cluster(key)
    }


def declared_keys(config: Mapping[str, str]) -> frozenset[str]:
    """The keys of a connector that come from the resource as they are. The operator derives those
    that reach the clusters, and each of its releases may derive others."""
    always = ("connector.class", "tasks.max")
    fields = {key for key in (*always, *PATTERNS) if key in config}
    return frozenset({*connector_keys(config), *fields})


def patterns(config: Mapping[str, str]) -> dict[str, str]:
    """The fields of a mirror, from the config of one of its connectors."""
    return {field: config[key] for key, field in PATTERNS.items() if key in config}


def _is_of_operator(key: str) -> bool:
    if key.startswith(OF_WORKERS):
        return True
    return any(_is_security(key.removeprefix(client)) for client in CLIENTS)


def _is_security(key: str) -> bool:
    return key.startswith(SECURITY) and key not in ALLOWED


def _reaches_cluster(key: str) -> bool:
    """The address, the alias and the credentials of a cluster."""
    for prefix in CLUSTERS:
        rest = key.removeprefix(prefix)
        if rest != key:
            return rest in ("alias", "bootstrap.servers") or _is_security(rest)
    return False
