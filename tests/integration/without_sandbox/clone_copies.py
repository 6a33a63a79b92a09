"""Copies of this clone and of the user's cache, commands in them, and a Maven repository."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.loopback import Site, serving
from tests.unit.toolchain.machine import ROOT
from toolchain import receipt
from toolchain.cache import Cache
from toolchain.jars import HERE

TIMEOUT_SECONDS = 120.0


def outside(**more: str | Path) -> dict[str, str]:
    """The environment before `source ./activate`, with the variables of a test."""
    ours = ("PULUMI_", "MIRRORSTACK_", "VIRTUAL_ENV")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    cache = Cache.of_user().root
    path = [
        entry
        for entry in environ["PATH"].split(os.pathsep)
        if not any(Path(entry).is_relative_to(own) for own in (ROOT / ".venv", cache))
    ]
    return {
        **environ,
        "PATH": os.pathsep.join(path),
        "MIRRORSTACK_CACHE": str(cache),
        **{name: str(value) for name, value in more.items()},
    }


def run(
    *command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env=env or outside(),
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


def in_bash(script: str, cwd: Path, **more: str | Path) -> subprocess.CompletedProcess[str]:
    return run("bash", "-c", script, cwd=cwd, env=outside(**more))


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """A copy of this clone, in a directory whose name has a space."""
    with copy_of_this_clone(tmp_path / "first clone") as directory:
        yield directory


@contextmanager
def copy_of_this_clone(directory: Path) -> Iterator[Path]:
    """Removed at the end, because its `.venv` is large where files cannot be linked."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    assert listed.returncode == 0, listed.stderr
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, directory / name)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A copy of the user's cache by hard links, without the entries that change in place."""
    full = Cache.of_user().root
    assert full.is_dir(), "run `make setup`"
    for entry in full.iterdir():
        in_place = entry.name in ("ivy", "locks", "scratch") or entry.suffix == ".partial"
        kept = entry / "plugins" if entry.name == "pulumi-home" else entry
        if kept.is_dir() and not in_place:
            target = tmp_path / "cache" / kept.relative_to(full)
            shutil.copytree(kept, target, symlinks=True, copy_function=_link)
    return Cache(tmp_path / "cache")


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copy2(source, target)


@pytest.fixture
def maven() -> Iterator[Site]:
    """A Maven repository with Spark's Kafka jars."""
    real = receipt.read(ROOT / ".mirrorstack")["spark-jars"].path
    with serving() as site:
        for jar, pom in published().items():
            site.files[jar] = (real / Path(jar).name).read_bytes()
            site.files[str(Path(jar).with_suffix(".pom"))] = pom
        yield site


def published() -> dict[str, bytes]:
    """Path of each jar -> a minimal pom."""
    tree = ElementTree.parse(HERE / "spark.xml")  # noqa: S314 - our own file
    found = {}
    for jar in tree.iter("dependency"):
        org, name, rev = jar.attrib["org"], jar.attrib["name"], jar.attrib["rev"]
        found[f"/{org.replace('.', '/')}/{name}/{rev}/{name}-{rev}.jar"] = (
            "<project><modelVersion>4.0.0</modelVersion>"
            f"<groupId>{org}</groupId><artifactId>{name}</artifactId><version>{rev}</version>"
            "</project>"
        ).encode()
    return found


A_JAR = next(path for path in published() if "kafka-clients" in path)
