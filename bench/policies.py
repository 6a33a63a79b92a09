"""What the policy pack adds to a preview: `python -m bench.policies`, on a machine with time.

A stack of 200 resources (connectors, workers, topics, ACLs, as a program declares them) is
previewed with and without the pack, in turns. The minimum of each is what the work itself takes. On
a busy machine, compare the CPU seconds: those of Pulumi and of all processes that it starts.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mirrorstack.local.home import ROOT
from policies.resources import ACL, TOPIC
from tests.policies import harness
from tests.policies.conftest import PACK, PROGRAM, listed
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.shell import pulumi_home

RESOURCES, ROUNDS, BUDGET = 200, 4, 2.0


def stack_of(resources: int) -> list[dict[str, Any]]:
    """One flow and its workers, and as many topics and ACLs as are left."""
    names = [f"orders-{number}" for number in range(resources)]
    patterns = harness.flow("east", "west", "orders-.*", groups=["billing"])
    made = [
        harness.stack(patterns, production=True),
        *(harness.connector(kind) for kind in harness.OWN),
        harness.worker(),
    ]
    # Beside them the engine has the stack, the flow's component and the provider of each cluster.
    left = resources - len(made) - 4
    made += [
        harness.resource(TOPIC, {"name": f"east.{name}", "replicationFactor": 3}, at="west:9093")
        for name in names[: left // 2]
    ]
    made += [
        harness.resource(ACL, {**ALLOW, "aclResourceName": name}, at="east:9093")
        for name in names[: left - left // 2]
    ]
    return listed(made)


ALLOW = {
    "aclPrincipal": "User:mirror",
    "aclPermissionType": "Allow",
    "aclOperation": "Read",
    "aclResourceType": "Topic",
    "resourcePatternTypeFilter": "Literal",
}


# What the SDK and the language host take by themselves.
EMPTY = """
    from pulumi_policy import EnforcementLevel, PolicyPack, ResourceValidationPolicy

    def nothing(args, report):
        pass

    rule = ResourceValidationPolicy("nothing", "Nothing.", nothing, EnforcementLevel.ADVISORY)
    PolicyPack("empty", [rule])
"""
MANIFEST = json.dumps(
    {"runtime": {"name": "python", "options": {"virtualenv": sys.prefix}}, "version": "0.1.0"}
)


@dataclass(frozen=True)
class Took:
    wall: float
    processor: float


def preview(project: PulumiProject, *options: str) -> Took:
    began, used = time.monotonic(), _used()
    said = project.pulumi("preview", *options)
    took = Took(time.monotonic() - began, _used() - used)
    created = next(line for line in said.splitlines() if "to create" in line)
    assert abs(int(created.split()[1]) - RESOURCES) <= 2, created  # noqa: S101 - it would mislead
    return took


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
        project = PulumiProject(
            Path(directory), name="shop", pulumi=pulumi, pulumi_home=pulumi_home()
        )
        project.write("__main__.py", PROGRAM)
        project.configure({"made": stack_of(RESOURCES)})
        project.write("empty/__main__.py", EMPTY)
        project.write("empty/PulumiPolicy.yaml", MANIFEST)
        packs = {
            "no pack": [],
            "an empty pack": [f"--policy-pack={project.directory / 'empty'}"],
            "the pack": [f"--policy-pack={PACK}"],
        }
        took: dict[str, list[Took]] = {name: [] for name in packs}
        for _ in range(ROUNDS):
            for name, options in packs.items():
                took[name].append(preview(project, *options))
    print(f"{RESOURCES} resources, {ROUNDS} previews of each; the least, in seconds")
    for name, each in took.items():
        wall, processor = min(t.wall for t in each), min(t.processor for t in each)
        print(f"{name:13}  wall {wall:6.2f}   processor {processor:6.2f}")
    print(f"the pack may add {BUDGET} s")


if __name__ == "__main__":
    main()
