"""Pulumi's resource plugins: installed, downloaded, or built from the same Terraform bridge."""

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

MODULES = Path(__file__).parent / "go"


@dataclass(frozen=True)
class ResourcePlugin(Part):
    """A plugin whose Go module is in `go/<plugin>-plugin`, if it can be built from modules."""

    plugin: str
    version: str
    name: str
    why: str
    cache: Cache
    uv: Path
    pulumi: Path
    pulumi_home: Path
    console: Console
    tags: str = ""
    """Of the Go build."""

    @property
    def fix(self) -> str:  # type: ignore[override]
        install = (
            f"run `pulumi plugin install resource {self.plugin} {self.version}` where the official "
            "download is reachable"
        )
        return f"{install}, or install Go to build it" if self._module.exists() else install

    @property
    def executable(self) -> str:
        return f"pulumi-resource-{self.plugin}"

    def find(self) -> InstalledPart | None:
        unfinished = self._installed.with_name(f"{self._installed.name}.partial")  # by Pulumi
        if unfinished.exists() or not (self._installed / self.executable).exists():
            return None
        built_from = self._installed / "built-from"
        if built_from.exists() and built_from.read_text() != self._built.name:
            return None  # an older build of this repository, installed as the same version
        origin = "built from Go modules" if built_from.exists() else "official plugin"
        return InstalledPart(self._installed / self.executable, self.version, origin)

    def methods(self) -> list[InstallMethod]:
        official = InstallMethod("official plugin", self._install)
        if not self._module.exists():
            return [official]
        return [official, InstallMethod("build from Go modules", self._build)]

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
                stamp = f"main.version={self.version}"
                output = directory / self.executable
                build(go.path, self._module, ".", stamp, output, step, self.tags)
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
        words = ["plugin", "install", "resource", self.plugin, self.version, *options]
        env = {"PULUMI_HOME": str(self.pulumi_home), "PULUMI_SKIP_UPDATE_CHECK": "true"}
        run([self.pulumi, *words], env=env)
        # Pulumi leaves a lock and a marker if the installation fails.
        if not (self._installed / self.executable).exists():
            shutil.rmtree(self._installed, ignore_errors=True)

    @property
    def _built(self) -> Path:
        ingredients = (self._module / name for name in ("go.sum", "go.mod", "main.go"))
        return self.cache.entry(self._module.name, self.version, *ingredients)

    @property
    def _module(self) -> Path:
        return MODULES / f"{self.plugin}-plugin"

    @property
    def _installed(self) -> Path:
        return self.pulumi_home / "plugins" / f"resource-{self.plugin}-v{self.version}"


def kafka_plugin(
    cache: Cache, uv: Path, pulumi: Path, pulumi_home: Path, console: Console
) -> ResourcePlugin:
    what = ("kafka", versions.KAFKA_PLUGIN, "Pulumi's Kafka plugin", "it creates topics and ACLs")
    return ResourcePlugin(*what, cache, uv, pulumi, pulumi_home, console)


def docker_plugin(
    cache: Cache, uv: Path, pulumi: Path, pulumi_home: Path, console: Console
) -> ResourcePlugin:
    """Only for stacks with `runtime: docker`."""
    what = ("docker", versions.DOCKER_PLUGIN, "Pulumi's Docker plugin", "it creates containers")
    return ResourcePlugin(*what, cache, uv, pulumi, pulumi_home, console, tags="no_compose")


def kubernetes_plugin(
    cache: Cache, uv: Path, pulumi: Path, pulumi_home: Path, console: Console
) -> ResourcePlugin:
    """Only for stacks with `runtime: kubernetes`. Its Go module is not published, so it cannot be
    built."""
    why = "it creates objects of Kubernetes"
    what = ("kubernetes", versions.KUBERNETES_PLUGIN, "Pulumi's Kubernetes plugin", why)
    return ResourcePlugin(*what, cache, uv, pulumi, pulumi_home, console)
