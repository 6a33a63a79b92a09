"""A Pulumi project for a test: its own directory and state, and the real CLI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

# Programs and packs use the packages of the interpreter that runs the tests.
THIS_ENVIRONMENT = sys.prefix


class PulumiProject:
    """A project with one stack called `dev` in a file backend below `directory`."""

    def __init__(
        self, directory: Path, *, name: str, pulumi: Path, pulumi_home: Path, **environ: str
    ) -> None:
        self.name = name
        self.timeout = 120.0
        self.directory = directory / name
        self.state = directory / "state"
        self.pulumi_binary = pulumi
        inherited = {key: value for key, value in os.environ.items() if key[:7] != "PULUMI_"}
        self.environ = inherited | {
            "PATH": f"{pulumi.parent}{os.pathsep}{os.environ['PATH']}",
            "PULUMI_BACKEND_URL": f"file://{self.state}?create_dir=true",
            "PULUMI_HOME": str(pulumi_home),
            "PULUMI_CONFIG_PASSPHRASE": "test",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "DO_NOT_TRACK": "1",
            **environ,
        }
        self.describe()
        self.pulumi("stack", "init", "dev")

    def describe(self, virtualenv: str = THIS_ENVIRONMENT, main: str = ".", **more: str) -> None:
        runtime = {"name": "python", "options": {"virtualenv": virtualenv, **more}}
        project = {"name": self.name, "main": main, "runtime": runtime}
        self.write("Pulumi.yaml", json.dumps(project))

    def configure(self, values: Mapping[str, Any]) -> None:
        """Set these keys in the stack file; the encryption salt of Pulumi stays."""
        file = self.directory / "Pulumi.dev.yaml"
        kept = [line for line in file.read_text().splitlines() if line.startswith("encryption")]
        config = {f"{self.name}:{key}": value for key, value in values.items()}
        file.write_text("\n".join([*kept, f"config: {json.dumps(config)}"]) + "\n")

    def write(self, name: str, content: str) -> None:
        file = self.directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(content))

    def pulumi(self, *arguments: str, fails: bool = False) -> str:
        """The output of the CLI, both streams; asserts that it succeeds, or fails if expected."""
        ended = subprocess.run(
            [self.pulumi_binary, *arguments, "--non-interactive", "--color=never"],
            cwd=self.directory,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=self.timeout,
        )
        output = ended.stdout + ended.stderr
        assert (ended.returncode != 0) == fails, output
        return output

    def up(self, *arguments: str, fails: bool = False) -> str:
        return self.pulumi("up", "--yes", "--skip-preview", *arguments, fails=fails)
