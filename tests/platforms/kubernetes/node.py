"""A Kubernetes cluster of one node, for as long as a block runs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from tests.platforms.kubernetes.api import ApiError, KubernetesApi
from tests.platforms.kubernetes.binaries import search_path
from tests.platforms.kubernetes.components import (
    CONTAINERD_SOCKET,
    DNS_READY,
    NODE_NAME,
    PAUSE_IMAGE,
    PROXY_READY,
    Components,
)
from tests.platforms.kubernetes.images import write_pause_image
from tests.platforms.kubernetes.namespaces import Namespaces, cgroup, namespaces
from tests.platforms.kubernetes.network import HOST, joined_to_host
from tests.platforms.kubernetes.processes import Processes


@dataclass(frozen=True)
class KubernetesNode:
    kubeconfig: Path
    """Of the administrator; its context is called `test`."""
    host_address: str
    """The host, as pods reach it: brokers that listen here are reachable from pods."""
    inside: Namespaces = field(repr=False)
    environ: Mapping[str, str] = field(repr=False)

    def import_image(self, tar: Path) -> None:
        """An archive in the format of `docker save`."""
        address = f"--address={CONTAINERD_SOCKET}"
        words = ("ctr", address, "--namespace=k8s.io", "images", "import", tar)
        command = self.inside.command(*words)
        ended = subprocess.run(command, env=self.environ, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr


@contextmanager
def kubernetes_node(parts: Path, home: Path) -> Iterator[KubernetesNode]:
    """`parts` is the result of `installed_parts`; `home` is for configuration, data and logs.

    Needs root. One node can run at a time: its addresses are always the same.
    """
    home.mkdir(parents=True, exist_ok=True)
    environ = search_path(parts)
    with ExitStack() as stack:
        components = Components(parts, home, stack.enter_context(cgroup()))
        components.configure()
        stack.callback(shutil.rmtree, components.images, ignore_errors=True)
        after = stack.enter_context(ExitStack())
        inside = stack.enter_context(namespaces(home, NODE_NAME))
        stack.enter_context(joined_to_host(inside.pid))
        processes = Processes(inside, environ, home / "logs")
        after.callback(processes.reap)
        node = KubernetesNode(components.kubeconfig, str(HOST), inside, environ)
        _start(components, processes, node)
        yield node


def _start(components: Components, processes: Processes, node: KubernetesNode) -> None:
    processes.start(components.without_api())
    api = KubernetesApi.of(components.kubeconfig)
    processes.wait("kube-apiserver", lambda: _answer(api, "/readyz"))
    processes.start(components.with_api())
    processes.wait("containerd", (node.inside.root / CONTAINERD_SOCKET.lstrip("/")).exists)
    pause = components.home / "pause.tar"
    write_pause_image(PAUSE_IMAGE, components.parts, pause)
    node.import_image(pause)
    account = "/api/v1/namespaces/default/serviceaccounts/default"
    processes.wait("kube-controller-manager", lambda: _answer(api, account))
    processes.wait("kubelet", lambda: _is_ready(_answer(api, f"/api/v1/nodes/{NODE_NAME}")))
    processes.wait("kube-proxy", lambda: _answers(PROXY_READY))
    processes.wait("coredns", lambda: _answers(DNS_READY))


def _answer(api: KubernetesApi, path: str) -> dict[str, Any]:
    try:
        return api.call("GET", path)
    except ApiError:
        return {}


def _is_ready(node: dict[str, Any]) -> bool:
    conditions = node.get("status", {}).get("conditions", [])
    ready = any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)
    return ready and not node["spec"].get("taints")


def _answers(url: str) -> bool:
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=5) as response:
            return bool(response.status)
    except OSError:
        return False
