"""What Strimzi's resources share as resources of Pulumi."""

from __future__ import annotations

import pulumi

from mirrorstack.config.strimzi_workers import StrimziVersion
from mirrorstack.kubernetes.strimzi_resources import GROUP
from mirrorstack.kubernetes.worker_pods import Manifest


def other_versions(manifest: Manifest, suffix: str = "") -> list[pulumi.Alias]:
    """Another version of the API is the same object: to create it and then delete the old one
    would delete it. `suffix`: of the type, such as `Patch`."""
    group, _, version = manifest["apiVersion"].rpartition("/")
    return [
        pulumi.Alias(type_=f"kubernetes:{group}/{other}:{manifest['kind']}{suffix}")
        for other in StrimziVersion
        if group == GROUP and other != version
    ]
