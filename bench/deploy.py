"""Deployments by their number of topics: `python -m bench.deploy`, on an idle machine.

Three stacks on a sandbox of their own, one after the other: a live pattern that matches one topic,
a live pattern that matches a thousand, and a pinned one that matches three hundred. Of interest is
the difference to one topic: a live pattern has as many resources for any number of topics.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.settings import SandboxOptions
from tests.integration.replicated_stack import flow, mirroring_project, stack
from tests.pulumi_project import PulumiProject

RESULTS = Path(__file__).with_name("deploy.md")
BATCH = 200
UP_BUDGET, PREVIEW_BUDGET = 15.0, 3.0
COMMANDS = ("up", "no-op preview", "refresh", "destroy")


@dataclass(frozen=True)
class Case:
    name: str
    topics: int
    discovery: str

    @property
    def group(self) -> str:
        return f"{self.discovery}-{self.topics}"


@dataclass(frozen=True)
class Measurement:
    case: Case
    resources: int
    seconds: dict[str, float]
    """By command."""


@contextmanager
def sandbox_in(home: Path) -> Iterator[Sandbox]:
    sandbox = Sandbox("bench", home_directory=home)
    sandbox.up(installed_kafka(), SandboxOptions(east_port=0, west_port=0))
    try:
        yield sandbox
    finally:
        sandbox.down(delete=True)


def create_topics(sandbox: Sandbox, case: Case) -> None:
    """With one record each, so that a deployment waits until all of them are replicated."""
    config = sandbox.connection(Cluster.EAST, Principal.ADMIN).client_config()
    admin, producer = AdminClient(config), Producer(config)
    names = [f"{case.group}-{number:04}" for number in range(case.topics)]
    for start in range(0, len(names), BATCH):
        batch = [NewTopic(name, 1) for name in names[start : start + BATCH]]
        for future in admin.create_topics(batch).values():
            future.result(60)
    for name in names:
        producer.produce(name, b"record")
    if producer.flush(60):
        raise SystemExit("the records could not be written")


def timed(run: Callable[[], object]) -> float:
    began = time.monotonic()
    run()
    return time.monotonic() - began


def measure(case: Case, project: PulumiProject) -> Measurement:
    project.timeout = 900.0
    project.configure(
        stack(
            flow(f"{case.group}-.*", discovery=case.discovery),
            sandbox="bench",
            workers={"west": {"group": case.group}},
            **{"delete-topics": True},
        )
    )
    seconds = {"up": timed(project.up)}
    exported = json.loads(project.pulumi("stack", "export"))
    resources = len(exported["deployment"]["resources"])
    seconds["no-op preview"] = min(
        timed(lambda: project.pulumi("preview", "--expect-no-changes")) for _ in range(3)
    )
    seconds["refresh"] = timed(lambda: project.pulumi("refresh", "--yes", "--skip-preview"))
    seconds["destroy"] = timed(lambda: project.pulumi("destroy", "--yes", "--skip-preview"))
    return Measurement(case, resources, seconds)


def report(measurements: list[Measurement]) -> str:
    one, many = measurements[:2]
    lines = [
        "# Deployments by their number of topics",
        "",
        "`python -m bench.deploy`, seconds; each topic has one partition and one record.",
        "",
        f"| stack | resources | {' | '.join(COMMANDS)} |",
        f"|---|---|{'---|' * len(COMMANDS)}",
    ]
    for each in measurements:
        cells = " | ".join(f"{each.seconds[command]:.1f}" for command in COMMANDS)
        lines.append(f"| {each.case.name} | {each.resources} | {cells} |")
    lines.append("")
    for command, budget in (("up", UP_BUDGET), ("no-op preview", PREVIEW_BUDGET)):
        more = many.seconds[command] - one.seconds[command]
        lines.append(
            f"{command}: {many.case.topics} topics take {more:.1f} s more than one "
            f"(to reach: {budget:.0f} s)."
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure deployments by their number of topics.")
    parser.add_argument("--topics", type=int, default=1000, help="of the large live pattern")
    parser.add_argument("--pinned", type=int, default=300, help="of the pinned pattern; 0: without")
    chosen = parser.parse_args()
    cases = [
        Case("one topic, live", 1, "live"),
        Case(f"{chosen.topics:,} topics, live", chosen.topics, "live"),
    ]
    if chosen.pinned:
        cases.append(Case(f"{chosen.pinned:,} topics, pinned", chosen.pinned, "pinned"))
    measurements = []
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory).resolve()
        with sandbox_in(home) as sandbox:
            for case in cases:
                create_topics(sandbox, case)
                project = mirroring_project(home / case.group, home)
                measurements.append(measure(case, project))
                print(f"{case.name}: {measurements[-1].seconds}", flush=True)
    RESULTS.write_text(report(measurements))
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
