"""The jars with the replication policies of a stack's flows."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.replication_policies import PolicySettings
from mirrorstack.findings import KeyPath, UserError
from mirrorstack.text import did_you_mean

SUFFIX = ".class"


@dataclass(frozen=True)
class PolicyJar:
    path: Path
    """Absolute, because a worker starts in a directory of its own."""
    sha256: str

    @classmethod
    def read(cls, path: Path) -> PolicyJar:
        return cls(path, hashlib.sha256(path.read_bytes()).hexdigest())


def policy_jars(flows: Iterable[FlowSettings], target: str) -> tuple[PolicyJar, ...]:
    """Of all flows of a stack, those that the workers next to a target need. Raises a UserError if
    one cannot be used."""
    jars = [
        _checked_jar(flow.name, flow.own_policy, ("flows", number, "policy", "jar"))
        for number, flow in enumerate(flows)
        if flow.target == target and flow.own_policy is not None
    ]
    return tuple(dict.fromkeys(jars))


def _checked_jar(flow: str, policy: PolicySettings, key: KeyPath) -> PolicyJar:
    path = Path(policy.jar).expanduser().resolve()
    place = f"Flow {flow}: policy.jar is {policy.jar}"
    if not path.is_file():
        raise UserError(
            f"{place}: {path} does not exist.",
            "build it, or name it relative to the project's directory or with its absolute path",
            flow=flow,
            path=key,
        )
    if os.pathsep in str(path):
        raise UserError(
            f"{place}: a class path cannot name {path}, because it contains {os.pathsep!r}.",
            "move the jar",
            flow=flow,
            path=key,
        )
    try:
        with zipfile.ZipFile(path) as jar:
            entries = jar.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(
            f"{place}: {path} cannot be read as a jar: {error}.",
            "build it again",
            flow=flow,
            path=key,
        ) from None
    classes = [
        entry.removesuffix(SUFFIX).replace("/", ".")
        for entry in entries
        if entry.endswith(SUFFIX) and not entry.startswith("META-INF/")
    ]
    if policy.java_class not in classes:
        raise UserError(
            f"{place}: it does not contain the class {policy.java_class}.",
            did_you_mean(
                policy.java_class, classes, "correct policy.class, or build the jar again"
            ),
            flow=flow,
            path=key,
        )
    return PolicyJar.read(path)
