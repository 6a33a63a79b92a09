"""Loads pages in a real Chromium and reports what is displayed, requested, cut or unreadable.

`python -m tests.browser report.html DIRECTORY` takes screenshots: desktop and phone, light and
dark, and a PDF.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from mirrorstack.console import Console
from toolchain.chromium import Chromium
from toolchain.part import ensure

LOOKING = Path(__file__).with_name("looking.js")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--enable-logging=stderr", "--no-pdf-header-footer"),
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
SCHEMES = {"dark": 0, "light": 1}
TIMEOUT_SECONDS = 120.0
DESK, PHONE = (1100, 800), (360, 740)
PAPER = (718, 1047)
"""A4 without margins of 1 cm, at 96 dpi."""


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    width: float
    height: float
    on_top: bool
    """Whether its centre is on the screen and not covered."""


@dataclass(frozen=True)
class Look:
    """What is displayed of a page in a window of one size."""

    troubles: Sequence[str]
    """Errors of scripts, requests and the console."""
    selectors: dict[str, list[Box]]
    fetched: Sequence[str]
    addresses: Sequence[str]
    """All URLs in the page."""
    scripts: int
    title: str
    height: int
    """Of the whole page."""
    text: str
    background: str
    faint: Sequence[str]
    """Texts with a contrast below 4.5 (WCAG AA)."""
    cut: Sequence[str]
    """Elements wider than the window or their own box."""
    overlapping: Sequence[str]

    @property
    def faults(self) -> dict[str, Sequence[str]]:
        """Everything that no page may have."""
        may_not_be = ("troubles", "fetched", "addresses", "faint", "cut", "overlapping")
        return {name: found for name in may_not_be if (found := getattr(self, name))}


@dataclass(frozen=True)
class Browser:
    home: Path
    """A directory for its profile and the pages that it opens."""

    def look(
        self, page: str, *sizes: tuple[int, int], scheme: str = "light", at: Sequence[str] = ()
    ) -> list[Look]:
        """The page in a window of each size; `at` are selectors whose boxes are returned."""
        tell = (
            "<pre></pre><script>onload = () => { const seen = "
            '[...document.querySelectorAll("iframe")].map((each) => '
            f"each.contentWindow.look({json.dumps(list(at))}));"
            'document.querySelector("pre").textContent = JSON.stringify(seen); }</script>'
        )
        script = f"<head><script>{LOOKING.read_text()}</script>"
        wrapper = self._write(_frames(page.replace("<head>", script, 1), sizes) + tell)
        written, said = self._open(wrapper, scheme, "--dump-dom")
        told = re.search(r"<pre>(\[.*?)</pre>", written, re.DOTALL)
        assert told is not None, said
        console = [line for line in said.splitlines() if ":CONSOLE" in line]
        return [_look(each, console) for each in json.loads(unescape(told[1]))]

    def pictures(self, page: str) -> dict[str, bytes]:
        """By color scheme, a PNG of the whole page: desktop, with the phone beside it."""
        seen = self.look(page, DESK, PHONE)
        sizes = [(each[0], look.height) for each, look in zip((DESK, PHONE), seen, strict=True)]
        width, height = sum(each[0] for each in sizes), max(each[1] for each in sizes)
        wrapper = self._write(_frames(page, sizes))
        taken = {}
        for scheme in SCHEMES:
            png = self.home / f"{scheme}.png"
            words = f"--window-size={width},{height}", f"--screenshot={png}"
            self._open(wrapper, scheme, *words)
            taken[scheme] = png.read_bytes()
        return taken

    def printed(self, page: str) -> bytes:
        """The page as PDF."""
        pdf = self.home / "printed.pdf"
        self._open(self._write(page), "dark", f"--print-to-pdf={pdf}")
        return pdf.read_bytes()

    def _write(self, page: str) -> Path:
        file = self.home / "page.html"
        file.write_text(page)
        return file

    def _open(self, page: Path, scheme: str, *words: str) -> tuple[str, str]:
        own = (
            f"--user-data-dir={self.home / 'profile'}",
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
        )
        ended = subprocess.run(
            [_program(), *FLAGS, *own, *words, page.as_uri()],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout, ended.stderr


@cache
def _program() -> Path:
    return ensure(Chromium(), Console()).path


def _frames(page: str, sizes: Iterable[tuple[int, int]]) -> str:
    """A page that shows another one in frames of these sizes, side by side."""
    frames = "".join(
        f'<iframe width="{width}" height="{height}" srcdoc="{escape(page)}"></iframe>'
        for width, height in sizes
    )
    return (
        '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        "<style>body { margin: 0; display: flex; align-items: start } iframe { border: 0; "
        f"flex: none }}</style>{frames}"
    )


def as_printed(page: str) -> str:
    """The page with its print rules applied on the screen, where they can be measured."""
    return page.replace("@media screen", "@media (width: 0)").replace("@media print", "@media all")


def _look(told: dict[str, Any], console: list[str]) -> Look:
    boxes = {at: [Box(**each) for each in found] for at, found in told["selectors"].items()}
    return Look(**{**told, "selectors": boxes, "troubles": told["troubles"] + console})


def main(page: Path, directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        browser = Browser(Path(home))
        for scheme, picture in browser.pictures(page.read_text()).items():
            (directory / f"{page.stem}-{scheme}.png").write_bytes(picture)
        (directory / f"{page.stem}.pdf").write_bytes(browser.printed(page.read_text()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
