"""The kubernetes runtime: Connect workers as pods of a StatefulSet."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from mirrorstack.config.kubernetes_workers import NamespaceSettings, name_findings
from mirrorstack.config.workers import WorkerSettings, connect_password_key
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.checks import cluster_findings, has_pod_monitors
from mirrorstack.kubernetes.port_forward import PortForward
from mirrorstack.kubernetes.rollout import stop_pods
from mirrorstack.kubernetes.worker_pods import ADDRESS, INSTANCE, PASSWORDS, REST_PORT
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement, absolute
from mirrorstack.runtimes.worker_container import EVERY_ADDRESS
from mirrorstack.runtimes.worker_files import BASIC_AUTH, REST_USER

DIRECTORY_PROVIDER = "org.apache.kafka.common.config.provider.DirectoryConfigProvider"
ENVIRONMENT_PROVIDER = "org.apache.kafka.common.config.provider.EnvVarConfigProvider"
STOP_SECONDS = 120.0


class KubernetesRuntime(Runtime):
    """All pods have the same config; their number is that of the StatefulSet."""

    def place_workers(
        self, target: str, settings: WorkerSettings, _deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        kubernetes = settings.kubernetes
        access, name = namespace_access(kubernetes), kubernetes.object_name(self.stack, target)
        monitored = kubernetes.metrics is not None and has_pod_monitors(access)
        return WorkerPlacement(
            rest_urls=(_rest_url(settings, name),),
            login=_login(target, settings, access, name)
            if settings.connector_naming is ConnectorNaming.STACK
            else RestLogin(),
            options={
                "name": name,
                "access": access.encoded,
                "secret": kubernetes.secret or "",
                "pod_monitor": "true" if monitored else "",
            },
        )

    def secret_reference(self, _target: str, alias: str) -> str:
        return f"${{directory:{PASSWORDS}:{alias}}}"

    def worker_properties(self, _rest_url: str) -> Mapping[str, str]:
        return {
            "listeners": f"http://{EVERY_ADDRESS}:{REST_PORT}",
            "rest.advertised.host.name": f"${{env:{ADDRESS}}}",
            "rest.advertised.port": str(REST_PORT),
            "rest.extension.classes": BASIC_AUTH,
            "config.providers": "directory,env",
            "config.providers.directory.class": DIRECTORY_PROVIDER,
            "config.providers.directory.param.allowed.paths": str(PASSWORDS),
            "config.providers.env.class": ENVIRONMENT_PROVIDER,
            "config.providers.env.param.allowlist.pattern": ADDRESS,
        }

    def check_host(
        self, placement: WorkerPlacement, target: str, aliases: Sequence[str]
    ) -> Iterator[Finding]:
        options = placement.options
        path: KeyPath = ("workers", target, "kubernetes")
        yield from name_findings(options["name"], path, target)
        yield from cluster_findings(
            ClusterAccess.decode(options["access"]),
            path,
            target,
            passwords_secret=options["secret"],
            aliases=aliases,
            port_forward=bool(placement.login.port_forward),
        )

    @classmethod
    def stop_workers(cls, options: Mapping[str, str]) -> None:
        access = ClusterAccess.decode(options["access"])
        stop_pods(access, options["name"], deadline=time.monotonic() + STOP_SECONDS)


def namespace_access(settings: NamespaceSettings) -> ClusterAccess:
    return ClusterAccess(
        namespace=settings.namespace,
        context=settings.context or "",
        kubeconfig=absolute(settings.kubeconfig),
    )


def _rest_url(settings: WorkerSettings, name: str) -> str:
    """Without `rest-url`, the Service's name in the cluster; a port-forward leads there."""
    inside = f"http://{name}.{settings.kubernetes.namespace}.svc:{REST_PORT}"
    return settings.rest_url.rstrip("/") if settings.rest_url else inside


def _login(target: str, settings: WorkerSettings, access: ClusterAccess, name: str) -> RestLogin:
    security = settings.rest_security
    forward = "" if settings.rest_url else PortForward(access, f"{INSTANCE}={name}").encoded
    return RestLogin(
        username=REST_USER,
        password_key=connect_password_key(target),
        ca_file=absolute(security.ca_file),
        certificate_file=absolute(security.certificate_file),
        key_file=absolute(security.key_file),
        port_forward=forward,
    )
