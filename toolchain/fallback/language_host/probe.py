"""The packages and plugins of a program's Python, as JSON.

The host passes the source of this file to the program's interpreter, so it supports every Python
that Pulumi supports and imports only the standard library.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any


def plugins(path: list[str]) -> list[dict[str, Any]]:
    """The pulumi-plugin.json of every importable package that needs a resource plugin."""
    found: dict[str, dict[str, Any]] = {}
    for entry in path:
        for file in sorted(Path(entry).glob("*/pulumi-plugin.json")):
            package = file.parent.name
            if package not in found:
                found[package] = json.loads(file.read_text(encoding="utf-8"))
    return [
        {
            **declared,
            "name": declared.get("name") or package.removeprefix("pulumi_").replace("_", "-"),
            "version": declared.get("version") or _released_version(package),
        }
        for package, declared in found.items()
        if declared.get("resource")
    ]


def _released_version(package: str) -> str:
    """Empty unless it is a semantic version, because the engine rejects any other."""
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
    return version if re.fullmatch(r"\d+\.\d+\.\d+", version) else ""


def packages(*, transitive: bool) -> list[dict[str, str]]:
    """The installed packages; unless transitive, only those that no other package requires."""
    versions: dict[str, str] = {}
    required: set[str] = set()
    for distribution in metadata.distributions():
        versions.setdefault(_normal(distribution.metadata["Name"]), distribution.version)
        required.update(_normal(re.split(r"[^\w.-]", r)[0]) for r in distribution.requires or ())
    return [
        {"name": name, "version": version}
        for name, version in sorted(versions.items())
        if transitive or name not in required
    ]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(query: str) -> None:
    queries: dict[str, Callable[[], Any]] = {
        "plugins": lambda: plugins([entry for entry in sys.path if entry]),
        "packages": lambda: packages(transitive=False),
        "all-packages": lambda: packages(transitive=True),
        "python": lambda: {"executable": sys.executable, "version": platform.python_version()},
    }
    print(json.dumps(queries[query]()))


if __name__ == "__main__":
    main(sys.argv[1])
