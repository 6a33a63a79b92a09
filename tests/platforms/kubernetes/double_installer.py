"""Installing the double of Pulumi's Kubernetes plugin in a PULUMI_HOME of a test."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.platforms.kubernetes.plugin_double import VERSION
from toolchain.shell import pulumi_home

ROOT = Path(__file__).parents[3]
PLUGIN = f"resource-kubernetes-v{VERSION}"
PROGRAM = """\
#!{python}
import sys
sys.path.insert(0, {root!r})
from tests.platforms.kubernetes.plugin_double import main
main()
"""


def double_installed(pulumi_home: Path) -> None:
    """Pulumi finds the double in this PULUMI_HOME, unless it has the official plugin."""
    directory = pulumi_home / "plugins" / PLUGIN
    if not directory.exists():
        directory.mkdir(parents=True)
        program = directory / "pulumi-resource-kubernetes"
        program.write_text(PROGRAM.format(python=sys.executable, root=str(ROOT)))
        program.chmod(0o755)


def home_with_double(directory: Path) -> Path:
    """A PULUMI_HOME with the installed plugins and the double.

    The user's own PULUMI_HOME stays without it: no deployment outside of the tests may use it.
    """
    for plugin in (pulumi_home() / "plugins").iterdir():
        if plugin.is_dir():
            linked = directory / "plugins" / plugin.name
            linked.mkdir(parents=True)
            for file in plugin.iterdir():
                (linked / file.name).symlink_to(file)
    double_installed(directory)
    return directory
