"""What the policy pack adds to a preview: `python -m bench.policies`, on a machine with time.

A stack of 200 resources (connectors, workers, topics, grants, as a program makes them) is previewed
with and without the pack, in turns. The least of each is what the work itself takes.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from policies.view import ACL, TOPIC
from tests.policies import asking
from tests.policies.conftest import PACK, PROGRAM, listed
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.setup import ROOT
from toolchain.shell import pulumi_home

RESOURCES, ROUNDS, BUDGET = 200, 5, 2.0


def stack_of(resources: int) -> list[dict[str, Any]]:
    """One flow and its workers, and as many topics and grants as are left."""
    names = [f"orders-{number}" for number in range(resources)]
    patterns = asking.flow("east", "west", "orders-.*", groups=["billing"])
    made = [
        asking.stack(patterns, production=True),
        *(asking.connector(kind) for kind in asking.OWN),
        asking.worker(),
    ]
    # Beside them the engine has the stack, the flow's component and the provider of each cluster.
    left = resources - len(made) - 4
    made += [
        asking.resource(TOPIC, {"name": f"east.{name}", "replicationFactor": 3}, at="west:9093")
        for name in names[: left // 2]
    ]
    made += [
        asking.resource(ACL, {**GRANT, "aclResourceName": name}, at="east:9093")
        for name in names[: left - left // 2]
    ]
    return listed(made)


GRANT = {
    "aclPrincipal": "User:mirror",
    "aclPermissionType": "Allow",
    "aclOperation": "Read",
    "aclResourceType": "Topic",
    "resourcePatternTypeFilter": "Literal",
}


def seconds(project: PulumiProject, *options: str) -> float:
    begin = time.monotonic()
    said = project.pulumi("preview", *options)
    took = time.monotonic() - begin
    created = next(line for line in said.splitlines() if "to create" in line)
    assert abs(int(created.split()[1]) - RESOURCES) <= 2, created  # noqa: S101 - it would mislead
    return took


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
        project = PulumiProject(
            Path(directory), name="shop", pulumi=pulumi, pulumi_home=pulumi_home()
        )
        project.write("__main__.py", PROGRAM)
        project.configure({"made": stack_of(RESOURCES)})
        without, with_pack = [], []
        for _ in range(ROUNDS):
            without.append(seconds(project))
            with_pack.append(seconds(project, f"--policy-pack={PACK}"))
    adds = min(with_pack) - min(without)
    print(f"{RESOURCES} resources, {ROUNDS} previews of each, seconds")
    for what, took in (("without the pack", without), ("with the pack", with_pack)):
        print(f"{what:17} {' '.join(f'{each:6.2f}' for each in took)}   least {min(took):.2f}")
    print(f"the pack adds {adds:.2f} s; at most {BUDGET} s are wanted")


if __name__ == "__main__":
    main()
