"""Helpers of the toolchain's tests: fake programs, fewer privileges, waiting."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE_SECONDS = 20.0
CHROMIUM_VERSION = "156.0.8078.79"

# Root may write where the mode forbids it; without these two capabilities it is an ordinary user.
UNPRIVILEGED = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
)


def executable(path: Path, script: str) -> Path:
    """Write an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def fake_java(home: Path, version: str) -> Path:
    """A java that only prints its version, on standard error as the real one does."""
    return executable(home / "bin" / "java", f"""echo 'openjdk version "{version}"' >&2""")


def fake_chromium(at: Path, product: str = "Chromium") -> Path:
    return executable(at, f"echo '{product} {CHROMIUM_VERSION} built on Debian GNU/Linux 12'")


def fake_apt_get(path: Path, *, target: Path, update_fails: bool = False) -> Path:
    """An apt-get that logs its arguments and installs a browser at `target`; returns its log."""
    log = path.parent / "apt-get.log"
    executable(
        path / "apt-get",
        f'echo "$DEBIAN_FRONTEND: $*" >> {log}\n'
        'case "$*" in\n'
        f"  update) {'echo no network; exit 100' if update_fails else 'exit 0'} ;;\n"
        f"  *chromium) echo '#!/bin/sh' > {target}\n"
        f"             echo 'echo Chromium {CHROMIUM_VERSION}' >> {target}\n"
        f"             /bin/chmod 755 {target} ;;\n"
        "esac",
    )
    return log


def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until the condition is true; raises TimeoutError after the given seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"the condition is still false after {seconds:.0f} s")
        time.sleep(0.005)
