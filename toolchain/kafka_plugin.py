"""Pulumi's kafka plugin: already installed, the official one, or a build of the same bridge."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, Step
from toolchain import versions
from toolchain.cache import Cache, empty
from toolchain.command import answer, run
from toolchain.go import Go, build
from toolchain.part import Found, Part, Way, ensure

MODULE = Path(__file__).parent / "go" / "kafka-plugin"
EXECUTABLE = "pulumi-resource-kafka"


@dataclass(frozen=True)
class KafkaPlugin(Part):
    cache: Cache
    uv: Path
    pulumi: Path
    pulumi_home: Path
    console: Console

    name = "Pulumi's kafka plugin"
    why = "topics and ACLs are created through it"
    fix = (
        f"type `pulumi plugin install resource kafka {versions.KAFKA_PLUGIN}` where the official "
        "download can be reached, or install Go so that it can be built"
    )

    def have(self) -> Found | None:
        unfinished = self._installed.with_name(f"{self._installed.name}.partial")  # by Pulumi
        if unfinished.exists() or not (self._installed / EXECUTABLE).exists():
            return None
        mark = self._installed / "built-from"
        if mark.exists() and mark.read_text() != self._built.name:
            return None  # an older build of ours, registered under the same version
        source = "built from Go modules" if mark.exists() else "official plugin"
        return Found(self._installed / EXECUTABLE, versions.KAFKA_PLUGIN, source)

    def ways(self) -> list[Way]:
        return [Way("official plugin", self._install), Way("build from Go modules", self._build)]

    def examine(self, found: Found) -> str:
        said = answer([found.path, "--version"]).strip()
        return (
            "" if said.endswith(found.version) else f"it says its version is {said or 'nothing'!r}"
        )

    def to_remove(self, found: Found) -> Sequence[Path]:
        return [self._installed]

    def _install(self, step: Step) -> None:
        self._plugin_install()

    def _build(self, step: Step) -> None:
        go = ensure(Go(self.cache, self.uv), self.console)
        with self.cache.filling(self._built) as directory:
            if directory is not None:
                empty(directory)
                stamp = f"main.version={versions.KAFKA_PLUGIN}"
                build(go.path, MODULE, ".", stamp, directory / EXECUTABLE, step)
                (directory / "built-from").write_text(self._built.name)
        packed = self.cache.directory("scratch") / f"{self._built.name}.tar.gz"
        with self.cache.lock(packed.name):
            with tarfile.open(packed, "w:gz", compresslevel=1) as archive:
                for file in self._built.iterdir():
                    archive.add(file, arcname=file.name)
            # Registered rather than put on PATH, so that Pulumi does not warn on every run.
            self._plugin_install("--reinstall", "--file", str(packed))
            packed.unlink()

    def _plugin_install(self, *options: str) -> None:
        words = ["plugin", "install", "resource", "kafka", versions.KAFKA_PLUGIN, *options]
        env = {"PULUMI_HOME": str(self.pulumi_home), "PULUMI_SKIP_UPDATE_CHECK": "true"}
        run([self.pulumi, *words], env=env)
        # Pulumi leaves a lock and a marker beside a plugin that it could not finish.
        if not (self._installed / EXECUTABLE).exists():
            shutil.rmtree(self._installed, ignore_errors=True)

    @property
    def _built(self) -> Path:
        ingredients = (MODULE / "go.sum", MODULE / "go.mod", MODULE / "main.go")
        return self.cache.entry("kafka-plugin", versions.KAFKA_PLUGIN, *ingredients)

    @property
    def _installed(self) -> Path:
        return self.pulumi_home / "plugins" / f"resource-kafka-v{versions.KAFKA_PLUGIN}"
