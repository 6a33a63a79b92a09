"""Manifests as Pulumi resources, and what the objects of all platforms on Kubernetes share."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as kubernetes

from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.worker_pods import Manifest

KINDS: Mapping[str, Callable[..., pulumi.Resource]] = {
    "ConfigMap": kubernetes.core.v1.ConfigMap,
    "HorizontalPodAutoscaler": kubernetes.autoscaling.v2.HorizontalPodAutoscaler,
    "NetworkPolicy": kubernetes.networking.v1.NetworkPolicy,
    "PodDisruptionBudget": kubernetes.policy.v1.PodDisruptionBudget,
    "Secret": kubernetes.core.v1.Secret,
    "Service": kubernetes.core.v1.Service,
    "ServiceAccount": kubernetes.core.v1.ServiceAccount,
    "StatefulSet": kubernetes.apps.v1.StatefulSet,
}
NAMED = {
    "automountServiceAccountToken": "automount_service_account_token",
    "binaryData": "binary_data",
}
"""Fields whose arguments have another name."""


def kubernetes_provider(
    name: str, access: ClusterAccess, opts: pulumi.ResourceOptions
) -> pulumi.ResourceOptions:
    """The options, with a provider for the namespace."""
    provider = namespace_provider(name, access, opts)
    return pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(provider=provider))


def namespace_provider(
    name: str, access: ClusterAccess, opts: pulumi.ResourceOptions
) -> kubernetes.Provider:
    return kubernetes.Provider(
        f"{name}-kubernetes",
        kubernetes.ProviderArgs(
            context=access.context or None,
            kubeconfig=access.kubeconfig or None,
            namespace=access.namespace,
            # The plugin would delete and create them instead, and pods could not start meanwhile.
            enable_config_map_mutable=True,
            enable_secret_mutable=True,
        ),
        opts,
    )


def declare_object(name: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.Resource:
    content = {
        NAMED.get(key, key): value
        for key, value in manifest.items()
        if key not in ("apiVersion", "kind")
    }
    if manifest["kind"] in KINDS:
        return KINDS[manifest["kind"]](name, opts=opts, **content)
    return kubernetes.apiextensions.CustomResource(
        name, api_version=manifest["apiVersion"], kind=manifest["kind"], opts=opts, **content
    )


def state_name(manifest: Manifest, prefix: str) -> str:
    """A name in the state that says which object it is, such as `config-config-map`. `prefix` is
    what the names of all objects begin with."""
    name = manifest["metadata"]["name"].removeprefix(prefix).strip("-")
    kind = "".join(f"-{c.lower()}" if c.isupper() else c for c in manifest["kind"]).strip("-")
    return f"{name}-{kind}" if name else kind


def secret_data(values: Mapping[str, str]) -> dict[str, pulumi.Output[str]]:
    return {
        key: pulumi.Output.secret(base64.b64encode(value.encode()).decode())
        for key, value in values.items()
    }


def checksum(content: Mapping[str, Any], secrets: list[str], salt: str) -> str:
    """Changes when pods have to be restarted. Whoever may list pods can read it, so it takes long
    to try passwords against it."""
    text = json.dumps([content, secrets], sort_keys=True)
    return hashlib.scrypt(text.encode(), salt=salt.encode(), n=1 << 14, r=8, p=1, dklen=16).hex()
