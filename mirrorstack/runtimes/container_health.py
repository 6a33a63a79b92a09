"""Waits until a container is healthy, and reports why it is not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from mirrorstack.findings import UserError
from mirrorstack.local.logs import last_errors

POLL_SECONDS = 1.0
LOG_LINES, SHOWN_LINES = 200, 15
RESTARTS = 3
"""A worker that cannot reach the brokers yet may end once or twice."""


def container_problem(attributes: Mapping[str, Any]) -> tuple[str, bool]:
    """What keeps a container from being healthy, empty if nothing does, and whether waiting longer
    does not help. `attributes` as `docker inspect` shows them."""
    state = attributes["State"]
    health = (state.get("Health") or {}).get("Status", "none")
    if state.get("Running") and not state.get("Restarting") and health == "healthy":
        return "", False
    restarts = attributes.get("RestartCount", 0)
    if state.get("OOMKilled"):
        return "it exceeded its memory limit", restarts >= RESTARTS
    if not state.get("Running") or restarts:
        ended = f"it ended with exit code {state.get('ExitCode')}, {restarts} restarts"
        return ended, restarts >= RESTARTS
    return f"its health is {health}", health == "unhealthy"


def is_healthy(daemon: str, name: str) -> bool:
    """Now."""
    from docker import DockerClient
    from docker.errors import DockerException, NotFound

    try:
        with closing(DockerClient(base_url=daemon)) as client:
            problem, _is_final = container_problem(client.containers.get(name).attrs)
    except NotFound:
        return False
    except DockerException as error:
        raise _not_inspected(daemon, name, error) from error
    return not problem


def wait_for_container(
    daemon: str, name: str, *, deadline: float, report: Callable[[str], None]
) -> None:
    """`deadline` is a value of `time.monotonic()`. The error has the last errors of the log."""
    from docker import DockerClient
    from docker.errors import DockerException, NotFound

    try:
        with closing(DockerClient(base_url=daemon)) as client:
            while True:
                container = client.containers.get(name)
                problem, is_final = container_problem(container.attrs)
                if not problem:
                    return
                if is_final or time.monotonic() > deadline:
                    log = container.logs(tail=LOG_LINES).decode("utf-8", "replace")
                    raise _not_healthy(daemon, name, problem, log)
                report(problem)
                time.sleep(POLL_SECONDS)
    except NotFound as error:
        raise UserError(
            f"the container {name} at {daemon} does not exist: somebody has removed it",
            "run `pulumi up --refresh --run-program`, which creates it again",
        ) from error
    except DockerException as error:
        raise _not_inspected(daemon, name, error) from error


def _not_inspected(daemon: str, name: str, error: Exception) -> UserError:
    return UserError(
        f"the container {name} at {daemon} cannot be inspected: {error}",
        "run `pulumi up` again when `docker info` works",
    )


def _not_healthy(daemon: str, name: str, problem: str, log: str) -> UserError:
    lines = [f"the container {name} at {daemon} is not healthy: {problem}"]
    lines += [f"  log: {line}" for line in last_errors(log, SHOWN_LINES)]
    return UserError(
        "\n".join(lines),
        f"correct the stack file or the host and run `pulumi up` again; `docker logs {name}` shows "
        "more",
    )
