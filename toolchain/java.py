"""The Java that Kafka, Connect and Spark run on. It is required, never installed."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from toolchain import versions
from toolchain.command import answer
from toolchain.part import Found, Part


class Java(Part):
    name = "Java"
    why = "Kafka, Connect and Spark run on it"
    fix = (
        f"install a JDK {versions.JAVA_AT_LEAST} or {versions.JAVA_FOR_SPARK_AT_MOST} "
        "(Debian: apt install openjdk-17-jdk-headless; macOS: brew install openjdk@17), "
        "or point JAVA_HOME at one"
    )

    def have(self) -> Found | None:
        """The first Java that both Kafka and Spark take, else the first that Kafka takes."""
        usable = [
            (path, version)
            for path, version in self._installed()
            if major(version) >= versions.JAVA_AT_LEAST
        ]
        for path, version in usable:
            if major(version) <= versions.JAVA_FOR_SPARK_AT_MOST:
                return Found(path, version, f"found at {path}", _passed_over(path))
        for path, version in usable:
            warning = (
                f"Java {version} runs Kafka; the smoke test on Spark wants "
                f"{versions.JAVA_AT_LEAST} to {versions.JAVA_FOR_SPARK_AT_MOST}"
            )
            return Found(path, version, f"found at {path}", warning)
        return None

    def wrong(self) -> str:
        found = ", ".join(f"{version} at {path}" for path, version in self._installed())
        need = f"version {versions.JAVA_AT_LEAST} or newer is needed"
        return f"found Java {found}; {need}" if found else f"no Java was found; {need}"

    def _installed(self) -> Iterator[tuple[Path, str]]:
        seen: set[Path] = set()
        for java in self._candidates():
            real = java.resolve()
            if real in seen or not os.access(real, os.X_OK):
                continue
            seen.add(real)
            if version := version_in(answer([java, "-version"])):
                yield java, version

    def _candidates(self) -> Iterator[Path]:
        if home := os.environ.get("JAVA_HOME"):
            yield Path(home, "bin", "java")
        if on_path := shutil.which("java"):
            yield Path(on_path)
        for pattern in os.environ.get(
            "MIRRORSTACK_JVM_DIRS",
            "/usr/lib/jvm:/Library/Java/JavaVirtualMachines:/opt/homebrew/opt",
        ).split(":"):
            yield from sorted(Path(pattern).glob("*/bin/java"))
            yield from sorted(Path(pattern).glob("*/Contents/Home/bin/java"))


def version_in(output: str) -> str:
    """`openjdk version "17.0.15" 2025-04-15` -> `17.0.15`."""
    match = re.search(r'version "([^"]+)"', output)
    return match.group(1) if match else ""


def major(version: str) -> int:
    """17 for `17.0.15`, 8 for `1.8.0_402`, as Java counted until 8."""
    pieces = re.split(r"[._-]", version)
    return int(pieces[1] if pieces[0] == "1" else pieces[0])


def _passed_over(taken: Path) -> str:
    """What to say when JAVA_HOME names another Java than the one that is taken."""
    home = os.environ.get("JAVA_HOME")
    if not home or Path(home, "bin", "java").resolve() == taken.resolve():
        return ""
    return f"JAVA_HOME is {home}, whose Java does not fit; {taken} is taken instead"
