"""`workers` of a stack file: the Connect workers next to a target cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field

from mirrorstack.config.base import SettingsModel, Text
from mirrorstack.config.docker_workers import DockerSettings, check_docker
from mirrorstack.config.kubernetes_workers import (
    KubernetesSettings,
    check_kubernetes,
    check_pods,
)
from mirrorstack.config.strimzi_workers import StrimziSettings, StrimziVersion
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.worker_group import ConnectorNaming


class RuntimeName(StrEnum):
    """Where workers run."""

    LOCAL_PROCESS = "local-process"
    """As processes on this machine."""
    EXISTING = "existing"
    """Somebody else runs them."""
    DOCKER = "docker"
    """As containers on a Docker host."""
    KUBERNETES = "kubernetes"
    """As pods of a Kubernetes cluster."""
    STRIMZI = "strimzi"
    """As pods that Strimzi's operator creates from a KafkaMirrorMaker2."""


class WorkerMode(StrEnum):
    """How MirrorMaker runs."""

    CONNECT = "connect"
    """Its connectors in distributed Connect workers."""
    DEDICATED = "dedicated"
    """As a program of its own, `connect-mirror-maker`."""


class RestAuthentication(StrEnum):
    """How a client of Connect's REST API authenticates, besides a certificate."""

    NONE = "none"
    BASIC = "basic"
    BEARER = "bearer"


class RestSecuritySettings(SettingsModel):
    """How clients connect to Connect's REST API. Files are on the machine that runs Pulumi."""

    authentication: RestAuthentication = RestAuthentication.NONE
    """`none`, `basic` (`username`, and the password in `pulumi config set --secret
    <alias>-connect-password`) or `bearer` (the token in `pulumi config set --secret
    <alias>-connect-token`)."""
    username: Text | None = None
    """User name, for `basic`."""
    ca_file: Text | None = Field(None, alias="ca-file")
    """PEM file with the CA certificates to trust. Default: those of the machine."""
    certificate_file: Text | None = Field(None, alias="certificate-file")
    """PEM file with the client's certificate, for mutual TLS."""
    key_file: Text | None = Field(None, alias="key-file")
    """PEM file with its private key. Default: it is in `certificate-file`."""


class WorkerSettings(SettingsModel):
    """The Connect workers next to a target cluster."""

    runtime: RuntimeName = RuntimeName.LOCAL_PROCESS
    """Where the workers run. `local-process`: as processes on this machine. `docker`: as containers
    on a Docker host. `kubernetes`: as pods of a Kubernetes cluster. `strimzi`: as pods of one that
    Strimzi's operator creates from a KafkaMirrorMaker2. `existing`: somebody else runs them, and
    the stack manages connectors through `rest-url`."""
    mode: WorkerMode = WorkerMode.CONNECT
    """How MirrorMaker runs. `connect`: its connectors in Connect workers, managed through the REST
    API. `dedicated`: as `connect-mirror-maker` with an mm2.properties file, in the places of
    `local-process`, `docker` and `kubernetes`; it has no REST API, so flows cannot be paused."""
    count: Annotated[int, Field(ge=1, le=16)] = 1
    """Number of workers."""
    group: Text | None = None
    """Connect group (`group.id`); the names of its three internal topics begin with it. Default:
    `mirrorstack-<alias>`. With `existing`: the group that the workers have."""
    rest_port: Annotated[int, Field(ge=1024, le=65000)] | None = Field(None, alias="rest-port")
    """Port of the first worker's REST API (`listeners`), in dedicated mode of the internal one; the
    others use the ports after it. Default: a free port, kept while the stack is deployed."""
    heap_mb: Annotated[int, Field(ge=1)] | None = Field(None, alias="heap-mb")
    """Java heap of each worker in MB (`-Xmx`). It must suffice for all tasks of the flows to this
    target, because one worker runs them all when the others are down. Default: what these tasks
    need, from `tasks`, `profile`, `exactly-once`, `override` and the `brokers` of the sources."""
    rest_url: Text | None = Field(None, alias="rest-url")
    """URL of Connect's REST API, `http(s)://host:port`. For `existing`: of any worker, or of a load
    balancer in front of them. For `kubernetes`: of an ingress or load balancer in front of the
    Service; default: a port-forward through the API server."""
    rest_security: RestSecuritySettings = Field(RestSecuritySettings(), alias="rest-security")
    """How to log in there. For `kubernetes` only the files: the user is `mirrorstack`."""
    secret_reference: Text | None = Field(None, alias="secret-reference")
    """How connector configs refer to the password of MirrorMaker's principal on a cluster, for
    `existing`: a reference to a config provider of the workers, with `{alias}` for the cluster's
    alias, such as `${file:/etc/kafka/secrets.properties:{alias}}`."""
    docker: DockerSettings = DockerSettings()
    """Containers, for `docker`. The password of the REST API, whose user is `mirrorstack`, is in
    `pulumi config set --secret <alias>-connect-password`."""
    kubernetes: KubernetesSettings = KubernetesSettings()
    """Pods, for `kubernetes`. The password of the REST API is as for `docker`."""
    strimzi: StrimziSettings = StrimziSettings()
    """A KafkaMirrorMaker2, for `strimzi`."""

    @property
    def has_separate_heartbeats(self) -> bool:
        """A KafkaMirrorMaker2 of the API version v1 has no heartbeat connector."""
        is_strimzi = self.runtime is RuntimeName.STRIMZI
        return is_strimzi and self.strimzi.api_version is StrimziVersion.V1

    @property
    def connector_naming(self) -> ConnectorNaming:
        """Who names the connectors that these workers run."""
        if self.mode is WorkerMode.DEDICATED:
            return ConnectorNaming.DEDICATED
        if self.runtime is RuntimeName.STRIMZI:
            return ConnectorNaming.STRIMZI
        return ConnectorNaming.STACK


