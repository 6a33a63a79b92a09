"""Jars from a Maven repository, resolved by the Ivy in pyspark and checked against a lock."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.command import run
from toolchain.download import checksum
from toolchain.part import InstalledPart, InstallMethod, Part, Unavailable

HERE = Path(__file__).parent / "jars"
# One Maven repository, and a cache that no other tool writes to.
SETTINGS = """\
<ivysettings>
  <settings defaultResolver="maven"/>
  <caches defaultCacheDir="{cache}"/>
  <resolvers><ibiblio name="maven" m2compatible="true"{root}/></resolvers>
</ivysettings>
"""


@dataclass(frozen=True)
class Jars(Part):
    """A set of jars: `jars/<module>.xml` lists the dependencies, `.lock` the resolved jars."""

    cache: Cache
    java: Path
    venv: Path
    module: str
    version: str
    name: str
    why: str

    fix = (
        "check that Maven Central is reachable, or use your company's mirror of it: "
        "export MIRRORSTACK_MAVEN_URL=URL; then run the command again: it resumes"
    )

    def find(self) -> InstalledPart | None:
        if not self.entry.exists():
            return None
        return InstalledPart(self.entry, self.version, f"{len(locked(self._lock))} jars from Maven")

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("resolve with Ivy", self._resolve)]

    def check(self, found: InstalledPart) -> str:
        return "; ".join(differences(found.path, locked(self._lock)))

    def _resolve(self, step: Step) -> None:
        expected = locked(self._lock)
        with self.cache.fill(self.entry) as directory:
            if directory is None:
                return
            clear(directory)  # earlier downloads are in Ivy's cache
            with self.cache.lock("ivy"):
                self._ivy(directory, len(expected), step)
                wrong = differences(directory, expected)
                if wrong:
                    # Ivy would use a broken file in its cache again and again.
                    shutil.rmtree(self.cache.root / "ivy", ignore_errors=True)
                    raise Unavailable(f"broken download: {'; '.join(wrong)}")

    def _ivy(self, directory: Path, total: int, step: Step) -> None:
        resolved = downloaded = 0
        errors: list[str] = []

        def count(line: str) -> None:
            nonlocal resolved, downloaded
            if "Server access error" in line or line.endswith(": not found"):
                errors.append(line.strip(" \t:"))
            resolved += line.startswith("\tfound ")
            downloaded += "[SUCCESSFUL ]" in line
            step.progress(f"of {total} jars, {resolved} resolved and {downloaded} downloaded")

        settings = directory / "settings.xml"
        mirror = os.environ.get("MIRRORSTACK_MAVEN_URL")
        if mirror and not mirror.startswith(("http://", "https://", "file:/")):
            raise Unavailable(f"MIRRORSTACK_MAVEN_URL is {mirror!r}, which is not a URL")
        root = f" root={quoteattr(mirror)}" if mirror else ""
        settings.write_text(SETTINGS.format(cache=self.cache.directory("ivy"), root=root))
        (ivy,) = self.venv.glob("lib/python*/site-packages/pyspark/jars/ivy-*.jar")
        where = ("-settings", settings, "-ivy", HERE / f"{self.module}.xml")
        what = ("-types", "jar", "bundle", "-retrieve", f"{directory}/[artifact]-[revision].[ext]")
        try:
            run([self.java, "-jar", ivy, *where, *what], on_line=count)
        except Unavailable:
            if not errors:
                raise
            raise Unavailable(errors[-1]) from None  # the end of Ivy's own output does not help
        settings.unlink()

    @property
    def entry(self) -> Path:
        return self.cache.entry(f"{self.module}-jars", self.version, self._lock)

    @property
    def _lock(self) -> Path:
        return HERE / f"{self.module}.lock"


def kafka_jars(cache: Cache, java: Path, venv: Path) -> Jars:
    why = "the sandbox's brokers and the Connect workers need them"
    return Jars(cache, java, venv, "kafka", versions.KAFKA, "Kafka jars", why)


def spark_jars(cache: Cache, java: Path, venv: Path) -> Jars:
    why = "verification and the smoke test read Kafka with them"
    return Jars(cache, java, venv, "spark", versions.SPARK_KAFKA, "Spark's Kafka jars", why)


def locked(lock: Path) -> dict[str, str]:
    """File name -> SHA-256, from a lock in the format of `sha256sum`."""
    return {name: digest for digest, name in map(str.split, lock.read_text().splitlines())}


def differences(directory: Path, expected: dict[str, str]) -> list[str]:
    """Missing, unexpected and broken jars."""
    present = {jar.name: jar for jar in directory.glob("*.jar")}
    return [
        *(f"{name} is missing" for name in sorted(expected.keys() - present.keys())),
        *(f"{name} is not in the lock" for name in sorted(present.keys() - expected.keys())),
        *(
            f"{name} has another SHA-256 than the lock"
            for name in sorted(expected.keys() & present.keys())
            if checksum(present[name]) != expected[name]
        ),
    ]
