"""Chromium, in which tests open the HTML report. Only `make browser` and tests install it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from mirrorstack.console import Step
from toolchain.command import output_of, run
from toolchain.part import InstalledPart, InstallMethod, Part

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = "/Applications:~/Applications"
IN_APPLICATIONS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Wait for another installation on this machine to end.
WAIT_FOR_LOCK = ("-o", "DPkg::Lock::Timeout=300")


class Chromium(Part):
    name = "Chromium"
    why = "tests open the HTML report in it"
    fix = (
        "install Chromium or Chrome (Debian: apt install chromium; macOS: brew install --cask "
        "chromium), so that one of " + ", ".join(NAMES) + " is on PATH"
    )

    def find(self) -> InstalledPart | None:
        for path in self._candidates():
            # Where Chromium is a snap, its name may be on PATH though the snap is not installed.
            if version := version_in(output_of([path, "--version"])):
                return InstalledPart(path, version, f"found at {path}")
        return None

    def methods(self) -> list[InstallMethod]:
        may_install = os.geteuid() == 0 and shutil.which("apt-get") is not None
        return [InstallMethod("install with apt-get", self._install)] if may_install else []

    def why_missing(self) -> str:
        return "no Chromium or Chrome found"

    def _install(self, step: Step) -> None:
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        run(["apt-get", "update"], env=quiet, on_line=step.progress)
        install = [
            "apt-get",
            *WAIT_FOR_LOCK,
            "install",
            "-y",
            "--no-install-recommends",
            "chromium",
        ]
        run(install, env=quiet, on_line=step.progress)

    def _candidates(self) -> Iterator[Path]:
        for name in NAMES:
            if on_path := shutil.which(name):
                yield Path(on_path)
        for directory in os.environ.get("MIRRORSTACK_APPLICATIONS", APPLICATIONS).split(":"):
            for name in IN_APPLICATIONS:
                if (application := Path(directory, name).expanduser()).exists():
                    yield application


def version_in(output: str) -> str:
    """`Chromium 156.0.8078.79 built on Debian GNU/Linux 12` -> `156.0.8078.79`."""
    match = re.search(r"\bChrom(?:ium|e)(?: for Testing)? (\d[\d.]*\d)", output)
    return match.group(1) if match else ""