# Keys that dedicated mode does not take: it names its groups itself, and has no public REST API.
NOT_DEDICATED = ("group", "rest-url", "rest-security", "secret-reference")
# By runtime: keys that it does not take. What starts workers means nothing for workers that run.
OTHER_KEYS: Mapping[RuntimeName, tuple[str, ...]] = {
    RuntimeName.LOCAL_PROCESS: (
        "rest-url",
        "rest-security",
        "secret-reference",
        "docker",
        "kubernetes",
        "strimzi",
    ),
    RuntimeName.EXISTING: ("count", "rest-port", "heap-mb", "docker", "kubernetes", "strimzi"),
    RuntimeName.DOCKER: ("rest-url", "rest-security", "secret-reference", "kubernetes", "strimzi"),
    RuntimeName.KUBERNETES: ("rest-port", "secret-reference", "docker", "strimzi"),
    RuntimeName.STRIMZI: (
        "rest-port",
        "rest-url",
        "rest-security",
        "secret-reference",
        "docker",
        "kubernetes",
    ),
}


DEDICATED_RUNTIMES = (RuntimeName.LOCAL_PROCESS, RuntimeName.DOCKER, RuntimeName.KUBERNETES)
"""Those that start programs; they take `mode: dedicated`."""


def connect_password_key(target: str) -> str:
    """The config key of the stack that holds the password for a REST API, as a secret."""
    return f"{target}-connect-password"


def connect_token_key(target: str) -> str:
    return f"{target}-connect-token"


def check_workers(
    target: str, workers: WorkerSettings, *, passwords: bool, sandbox: bool
) -> Iterator[Finding]:
    """What is wrong with workers whose single values are valid. `passwords`: whether their
    connectors need any; `sandbox`: whether they reach clusters of a sandbox."""
    path: KeyPath = ("workers", target)
    yield from _unused(target, workers, OTHER_KEYS[workers.runtime], "runtime")
    if workers.mode is WorkerMode.DEDICATED:
        if workers.runtime not in DEDICATED_RUNTIMES:
            yield Finding.at(
                (*path, "mode"),
                f'"dedicated" is not possible with `runtime: {workers.runtime}`: the stack has to '
                "start MirrorMaker itself",
                f"use `runtime: {'`, `'.join(DEDICATED_RUNTIMES)}`, or `mode: connect`",
                cluster=target,
            )
        else:
            unused = [key for key in NOT_DEDICATED if key not in OTHER_KEYS[workers.runtime]]
            yield from _unused(target, workers, unused, "mode")
    if workers.runtime is RuntimeName.EXISTING and workers.mode is WorkerMode.CONNECT:
        yield from _check_existing(target, workers, path, passwords=passwords)
    if workers.runtime is RuntimeName.DOCKER:
        yield from check_docker(target, workers.docker, (*path, "docker"), sandbox=sandbox)
    if workers.runtime is RuntimeName.KUBERNETES:
        yield from check_kubernetes(
            target,
            workers.kubernetes,
            (*path, "kubernetes"),
            count=workers.count,
            sandbox=sandbox,
        )
        if workers.mode is WorkerMode.CONNECT:
            yield from _check_url(target, workers, path)
            yield from _check_own_login(target, workers, path)
    if workers.runtime is RuntimeName.STRIMZI:
        settings = workers.strimzi
        where: KeyPath = (*path, "strimzi")
        yield from check_pods(target, settings, where, image=settings.image, sandbox=sandbox)


