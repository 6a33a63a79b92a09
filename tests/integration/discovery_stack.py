"""Stacks whose flows discover topics, and what a preview of them would change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.integration.replicated_stack import Place, admin, flow, mirroring_project, stack
from tests.pulumi_project import PulumiProject

# What a deployment records about topics and their partitions. It changes nothing on a cluster.
RECORDS = {"DeploymentRecord", "DiscoveredTopics", "TopicCleanup", "MirrorStack", "Stack"}


def changed_types(project: PulumiProject) -> set[str]:
    """The types of the resources that a preview would change."""
    steps = json.loads(project.pulumi("preview", "--json", "--suppress-progress"))["steps"]
    return {step["urn"].split("::")[2].rpartition(":")[2] for step in steps if step["op"] != "same"}


@contextmanager
def deployment(directory: Path, home: Path, group: str, **changes: Any) -> Iterator[PulumiProject]:
    project = mirroring_project(directory, home)
    declare(project, group, **changes)
    try:
        project.up()
        yield project
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")


def declare(project: PulumiProject, group: str, **changes: Any) -> None:
    topics = changes.pop("topics", [f"{group}-.*"])
    project.configure(
        stack(
            flow(*topics, discovery_seconds=1, **changes),
            sandbox="shared",
            workers={"west": {"group": group}},
            **{"delete-topics": True},
        )
    )


def topics_on(place: Place, prefix: str) -> set[str]:
    known = admin(*place).list_topics(timeout=15).topics
    return {name for name in known if name.startswith(prefix)}
