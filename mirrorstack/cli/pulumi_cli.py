"""Pulumi's command line, as the set-up prepared it for this clone."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from toolchain import receipt, shell


class PulumiCli:
    """Runs `pulumi` in the clone, whether or not the shell was activated."""

    def __init__(self, root: Path = ROOT) -> None:
        parts = receipt.read(root / ".mirrorstack")
        self._command = str(parts["pulumi"].path)
        self._root = root
        self.env = {**os.environ, **shell.variables(root, parts)}

    @property
    def backend(self) -> str:
        return self.env[shell.BACKEND]

    def show(self, *words: str) -> None:
        """Run with the output where the person sees it."""
        process = subprocess.Popen([self._command, *words], cwd=self._root, env=self.env)
        status = None
        while status is None:
            # Ctrl-C reaches Pulumi as well, which then ends what it began and releases its lock.
            with suppress(KeyboardInterrupt):
                status = process.wait()
        if status != 0:
            raise UserError(
                f"`pulumi {' '.join(words)}` ended with {status}; it says why above.",
                "mend that, then run the command again: it goes on from here",
            )

    def ask(self, *words: str) -> Any:
        """Run quietly and parse what it prints as JSON."""
        done = subprocess.run(
            [self._command, *words],
            cwd=self._root,
            env=self.env,
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise UserError(
                f"`pulumi {' '.join(words)}` ended with {done.returncode}: {done.stderr.strip()}",
                "check the stack's name with `pulumi stack ls`, and the parts with "
                "`mirrorstack doctor`",
            )
        return json.loads(done.stdout)
