"""`workers.<target>.kubernetes` of a stack file: Connect workers in pods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from mirrorstack.config.base import ConfigValue, SettingsModel, Text
from mirrorstack.config.docker_workers import IMAGE
from mirrorstack.findings import Finding, KeyPath

# A name as Kubernetes takes it for a Service, and short enough for the labels of a StatefulSet.
NAME = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
NAME_CHARACTERS = 52
NAMESPACE = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
SECRET = re.compile(r"[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")
QUANTITY = re.compile(r"\d+(\.\d+)?([munkMGTPE]|[KMGTPE]i)?")


class PullPolicy(StrEnum):
    ALWAYS = "Always"
    IF_NOT_PRESENT = "IfNotPresent"
    NEVER = "Never"


class MetricsSettings(SettingsModel):
    """Prometheus' JMX exporter as a Java agent of the workers."""

    agent: Text
    """Path of `jmx_prometheus_javaagent.jar` in the image; the official image does not have it."""
    port: Annotated[int, Field(ge=1024, le=65535)] = 9404
    """Port of the metrics."""


class AutoscalingSettings(SettingsModel):
    """A HorizontalPodAutoscaler on an external metric, between `count` and `max` workers."""

    max: Annotated[int, Field(ge=2, le=16)]
    """Most workers. There is nothing to do for more workers than `tasks`."""
    metric: Text
    """Name of a metric that the cluster's external metrics API has, such as the lag in records."""
    target: ConfigValue
    """Value of the metric for each worker, such as `100k`."""


class NamespaceSettings(SettingsModel):
    """A namespace of one Kubernetes cluster."""

    namespace: Text = "default"
    """Namespace, which has to exist."""
    context: Text | None = None
    """Context of the kubeconfig. Default: its current context."""
    kubeconfig: Text | None = None
    """File on the machine that runs Pulumi. Default: `KUBECONFIG` in the environment, or
    `~/.kube/config`."""


class PodSettings(NamespaceSettings):
    """What pods of Connect workers have, whoever creates them."""

    name: Text | None = None
    """Name of the workers' main object: the StatefulSet and the Service, or the KafkaMirrorMaker2.
    Those of the other objects begin with it. Default: `mirrorstack-<stack>-<alias>`."""
    secret: Text | None = None
    """An existing Secret with the password of MirrorMaker's principal on each cluster under the
    cluster's alias. Default: the stack creates one."""
    cpu: ConfigValue | None = None
    """CPU request of each worker, such as `2` or `500m`. Default: by the heap, 250m for each 256
    MB."""
    labels: dict[str, ConfigValue] = Field({})
    """Labels for all objects, beside those of the stack."""
    annotations: dict[str, ConfigValue] = Field({})
    """Annotations of the pods."""

    def object_name(self, stack: str, target: str) -> str:
        return self.name or f"mirrorstack-{stack}-{target}"


class KubernetesSettings(PodSettings):
    """Pods in a namespace of one Kubernetes cluster."""

    image: Text = "apache/kafka:4.3.1"
    """Image with Kafka in `/opt/kafka`, as the official one has it."""
    image_pull_policy: PullPolicy = Field(PullPolicy.IF_NOT_PRESENT, alias="image-pull-policy")
    """When nodes pull it: `Always`, `IfNotPresent` or `Never`."""
    image_pull_secrets: tuple[Text, ...] = Field((), alias="image-pull-secrets")
    """Secrets with the credentials for the image's registry."""
    metrics: MetricsSettings | None = None
    """Prometheus metrics of the workers. Where the cluster has the kind PodMonitor, the stack
    creates one. Default: none."""
    autoscaling: AutoscalingSettings | None = None
    """Number of workers by a metric. Default: always `count`."""
    node_selector: dict[str, ConfigValue] = Field({}, alias="node-selector")
    """Labels of the nodes on which workers may run."""
    tolerations: tuple[dict[str, Any], ...] = ()
    """Tolerations of the pods, as in a pod's spec."""


def check_kubernetes(
    target: str, settings: KubernetesSettings, path: KeyPath, *, count: int, sandbox: bool
) -> Iterator[Finding]:
    """`count`: of the workers; `sandbox`: whether they reach clusters of a sandbox."""
    yield from check_pods(target, settings, path, image=settings.image, sandbox=sandbox)
    scaling = settings.autoscaling
    if scaling is not None and scaling.max <= count:
        yield Finding.at(
            (*path, "autoscaling", "max"),
            f"{scaling.max} is not more than `count`, which is {count}",
            "raise it, or remove `autoscaling`",
            cluster=target,
        )
    if scaling is not None and not QUANTITY.fullmatch(scaling.target):
        yield Finding.at(
            (*path, "autoscaling", "target"),
            f'"{scaling.target}" is not a quantity of Kubernetes',
            "write it such as `100k`",
            cluster=target,
        )


def check_pods(
    target: str, settings: PodSettings, path: KeyPath, *, image: str | None, sandbox: bool
) -> Iterator[Finding]:
    """Whoever creates the pods. `sandbox`: whether they reach clusters of a sandbox."""
    for key, value, pattern, example in (
        ("namespace", settings.namespace, NAMESPACE, "kafka"),
        ("image", image, IMAGE, "apache/kafka:4.3.1"),
        ("secret", settings.secret, SECRET, "kafka-passwords"),
        ("cpu", settings.cpu, QUANTITY, "500m"),
    ):
        if value is not None and not pattern.fullmatch(value):
            yield Finding.at(
                (*path, key),
                f'"{value}" is not a value that Kubernetes accepts',
                f"write it such as `{key}: {example}`",
                cluster=target,
            )
    if settings.name is not None:
        yield from name_findings(settings.name, path, target)
    if sandbox:
        yield Finding.at(
            path,
            "the brokers of a sandbox listen on 127.0.0.1, which is not this machine in a pod",
            "use `runtime: local-process`, or name clusters by their `bootstrap-servers`",
            cluster=target,
        )


def name_findings(name: str, path: KeyPath, target: str) -> Iterator[Finding]:
    """A derived name may be invalid as well: stacks and aliases have other rules."""
    if not NAME.fullmatch(name) or len(name) > NAME_CHARACTERS:
        yield Finding.at(
            (*path, "name"),
            f'"{name}" is not a name that Kubernetes accepts for the workers: at most '
            f"{NAME_CHARACTERS} lower-case letters, digits and hyphens, a letter first",
            "set it, such as `name: mirrorstack-west`",
            cluster=target,
        )
