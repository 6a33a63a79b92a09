"""Pulumi's Kafka plugin: installed, downloaded, or built from the same Terraform bridge."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.command import output_of, run
from toolchain.go import Go, build
from toolchain.part import InstalledPart, InstallMethod, Part, ensure

MODULE = Path(__file__).parent / "go" / "kafka-plugin"
EXECUTABLE = "pulumi-resource-kafka"


@dataclass(frozen=True)
class KafkaPlugin(Part):
    cache: Cache
    uv: Path
    pulumi: Path
    pulumi_home: Path
    console: Console

    name = "Pulumi's Kafka plugin"
    why = "it creates topics and ACLs"
    fix = (
        f"run `pulumi plugin install resource kafka {versions.KAFKA_PLUGIN}` where the official "
        "download is reachable, or install Go to build it"
    )

    def find(self) -> InstalledPart | None:
        unfinished = self._installed.with_name(f"{self._installed.name}.partial")  # by Pulumi
        if unfinished.exists() or not (self._installed / EXECUTABLE).exists():
            return None
        built_from = self._installed / "built-from"
        if built_from.exists() and built_from.read_text() != self._built.name:
            return None  # an older build of this repository, installed as the same version
        origin = "built from Go modules" if built_from.exists() else "official plugin"
        return InstalledPart(self._installed / EXECUTABLE, versions.KAFKA_PLUGIN, origin)

    def methods(self) -> list[InstallMethod]:
        return [
            InstallMethod("official plugin", self._install),
            InstallMethod("build from Go modules", self._build),
        ]

    def check(self, found: InstalledPart) -> str:
        version = output_of([found.path, "--version"]).strip()
        if version.endswith(found.version):
            return ""
        return f"`{found.path} --version` prints {version!r} instead of {found.version}"

    def paths_to_remove(self, found: InstalledPart) -> Sequence[Path]:
        return [self._installed]

    def _install(self, step: Step) -> None:
        self._plugin_install()

    def _build(self, step: Step) -> None:
        go = ensure(Go(self.cache, self.uv), self.console)
        with self.cache.fill(self._built) as directory:
            if directory is not None:
                clear(directory)
                stamp = f"main.version={versions.KAFKA_PLUGIN}"
                build(go.path, MODULE, ".", stamp, directory / EXECUTABLE, step)
                (directory / "built-from").write_text(self._built.name)
        packed = self.cache.directory("scratch") / f"{self._built.name}.tar.gz"
        with self.cache.lock(packed.name):
            with tarfile.open(packed, "w:gz", compresslevel=1) as archive:
                for file in self._built.iterdir():
                    archive.add(file, arcname=file.name)
            # Installed rather than put on PATH: Pulumi warns about plugins on PATH on every run.
            self._plugin_install("--reinstall", "--file", str(packed))
            packed.unlink()

    def _plugin_install(self, *options: str) -> None:
        words = ["plugin", "install", "resource", "kafka", versions.KAFKA_PLUGIN, *options]
        env = {"PULUMI_HOME": str(self.pulumi_home), "PULUMI_SKIP_UPDATE_CHECK": "true"}
        run([self.pulumi, *words], env=env)
        # Pulumi leaves a lock and a marker if the installation fails.
        if not (self._installed / EXECUTABLE).exists():
            shutil.rmtree(self._installed, ignore_errors=True)

    @property
    def _built(self) -> Path:
        ingredients = (MODULE / "go.sum", MODULE / "go.mod", MODULE / "main.go")
        return self.cache.entry("kafka-plugin", versions.KAFKA_PLUGIN, *ingredients)

    @property
    def _installed(self) -> Path:
        return self.pulumi_home / "plugins" / f"resource-kafka-v{versions.KAFKA_PLUGIN}"
