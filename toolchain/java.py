"""Java for Kafka, Connect and Spark. The set-up finds one and does not install it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from toolchain import versions
from toolchain.command import output_of
from toolchain.part import InstalledPart, Part


class Java(Part):
    name = "Java"
    why = "Kafka, Connect and Spark run on it"
    fix = (
        f"install a JDK {versions.JAVA_AT_LEAST} or {versions.JAVA_FOR_SPARK_AT_MOST} "
        "(Debian: apt install openjdk-17-jdk-headless; macOS: brew install openjdk@17), "
        "or set JAVA_HOME to one"
    )

    def find(self) -> InstalledPart | None:
        """The first Java that Kafka and Spark support, else the first that Kafka supports."""
        usable = [
            (path, version)
            for path, version in self._installed()
            if major(version) >= versions.JAVA_AT_LEAST
        ]
        for path, version in usable:
            if major(version) <= versions.JAVA_FOR_SPARK_AT_MOST:
                return InstalledPart(path, version, f"found at {path}", _java_home_warning(path))
        for path, version in usable:
            warning = (
                f"Kafka supports Java {version}; Spark supports "
                f"{versions.JAVA_AT_LEAST} to {versions.JAVA_FOR_SPARK_AT_MOST} only"
            )
            return InstalledPart(path, version, f"found at {path}", warning)
        return None

    def why_missing(self) -> str:
        found = ", ".join(f"{version} at {path}" for path, version in self._installed())
        need = f"version {versions.JAVA_AT_LEAST} or newer is required"
        return f"found Java {found}; {need}" if found else f"no Java found; {need}"

    def _installed(self) -> Iterator[tuple[Path, str]]:
        seen: set[Path] = set()
        for java in self.candidates():
            real = java.resolve()
            if real in seen or not os.access(real, os.X_OK):
                continue
            seen.add(real)
            if version := version_in(output_of([java, "-version"])):
                yield java, version

    def candidates(self) -> Iterator[Path]:
        """Where one may be, of any version."""
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
    """17 for `17.0.15`, 8 for `1.8.0_402`, as Java was numbered until 8."""
    pieces = re.split(r"[._-]", version)
    return int(pieces[1] if pieces[0] == "1" else pieces[0])


def _java_home_warning(used: Path) -> str:
    """The warning if JAVA_HOME is set to another Java than the one that is used."""
    home = os.environ.get("JAVA_HOME")
    if not home or Path(home, "bin", "java").resolve() == used.resolve():
        return ""
    return f"the Java in JAVA_HOME={home} is not supported; {used} is used instead"
