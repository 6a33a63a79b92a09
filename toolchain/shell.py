"""The environment variables for `pulumi` and `mirrorstack`, as shell exports."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from toolchain.cache import Cache
from toolchain.environment import venv_directory
from toolchain.part import InstalledPart

BACKEND = "PULUMI_BACKEND_URL"
PASSPHRASE = ("PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE")
# The values that an activation has set, to tell them from the user's own.
EXPORTED = "MIRRORSTACK_EXPORTED"
PATH_ENTRIES = "PATH_ENTRIES"


def chosen_by_user(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment without the values of an earlier activation, perhaps of another clone."""
    exported = dict(pair.split("=", 1) for pair in shlex.split(environ.get(EXPORTED, "")))
    chosen = {name: value for name, value in environ.items() if exported.get(name) != value}
    added = exported.get(PATH_ENTRIES, "").split(os.pathsep)
    path = environ.get("PATH", "").split(os.pathsep)
    return {**chosen, "PATH": os.pathsep.join(entry for entry in path if entry not in added)}


def pulumi_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Pulumi's plugins and logins: the user's choice, else the cache.

    Not `~/.pulumi`: a plugin built here must not be used by the user's other projects.
    """
    chosen = chosen_by_user(environ).get("PULUMI_HOME")
    return Path(chosen) if chosen else Cache.of_user(environ).root / "pulumi-home"


def passphrase_file(home: Path) -> Path:
    return home / "passphrase"


def variables(
    root: Path, parts: Mapping[str, InstalledPart], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """The variables to set. A backend or passphrase that the user has set is not changed."""
    home = root / ".mirrorstack"
    chosen = chosen_by_user(environ)
    venv = venv_directory(root, environ)
    first = os.pathsep.join([str(venv / "bin"), str(parts["pulumi"].path.parent)])
    result = {
        "VIRTUAL_ENV": str(venv),
        "JAVA_HOME": str(parts["java"].path.resolve().parent.parent),
        "PULUMI_HOME": str(pulumi_home(environ)),
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        # The set-up installs the plugins. Pulumi would download those of all installed packages,
        # also of runtimes that no stack uses.
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        # Otherwise Pulumi's loopback calls are sent to a configured proxy.
        "no_proxy": _with_loopback(chosen.get("no_proxy") or chosen.get("NO_PROXY") or ""),
    }
    if BACKEND not in chosen:
        result[BACKEND] = f"file://{home}/state?create_dir=true"
    if not any(name in chosen for name in PASSPHRASE):
        result[PASSPHRASE[1]] = str(passphrase_file(home))
    exported = [f"{name}={value}" for name, value in {**result, PATH_ENTRIES: first}.items()]
    result[EXPORTED] = shlex.join(exported)
    result["PATH"] = os.pathsep.join([first, chosen["PATH"]])
    return result


def _with_loopback(no_proxy: str) -> str:
    names = [name for name in no_proxy.split(",") if name]
    return ",".join(dict.fromkeys([*names, "127.0.0.1", "localhost"]))


def exports(settings: Mapping[str, str]) -> str:
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items())
