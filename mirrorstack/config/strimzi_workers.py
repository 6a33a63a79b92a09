"""`workers.<target>.strimzi` of a stack file: Connect workers that Strimzi's operator runs."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from mirrorstack.config.base import Text
from mirrorstack.config.kubernetes_workers import PodSettings


class StrimziVersion(StrEnum):
    """Of the API kafka.strimzi.io."""

    V1 = "v1"
    V1BETA2 = "v1beta2"


class StrimziSettings(PodSettings):
    """A KafkaMirrorMaker2 in a namespace that Strimzi's Cluster Operator watches."""

    api_version: StrimziVersion = Field(StrimziVersion.V1, alias="api-version")
    """Version of the API kafka.strimzi.io: `v1`, or `v1beta2` for operators that do not have it."""
    version: Text | None = None
    """Version of Kafka in the workers, one that the operator supports (`spec.version`). Default:
    the operator's."""
    image: Text | None = None
    """Image of the workers (`spec.image`). Default: the operator's for the version."""
    wait_seconds: Annotated[float, Field(gt=0)] = Field(600.0, alias="wait-seconds")
    """How long `pulumi up` waits until the operator reports that its resources are Ready."""
