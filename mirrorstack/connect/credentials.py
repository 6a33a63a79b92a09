"""Who we are for Connect's REST API, from a file that only its owner may read."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.findings import UserError

OTHERS = 0o077
KEYS = ("username", "password")


@dataclass(frozen=True)
class Credentials:
    """The password is not in its repr."""

    username: str
    password: str = field(repr=False)

    @property
    def authorization(self) -> str:
        return "Basic " + b64encode(f"{self.username}:{self.password}".encode()).decode()


def load(path: Path) -> Credentials:
    """From JSON or properties with `username` and `password`; a Problem names what is wrong."""
    try:
        mode = path.stat().st_mode
        content = path.read_text("utf-8")
    except OSError as error:
        raise UserError(
            f"credentials_file {path} cannot be read: {error.strerror}",
            "write it with username and password, as JSON or properties, mode 0600",
        ) from None
    except UnicodeDecodeError:
        raise _unreadable(path) from None
    if mode & OTHERS:
        raise UserError(
            f"credentials_file {path} can be read by others: its mode is {mode & 0o777:04o}",
            f"`chmod 600 {path}`",
        )
    values = _parse(path, content)
    missing = [key for key in KEYS if not values.get(key)]
    if missing:
        raise UserError(
            f"credentials_file {path} has no {' and no '.join(missing)}",
            "it needs both username and password",
        )
    return Credentials(values["username"], values["password"])


def _parse(path: Path, content: str) -> dict[str, str]:
    if content.lstrip().startswith("{"):
        try:
            values = json.loads(content)
        except ValueError:  # its message quotes the content
            raise _unreadable(path) from None
        return {key: str(values[key]) for key in KEYS if values.get(key) is not None}
    lines = (line.strip() for line in content.splitlines())
    pairs = (line.partition("=") for line in lines if line and line[0] not in "#!")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _unreadable(path: Path) -> UserError:
    return UserError(
        f"credentials_file {path} is neither JSON nor properties",
        "write it as properties (username=... and password=...) or as a JSON object",
    )
