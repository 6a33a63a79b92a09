"""The components of a node: their configuration files and command lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.platforms.kubernetes.certificates import Certificates
from tests.platforms.kubernetes.network import API_SERVICE, NODE, PODS, SERVICES

NODE_NAME = "node"
PAUSE_IMAGE = "mirrorstack.test/pause:1"
CONTAINERD_SOCKET = "/run/containerd/containerd.sock"
API_SERVER = f"https://{NODE}:6443"
DNS_READY = f"http://{NODE}:8181/ready"
PROXY_READY = f"http://{NODE}:10256/healthz"
DOMAIN = "cluster.local"
ACCESS = ("kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig")

CONTAINERD = """\
version = 2
root = "{images}"
state = "/run/containerd"
oom_score = 0
disabled_plugins = [
  "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper",
  "io.containerd.snapshotter.v1.zfs",
]
[grpc]
address = "{socket}"
[plugins."io.containerd.internal.v1.opt"]
path = "/run/containerd-opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{pause}"
# Root may lack CAP_SYS_RESOURCE in a virtual machine or a container.
restrict_oom_score_adj = true
disable_hugetlb_controller = true
tolerate_missing_hugetlb_controller = true
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
BinaryName = "{parts}/usr/sbin/runc"
SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "{parts}/usr/lib/cni"
conf_dir = "{home}/cni"
"""
COREFILE = """\
.:53 {{
  errors
  ready
  kubernetes {domain} in-addr.arpa {{
    kubeconfig {kubeconfig}
  }}
  cache 5
}}
"""
# Each pod has a routed link: a bridge would bypass kube-proxy's rules.
NETWORK = {
    "cniVersion": "0.4.0",
    "name": "pods",
    "plugins": [
        {
            "type": "ptp",
            "ipam": {
                "type": "host-local",
                "dataDir": "/run/pod-addresses",
                "ranges": [[{"subnet": str(PODS)}]],
                "routes": [{"dst": "0.0.0.0/0"}],
            },
        }
    ],
}


@dataclass(frozen=True)
class Components:
    """Command lines; the configuration files are in `home` once `configure` has run."""

    parts: Path
    home: Path
    cgroup: str

    @property
    def kubeconfig(self) -> Path:
        return self.home / "admin.kubeconfig"

    @property
    def images(self) -> Path:
        """Where containerd keeps images and the file systems of containers."""
        return self.home / "containerd"

    def configure(self) -> None:
        signed = Certificates(self.home)
        signed.write_authority()
        signed.write_server([NODE, API_SERVICE])
        signed.write_signing_key()
        signed.write_kubeconfig(API_SERVER, "admin", "system:masters")
        signed.write_kubeconfig(API_SERVER, f"system:node:{NODE_NAME}", "system:nodes")
        for component in ("kube-controller-manager", "kube-scheduler", "kube-proxy"):
            signed.write_kubeconfig(API_SERVER, f"system:{component}")
        names = {"socket": CONTAINERD_SOCKET, "pause": PAUSE_IMAGE}
        paths = {"home": self.home, "parts": self.parts, "images": self.images}
        self._write("containerd.toml", CONTAINERD.format(**names, **paths))
        self._write("cni/pods.conflist", json.dumps(NETWORK))
        # The node resolves nothing but the cluster's own names.
        self._write("resolv.conf", f"nameserver {NODE}\n")
        self._write("kubelet.json", json.dumps(self._kubelet()))
        self._write("kube-proxy.json", json.dumps(self._proxy()))
        dns = COREFILE.format(domain=DOMAIN, kubeconfig=self.kubeconfig)
        self._write("Corefile", dns)

    def without_api(self) -> dict[str, list[str]]:
        """The API server, and what starts without it."""
        return {
            "etcd": [
                "etcd",
                "--data-dir=/run/etcd",
                "--listen-client-urls=http://127.0.0.1:2379",
                "--advertise-client-urls=http://127.0.0.1:2379",
                "--listen-peer-urls=http://127.0.0.1:2380",
            ],
            "containerd": ["containerd", f"--config={self.home}/containerd.toml"],
            "kube-apiserver": [
                "kube-apiserver",
                "--etcd-servers=http://127.0.0.1:2379",
                f"--advertise-address={NODE}",
                f"--service-cluster-ip-range={SERVICES}",
                f"--cert-dir={self.home}",
                f"--client-ca-file={self.home}/ca.crt",
                f"--tls-cert-file={self.home}/apiserver.crt",
                f"--tls-private-key-file={self.home}/apiserver.key",
                f"--kubelet-client-certificate={self.home}/admin.crt",
                f"--kubelet-client-key={self.home}/admin.key",
                "--kubelet-preferred-address-types=InternalIP",
                f"--service-account-issuer=https://kubernetes.default.svc.{DOMAIN}",
                f"--service-account-key-file={self.home}/service-accounts.key",
                f"--service-account-signing-key-file={self.home}/service-accounts.key",
                "--authorization-mode=Node,RBAC",
                "--enable-admission-plugins=NodeRestriction",
            ],
        }

    def with_api(self) -> dict[str, list[str]]:
        """What needs the API server."""
        manager, scheduler = (
            [f"--{kind}={self.home}/{component}.kubeconfig" for kind in ACCESS]
            for component in ("kube-controller-manager", "kube-scheduler")
        )
        return {
            "kube-controller-manager": [
                "kube-controller-manager",
                *manager,
                "--leader-elect=false",
                "--use-service-account-credentials=true",
                f"--root-ca-file={self.home}/ca.crt",
                f"--service-account-private-key-file={self.home}/service-accounts.key",
                "--flex-volume-plugin-dir=/run/volume-plugins",
            ],
            "kube-scheduler": ["kube-scheduler", *scheduler, "--leader-elect=false"],
            "kubelet": [
                "kubelet",
                f"--config={self.home}/kubelet.json",
                f"--kubeconfig={self.home}/{NODE_NAME}.kubeconfig",
                f"--hostname-override={NODE_NAME}",
                f"--node-ip={NODE}",
                "--root-dir=/var/lib/kubelet",
                "--cert-dir=/run/kubelet",
            ],
            "kube-proxy": ["kube-proxy", f"--config={self.home}/kube-proxy.json"],
            "coredns": ["coredns", f"-conf={self.home}/Corefile"],
        }

    def _kubelet(self) -> dict[str, Any]:
        return {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "authentication": {
                "anonymous": {"enabled": False},
                "webhook": {"enabled": True},
                "x509": {"clientCAFile": f"{self.home}/ca.crt"},
            },
            "authorization": {"mode": "Webhook"},
            "containerRuntimeEndpoint": f"unix://{CONTAINERD_SOCKET}",
            "cgroupDriver": "cgroupfs",
            "cgroupRoot": f"/{self.cgroup}",
            "failCgroupV1": False,
            "failSwapOn": False,
            "oomScoreAdj": 0,
            "clusterDNS": [str(NODE)],
            "clusterDomain": DOMAIN,
            "resolvConf": f"{self.home}/resolv.conf",
            "makeIPTablesUtilChains": False,
            "volumePluginDir": "/run/volume-plugins",
            # Images cannot be pulled again.
            "imageGCHighThresholdPercent": 100,
            "evictionHard": {"memory.available": "50Mi", "nodefs.available": "1%"},
        }

    def _proxy(self) -> dict[str, Any]:
        return {
            "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
            "kind": "KubeProxyConfiguration",
            "clientConnection": {"kubeconfig": f"{self.home}/kube-proxy.kubeconfig"},
            "mode": "nftables",
            "clusterCIDR": str(PODS),
            "hostnameOverride": NODE_NAME,
            "oomScoreAdj": 0,
            # Zero leaves the kernel's values as they are.
            "conntrack": {
                "maxPerCore": 0,
                "min": 0,
                "tcpEstablishedTimeout": "0s",
                "tcpCloseWaitTimeout": "0s",
            },
        }

    def _write(self, name: str, content: str) -> None:
        file = self.home / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(content)
