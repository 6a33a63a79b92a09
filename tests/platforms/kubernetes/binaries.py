"""The programs of a node: Kubernetes, CoreDNS and `pause` built from Go modules, and Debian's
packages, unpacked beside them."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

from mirrorstack.console import Console, Step
from toolchain.cache import Cache, clear
from toolchain.command import run
from toolchain.go import Go
from toolchain.part import ensure
from toolchain.uv import Uv

MODULE = Path(__file__).parent / "go"
VERSION = "1.36.3"
"""Of Kubernetes; go.mod requires the same."""
KUBERNETES = (
    "kube-apiserver",
    "kube-controller-manager",
    "kube-proxy",
    "kube-scheduler",
    "kubelet",
)
OWN = ("coredns", "pause")
PACKAGES = Path(__file__).parent / "packages.txt"
"""Debian's, with their libraries."""


class RecentGo(Go):
    """Kubernetes requires a newer Go than Pulumi."""

    at_least = (1, 26, 0)


def installed_parts(cache: Cache, console: Console) -> Path:
    """A directory with `bin`, of the built programs, and `usr`, of the packages.

    The first build takes 5 to 11 minutes on two cores; an interrupted one resumes.
    """
    sources = (MODULE / name for name in ("go.mod", "go.sum", "coredns/main.go", "pause/main.go"))
    entry = cache.entry("kubernetes", VERSION, PACKAGES, *sources)
    if not entry.exists():
        go = go_program(cache, console)
        with cache.fill(entry) as directory, console.step("Kubernetes") as step:
            if directory is not None:
                clear(directory)
                _unpack(directory, step)
                _build(go, directory / "bin", step)
                step.done(f"{VERSION}, built from Go modules")
    return entry


def go_program(cache: Cache, console: Console) -> Path:
    return ensure(RecentGo(cache, ensure(Uv(cache), console).path), console).path


def search_path(parts: Path) -> dict[str, str]:
    """Environment variables with which the programs find each other and their libraries."""
    programs = (parts / "bin", parts / "usr/sbin", parts / "usr/bin")
    system = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
    libraries = parts / "usr/lib" / f"{platform.machine()}-linux-gnu"
    return {"PATH": ":".join([*map(str, programs), *system]), "LD_LIBRARY_PATH": str(libraries)}


def _unpack(directory: Path, step: Step) -> None:
    step.progress("downloading Debian's packages")
    downloaded = directory / "packages"
    downloaded.mkdir()
    run(["apt-get", "download", *PACKAGES.read_text().split()], cwd=downloaded)
    for package in downloaded.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, directory], check=True)
        package.unlink()
    downloaded.rmdir()


def _build(go: Path, programs: Path, step: Step) -> None:
    programs.mkdir()
    major, minor, _ = VERSION.split(".")
    values = {
        "gitVersion": f"v{VERSION}",
        "gitMajor": major,
        "gitMinor": minor,
        "gitTreeState": "clean",
    }
    stamps = [
        f"-X {package}.{name}={value}"
        for package in ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
        for name, value in values.items()
    ]
    packages = [f"k8s.io/kubernetes/cmd/{name}" for name in KUBERNETES]
    packages += [f"./{name}" for name in OWN]
    compiled = 0

    def count(line: str) -> None:
        nonlocal compiled
        compiled += not line.startswith("go: ")
        step.progress(f"{compiled} Go packages compiled")

    flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-v"]
    flags += ["-ldflags", " ".join(["-s -w", *stamps])]
    command: list[str | Path] = [
        "nice",
        "-n",
        "5",
        go,
        "build",
        *flags,
        "-o",
        f"{programs}/",
        *packages,
    ]
    run(command, cwd=MODULE, env={"CGO_ENABLED": "0"}, on_line=count)
