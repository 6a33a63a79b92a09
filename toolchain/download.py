"""Downloads that resume after an interruption and are used only if their checksum matches."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from pathlib import Path

from mirrorstack.console import Step
from toolchain.part import Unavailable

ATTEMPTS = 3
BLOCK = 1 << 20
TIMEOUT_SECONDS = 20.0


def text(url: str) -> str:
    """A small text file, such as a list of checksums."""
    try:
        with _open(url, 0) as response:
            content: bytes = response.read()
    except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: not a URL
        raise Unavailable(f"{url}: {_reason(error)}") from error
    return content.decode("utf-8", "replace")


def file(url: str, target: Path, sha256: str, step: Step) -> None:
    """Download `url` to `target`, resuming a partial download, and check its checksum."""
    if target.exists() and checksum(target) == sha256:
        return
    part = target.with_name(f"{target.name}.part")
    for attempt in range(1, ATTEMPTS + 1):
        try:
            _fetch(url, part, step)
            break
        except (OSError, http.client.HTTPException) as error:
            refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
            if refused or attempt == ATTEMPTS:
                raise Unavailable(f"{url}: {_reason(error)}") from error
    found = checksum(part)
    if found != sha256:
        part.unlink()
        raise Unavailable(f"{url}: broken download: its SHA-256 is {found}, expected {sha256}")
    part.rename(target)


def checksum(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _fetch(url: str, part: Path, step: Step) -> None:
    have = part.stat().st_size if part.exists() else 0
    try:
        response = _open(url, have)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # the file is complete: the checksum decides
            return
        raise
    with response, part.open("ab" if response.status == 206 else "wb") as handle:
        done = handle.tell()
        total = done + int(response.headers.get("Content-Length") or 0)
        while block := response.read(BLOCK):
            handle.write(block)
            done += len(block)
            step.counted(done >> 20, total >> 20, "MB")
    if done < total:
        raise http.client.IncompleteRead(b"", total - done)


def _open(url: str, start: int) -> http.client.HTTPResponse:
    headers = {"Range": f"bytes={start}-"} if start else {}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - our own https addresses
    response: http.client.HTTPResponse = urllib.request.urlopen(  # noqa: S310
        request, timeout=TIMEOUT_SECONDS
    )
    return response


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or error)
