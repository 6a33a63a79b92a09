"""The Pulumi CLI: on PATH, downloaded, or built from Go modules."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, Step
from toolchain import download, versions
from toolchain.cache import Cache, clear
from toolchain.command import output_of, run
from toolchain.fallback.language_host_part import EXECUTABLE, LanguageHost
from toolchain.go import Go, build
from toolchain.part import InstalledPart, InstallMethod, Part, Unavailable, ensure

RELEASES = "https://github.com/pulumi/pulumi/releases/download"
MODULE = Path(__file__).parent / "go" / "pulumi"
SDK = "github.com/pulumi/pulumi/sdk/v3"
# The CLI expects these in its directory to run Python; the official archive contains both.
HELPERS = ("python/cmd/pulumi-language-python-exec", "python/dist/pulumi-resource-pulumi-python")


@dataclass(frozen=True)
class Pulumi(Part):
    cache: Cache
    uv: Path
    console: Console

    name = "Pulumi"
    why = "it previews and deploys the stacks"
    fix = (
        f"install Pulumi {versions.PULUMI} or newer (https://www.pulumi.com/docs/install), "
        "or Go to build it, then run the command again"
    )

    def find(self) -> InstalledPart | None:
        own = shutil.which("pulumi")
        # In an activated shell it may be a cached one from before the last `git pull`.
        if own and self.cache.root.resolve() not in Path(own).resolve().parents:
            version = output_of([own, "version"]).strip().lstrip("v")
            new_enough = versions.numbers(version) >= versions.numbers(versions.PULUMI)
            # A CLI without its Python language host cannot run this project.
            if new_enough and (Path(own).resolve().parent / EXECUTABLE).exists():
                return InstalledPart(Path(own), version, "found on PATH")
        for binary, origin in (
            (self._downloaded / "pulumi" / "pulumi", "official download"),
            (self._assembled / "pulumi", "built from Go modules"),
        ):
            if binary.exists():
                return InstalledPart(binary, versions.PULUMI, origin)
        return None

    def methods(self) -> list[InstallMethod]:
        return [
            InstallMethod("official download", self._download),
            InstallMethod("build from Go modules", self._build),
        ]

    def check(self, found: InstalledPart) -> str:
        version = output_of([found.path, "version"]).strip().lstrip("v")
        if version == found.version:
            return ""
        return f"`{found.path} version` prints {version!r} instead of {found.version}"

    def paths_to_remove(self, found: InstalledPart) -> Sequence[Path]:
        # All of them: the assembled directory holds hard links to the files of the build.
        entries = (self._downloaded, self._assembled, self._built)
        return [entry for entry in entries if entry.exists()]

    def _download(self, step: Step) -> None:
        releases = os.environ.get("MIRRORSTACK_PULUMI_RELEASES", RELEASES)
        base = f"{releases}/v{versions.PULUMI}"
        archive = f"pulumi-v{versions.PULUMI}-{platform_name()}.tar.gz"
        sums = download.text(f"{base}/pulumi-{versions.PULUMI}-checksums.txt")
        expected = [line.split()[0] for line in sums.splitlines() if line.endswith(f" {archive}")]
        if not expected:
            raise Unavailable(f"{base} has no checksum for {archive}")
        with self.cache.fill(self._downloaded) as directory:
            if directory is None:
                return
            packed = directory / archive
            download.file(f"{base}/{archive}", packed, expected[0], step)
            run(["tar", "-xzf", packed, "-C", directory])
            packed.unlink()

    def _build(self, step: Step) -> None:
        go = ensure(Go(self.cache, self.uv), self.console)
        host = ensure(LanguageHost(self.cache, self.uv), self.console)
        with self.cache.fill(self._built) as directory:
            if directory is not None:
                clear(directory)
                self._compile(go.path, directory, step)
        # The CLI looks for the language host in its own directory, after following symbolic links:
        # hence a hard link to the binary and a symbolic link to the host, so that a new host
        # needs no new build.
        with self.cache.fill(self._assembled) as directory:
            if directory is not None:
                clear(directory)
                for file in self._built.iterdir():
                    (directory / file.name).hardlink_to(file)
                (directory / EXECUTABLE).symlink_to(host.path)

    def _compile(self, go: Path, directory: Path, step: Step) -> None:
        stamp = f"{SDK}/go/common/version.Version=v{versions.PULUMI}"
        package = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
        build(go, MODULE, package, stamp, directory / "pulumi", step)
        sdk = output_of([go, "-C", MODULE, "list", "-m", "-f", "{{.Dir}}", SDK]).strip()
        for helper in HELPERS:
            copied = Path(shutil.copy(Path(sdk, helper), directory))
            copied.chmod(0o755)

    @property
    def _downloaded(self) -> Path:
        return self.cache.root / f"pulumi-{versions.PULUMI}-{platform_name()}"

    @property
    def _built(self) -> Path:
        return self.cache.entry("pulumi-built", versions.PULUMI, MODULE / "go.sum")

    @property
    def _assembled(self) -> Path:
        host = LanguageHost(self.cache, self.uv).entry.name.rpartition("-")[2]
        return self._built.with_name(f"{self._built.name}-with-host-{host}")


def platform_name() -> str:
    """Pulumi's name for this platform, such as `linux-x64`."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(
        platform.machine().lower(), platform.machine().lower()
    )
    return f"{platform.system().lower()}-{machine}"
