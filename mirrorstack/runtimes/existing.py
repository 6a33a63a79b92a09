"""The existing runtime: Connect workers that somebody else runs.

The stack manages only connectors. The workers write to the target as their own principal, so it has
to be the one that the stack file names for MirrorMaker there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from mirrorstack.config.workers import (
    RestAuthentication,
    WorkerSettings,
    connect_password_key,
    connect_token_key,
)
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import ConnectResponseError
from mirrorstack.connect.rest_login import RestLogin, Secrets
from mirrorstack.findings import Finding, KeyPath, UserError
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.runtimes.base import (
    DeployedWorkers,
    Runtime,
    TargetCluster,
    WorkerPlacement,
    absolute,
)

TIMEOUT_SECONDS = 10.0
PATIENCE = RetryPolicy(seconds=15.0)


class ExistingRuntime(Runtime):
    """Places nothing: the stack file says where the workers are."""

    def __init__(self, stack: str, home: Path) -> None:
        super().__init__(stack, home)
        self._references: dict[str, str] = {}

    def place_workers(
        self, target: str, settings: WorkerSettings, _deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        self._references[target] = settings.secret_reference or ""
        return WorkerPlacement(
            rest_urls=((settings.rest_url or "").rstrip("/"),), login=_login(target, settings)
        )

    def secret_reference(self, target: str, alias: str) -> str:
        return self._references[target].replace("{alias}", alias)

    def worker_properties(self, _rest_url: str) -> Mapping[str, str]:
        return {}

    def is_deployed(self, _deployed: DeployedWorkers | None) -> bool:
        return True

    def check_workers(
        self, placement: WorkerPlacement, target: TargetCluster, secret: Secrets
    ) -> Iterator[Finding]:
        """What Connect reports about itself. How the workers are configured for the connectors
        (converters, exactly-once, config providers, client overrides) is checked with each
        connector: the workers validate its config."""
        path: KeyPath = ("workers", target.alias)
        try:
            client = placement.login.client(
                placement.rest_url, secret, timeout=TIMEOUT_SECONDS, retries=PATIENCE
            )
            worker, plugins = client.worker(), client.plugins()
            taken = sorted(target.new_connectors & client.statuses().keys())
        except UserError as error:
            yield _not_available(error, path, target.alias)
            return
        if target.cluster_id and worker.kafka_cluster_id != target.cluster_id:
            yield Finding.at(
                (*path, "rest-url"),
                f"the workers at {placement.rest_url} are workers of another cluster: its id is "
                f"{worker.kafka_cluster_id}, and that of {target.alias} is {target.cluster_id}. "
                "Connect writes to the cluster of its workers, whatever a connector declares",
                f"give the URL of workers whose `bootstrap.servers` are those of {target.alias}",
                cluster=target.alias,
            )
        missing = [kind.java_class for kind in ConnectorKind if kind.java_class not in plugins]
        if missing:
            yield Finding.at(
                (*path, "rest-url"),
                f"the workers at {placement.rest_url} do not have {', '.join(missing)}",
                "add connect-mirror and connect-mirror-client, of the version of the workers "
                f"({worker.version}), to their `plugin.path` or class path, and restart them",
                cluster=target.alias,
            )
        if taken:
            yield Finding.at(
                (*path, "rest-url"),
                f"the workers at {placement.rest_url} already have connectors that this stack did "
                f"not create: {', '.join(taken)}",
                "delete them, and this stack's resume from their offsets; or give the clusters "
                "other aliases, from which the names follow",
                cluster=target.alias,
            )
        if not target.has_members:
            yield Finding.at(
                (*path, "group"),
                f'the Connect group "{target.group}" has no members on {target.alias}, so it is '
                f"not the group of the workers at {placement.rest_url}",
                "set it to the `group.id` of the workers",
                cluster=target.alias,
            )
        if not missing and self._references[target.alias]:
            yield from self._check_references(client, target, path)

    def _check_references(
        self, client: ConnectClient, target: TargetCluster, path: KeyPath
    ) -> Iterator[Finding]:
        """Workers resolve references before they validate a config. They report a file, a
        directory or a secret store that they cannot read; a key that is missing there, and a
        config provider that they do not have, show only when the connector starts."""
        for alias in target.aliases:
            reference = self.secret_reference(target.alias, alias)
            config = {
                "connector.class": ConnectorKind.HEARTBEAT.java_class,
                "source.cluster.alias": alias,
                "target.cluster.alias": target.alias,
                # Of the type password: workers neither log nor return its value.
                "target.cluster.sasl.jaas.config": reference,
            }
            try:
                client.with_retries(RetryPolicy(seconds=0)).validate("mirrorstack", config)
            except ConnectResponseError as error:
                yield Finding.at(
                    (*path, "secret-reference"),
                    f"the workers cannot resolve {reference}: {error.reason}",
                    "correct it, or make the secret readable for the workers, under the alias of "
                    "the cluster",
                    cluster=target.alias,
                )


def _login(target: str, settings: WorkerSettings) -> RestLogin:
    security = settings.rest_security
    files = RestLogin(
        ca_file=absolute(security.ca_file),
        certificate_file=absolute(security.certificate_file),
        key_file=absolute(security.key_file),
    )
    if security.authentication is RestAuthentication.BASIC:
        password = connect_password_key(target)
        return replace(files, username=security.username or "", password_key=password)
    if security.authentication is RestAuthentication.BEARER:
        return replace(files, token_key=connect_token_key(target))
    return files


def _not_available(error: UserError, path: KeyPath, target: str) -> Finding:
    finding = error.findings[0]
    if isinstance(error, ConnectResponseError) and error.requires_authentication:
        return Finding.at(
            (*path, "rest-security"),
            f"login failed: {finding.message}",
            "correct `authentication` and `username`, or set the secret again: `pulumi config set "
            f"--secret {connect_password_key(target)}`, or for a bearer token "
            f"{connect_token_key(target)}",
            cluster=target,
        )
    return replace(finding, path=(*path, "rest-url"), cluster=target)
