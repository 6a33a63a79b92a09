"""Installing all parts, in the order of their dependencies."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from toolchain import receipt
from toolchain.cache import Cache
from toolchain.environment import Environment
from toolchain.jars import kafka_jars, spark_jars
from toolchain.java import Java
from toolchain.local_stack import LocalStack
from toolchain.part import InstalledPart, Part, ensure
from toolchain.pulumi import Pulumi
from toolchain.resource_plugin import docker_plugin, kafka_plugin, kubernetes_plugin
from toolchain.shell import pulumi_home
from toolchain.uv import Uv

ROOT = Path(__file__).parent.parent


def set_up(root: Path, console: Console) -> dict[str, InstalledPart]:
    """Install every missing part, and write the receipt."""
    if platform.system() not in ("Linux", "Darwin"):
        raise UserError(
            f"{platform.system()} is not supported; the sandbox runs on Linux and macOS",
            "on Windows, use WSL 2 and clone the repository inside it",
        )
    home = root / ".mirrorstack"
    if not os.access(home if home.exists() else root, os.W_OK):
        raise UserError(
            f"{root} is not writable; the set-up creates .venv and .mirrorstack there",
            "clone the repository to a directory that you may write to and run `make setup` in it",
        )

    @contextmanager
    def waiting() -> Iterator[None]:
        console.say("waiting for another set-up of this clone")
        yield

    with Cache(home).lock("setup", waiting):
        home.chmod(0o700)
        parts = visit_parts(root, console, lambda part: ensure(part, console))
        receipt.write(home, parts)
    return parts


def visit_parts(
    root: Path, console: Console, visit: Callable[[Part], InstalledPart]
) -> dict[str, InstalledPart]:
    """Call `visit` for all parts: it installs, finds or checks each."""
    cache = Cache.of_user()
    parts = {"java": visit(Java())}
    java = parts["java"].path
    parts["uv"] = visit(Uv(cache))
    uv = parts["uv"].path
    parts["packages"] = visit(Environment(root, uv))
    venv = parts["packages"].path
    parts["pulumi"] = visit(Pulumi(cache, uv, console))
    pulumi = parts["pulumi"].path
    parts["kafka-plugin"] = visit(kafka_plugin(cache, uv, pulumi, pulumi_home(), console))
    parts["kafka-jars"] = visit(kafka_jars(cache, java, venv))
    parts["spark-jars"] = visit(spark_jars(cache, java, venv))
    parts["local-stack"] = visit(LocalStack(root, parts))
    return parts


PLATFORM_PLUGINS = {"docker": docker_plugin, "kubernetes": kubernetes_plugin}
"""By the runtime that needs it."""


def set_up_platform(root: Path, console: Console, runtime: str) -> None:
    """What a runtime needs besides: Pulumi's plugin for it."""
    parts = set_up(root, console)
    cache, uv, pulumi = Cache.of_user(), parts["uv"].path, parts["pulumi"].path
    ensure(PLATFORM_PLUGINS[runtime](cache, uv, pulumi, pulumi_home(), console), console)
