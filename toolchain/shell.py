"""The environment in which plain `pulumi` and `mirrorstack` work, as shell exports."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from toolchain.cache import Cache
from toolchain.part import Found

BACKEND = "PULUMI_BACKEND_URL"
PASSPHRASE = ("PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE")


def pulumi_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Pulumi's plugins and logins: the user's choice, else the cache.

    Not `~/.pulumi`: a plugin that we built must not serve the user's other projects.
    """
    chosen = environ.get("PULUMI_HOME")
    return Path(chosen) if chosen else Cache.of_user(environ).root / "pulumi-home"


def passphrase_file(home: Path) -> Path:
    return home / "passphrase"


def variables(
    root: Path, parts: Mapping[str, Found], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """What to set. A backend or passphrase that the user has chosen stays theirs."""
    home = root / ".mirrorstack"
    first = [str(root / ".venv" / "bin"), str(parts["pulumi"].path.parent)]
    rest = [entry for entry in environ.get("PATH", "").split(os.pathsep) if entry not in first]
    result = {
        "PATH": os.pathsep.join([*first, *rest]),
        "VIRTUAL_ENV": str(root / ".venv"),
        "JAVA_HOME": str(parts["java"].path.resolve().parent.parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PULUMI_HOME": str(pulumi_home(environ)),
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        # Behind a company's proxy, Pulumi's own loopback calls would be sent to it.
        "no_proxy": _with_loopback(environ.get("no_proxy") or environ.get("NO_PROXY") or ""),
    }
    if BACKEND not in environ:
        result[BACKEND] = f"file://{home}/state?create_dir=true"
    if not any(name in environ for name in PASSPHRASE):
        result[PASSPHRASE[1]] = str(passphrase_file(home))
    return result


def _with_loopback(no_proxy: str) -> str:
    names = [name for name in no_proxy.split(",") if name]
    return ",".join(dict.fromkeys([*names, "127.0.0.1", "localhost"]))


def exports(settings: Mapping[str, str]) -> str:
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items())
