"""Files that are there as a whole or not at all, also for who reads them while they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """Where to write. It takes the file's place at the end; whoever is interrupted leaves the file
    as it was."""
    written = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        yield written
        written.replace(file)
    finally:
        written.unlink(missing_ok=True)
