"""The user name and password for Connect's REST API, from a file that only its owner may read."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.java_properties import MalformedProperties, load_text

OTHERS = 0o077
KEYS = ("username", "password")


@dataclass(frozen=True)
class Credentials:
    """The password is not in its repr."""

    username: str
    password: str = field(repr=False)

    @property
    def authorization(self) -> str:
        """The header of HTTP basic authentication."""
        return "Basic " + b64encode(f"{self.username}:{self.password}".encode()).decode()


@dataclass(frozen=True)
class BearerToken:
    """The token is not in its repr."""

    token: str = field(repr=False)

    @property
    def authorization(self) -> str:
        return f"Bearer {self.token}"


def load(path: Path) -> Credentials:
    """From JSON or Java properties with `username` and `password`."""
    try:
        mode = path.stat().st_mode
        content = path.read_text("utf-8")
    except OSError as error:
        raise UserError(
            f"credentials_file {path} cannot be read: {error.strerror}",
            "create it with username and password, as JSON or properties, mode 0600",
        ) from None
    except UnicodeDecodeError:
        raise _malformed(path) from None
    if mode & OTHERS:
        raise UserError(
            f"credentials_file {path} can be read by other users: its mode is {mode & 0o777:04o}",
            f"`chmod 600 {path}`",
        )
    values = _parse(path, content)
    missing = [key for key in KEYS if not values.get(key)]
    if missing:
        raise UserError(
            f"credentials_file {path} has no {' and no '.join(missing)}",
            "it must have both username and password",
        )
    return Credentials(values["username"], values["password"])


def _parse(path: Path, content: str) -> dict[str, str]:
    try:
        if content.lstrip().startswith("{"):
            values = json.loads(content)
            return {key: str(values[key]) for key in KEYS if values.get(key) is not None}
        return {each.key: each.value for each in load_text(content)}
    except (ValueError, MalformedProperties):  # the parser's message quotes the content
        raise _malformed(path) from None


def _malformed(path: Path) -> UserError:
    return UserError(
        f"credentials_file {path} is neither JSON nor properties",
        "write it as properties (username=... and password=...) or as a JSON object",
    )