def _unused(
    target: str, workers: WorkerSettings, keys: Sequence[str], by: str
) -> Iterator[Finding]:
    """Keys that are set although the value of the key `by` does not use them."""
    defaults = WorkerSettings()
    for key in keys:
        name = key.replace("-", "_")
        if getattr(workers, name) != getattr(defaults, name):
            yield Finding.at(
                ("workers", target, key),
                f"has no meaning with `{by}: {getattr(workers, by)}`",
                f"remove it, or use another `{by}`",
                cluster=target,
            )


def _check_existing(
    target: str, workers: WorkerSettings, path: KeyPath, *, passwords: bool
) -> Iterator[Finding]:
    required = {"rest-url": "https://connect.example:8083", "group": "connect-cluster"}
    if passwords:
        required["secret-reference"] = "${file:/etc/kafka/secrets.properties:{alias}}"
    for key, example in required.items():
        if getattr(workers, key.replace("-", "_")) is None:
            yield Finding.at(
                (*path, key),
                "required with `runtime: existing`, and missing",
                f"set it, such as `{key}: {example}`",
                cluster=target,
            )
    yield from _check_url(target, workers, path)
    reference = workers.secret_reference
    if reference is not None and ("{alias}" not in reference or "${" not in reference):
        yield Finding.at(
            (*path, "secret-reference"),
            f'"{reference}" is not a reference to a config provider with {{alias}} in it',
            "write it such as ${file:/etc/kafka/secrets.properties:{alias}}",
            cluster=target,
        )
    security = workers.rest_security
    is_basic = security.authentication is RestAuthentication.BASIC
    if is_basic != (security.username is not None):
        yield Finding.at(
            (*path, "rest-security", "username"),
            "required with `authentication: basic`, and missing"
            if is_basic
            else f"has no meaning with `authentication: {security.authentication}`",
            "set the user name" if is_basic else "remove it, or set `authentication: basic`",
            cluster=target,
        )


def _check_own_login(target: str, workers: WorkerSettings, path: KeyPath) -> Iterator[Finding]:
    """The stack itself decides how clients authenticate to its own workers."""
    security, defaults = workers.rest_security, RestSecuritySettings()
    for key in ("authentication", "username"):
        if getattr(security, key) != getattr(defaults, key):
            yield Finding.at(
                (*path, "rest-security", key),
                f"has no meaning with `runtime: {workers.runtime}`: the user is `mirrorstack`",
                f"remove it; the password is in `{connect_password_key(target)}`",
                cluster=target,
            )
    if workers.rest_url is None and security != defaults:
        yield Finding.at(
            (*path, "rest-security"),
            "has no meaning without `rest-url`",
            "set `rest-url`, or remove it",
            cluster=target,
        )


def _check_url(target: str, workers: WorkerSettings, path: KeyPath) -> Iterator[Finding]:
    if workers.rest_url is None:
        return
    parts = urlsplit(workers.rest_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        # The URL is not quoted: it may contain a password before an @.
        yield Finding.at(
            (*path, "rest-url"),
            "not http(s)://host:port, or it contains a user name",
            "correct it; a login belongs under `rest-security`",
            cluster=target,
        )
    elif parts.scheme == "http" and workers.rest_security.certificate_file:
        yield Finding.at(
            (*path, "rest-security", "certificate-file"),
            "has no meaning over http",
            "use https in `rest-url`, or remove it",
            cluster=target,
        )
