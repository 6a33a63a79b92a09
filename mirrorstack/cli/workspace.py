"""The Pulumi project of this clone, through Pulumi's Automation API."""

from __future__ import annotations

import logging
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pulumi.automation import (
    CommandError,
    CommandResult,
    ConfigMap,
    LocalWorkspace,
    OnOutput,
    PulumiCommand,
)

from mirrorstack.config.stack_file import stack_names
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from toolchain import receipt, shell

log = logging.getLogger(__name__)

NO_STACK = re.compile("no stack named '([^']*)' found")


class InstalledPulumi(PulumiCommand):
    """The Pulumi CLI that the set-up installed.

    The base class takes only `<root>/bin/pulumi`, and asks it for its version, which the set-up has
    checked. Its errors show standard output, which can hold secrets: these show standard error.
    """

    def __init__(self, path: Path) -> None:
        self.command = str(path)
        self.version = None

    def run(
        self,
        args: list[str],
        cwd: str,
        additional_env: Mapping[str, str],
        on_output: OnOutput | None = None,
        on_error: OnOutput | None = None,
    ) -> CommandResult:
        command = f"pulumi {' '.join(args)}"
        log.info("running `%s`", command)
        errors: list[str] = []

        def collect(line: str) -> None:
            errors.append(line)
            if on_error:
                on_error(line)

        try:
            return super().run(args, cwd, additional_env, on_output, collect)
        except CommandError:
            reason = " ".join(errors).removeprefix("error: ").strip()
            if unknown := NO_STACK.search(reason):
                raise _no_such_stack(unknown.group(1), Path(cwd)) from None
            raise UserError(
                f"`{command}` failed: {reason}",
                "check the stack's name with `pulumi stack ls`, and the installation with "
                "`mirrorstack doctor`",
            ) from None


def _no_such_stack(stack: str, project: Path) -> UserError:
    stacks = ", ".join(stack_names(project / "stacks"))
    fix = (
        f"use one of the stacks: {stacks}" if stacks else f"create it: `pulumi stack init {stack}`"
    )
    return UserError(f"no such stack: {stack}", fix)


class PulumiProject:
    """Runs Pulumi in a project, whether or not the shell is activated.

    The stack is named in every call. `pulumi.automation.Stack` would select it, and a later
    `pulumi` command without a stack's name would work on that one.
    """

    def __init__(self, directory: Path = ROOT, root: Path = ROOT) -> None:
        parts = receipt.read(root / ".mirrorstack")
        self._directory = directory
        self._path = parts["pulumi"].path
        self._variables = shell.variables(root, parts)
        if directory != root:
            # Another project has its own backend and passphrase.
            for name in (shell.BACKEND, *shell.PASSPHRASE):
                self._variables.pop(name, None)
        self._workspace = LocalWorkspace(
            work_dir=str(directory),
            env_vars=self._variables,
            pulumi_command=InstalledPulumi(self._path),
        )

    @property
    def backend(self) -> str:
        return {**os.environ, **self._variables}.get(shell.BACKEND, "")

    def config(self, stack: str) -> ConfigMap:
        """The stack's config by full key, secrets decrypted: never print it."""
        return self._workspace.get_all_config(stack)

    def secrets(self, stack: str) -> Callable[[str], str]:
        """The values of the stack's config by key without its namespace; empty where there is none.
        Pulumi decrypts them when the first is asked for."""
        config = cache(lambda: self.config(stack))

        def secret(key: str) -> str:
            found = (each for name, each in config().items() if name.partition(":")[2] == key)
            return next((each.value for each in found if each.value), "")

        return secret

    def state(self, stack: str) -> Mapping[str, Any]:
        """The stack's deployment, secrets decrypted: never print it."""
        return self._workspace.export_stack(stack).deployment or {}

    def cancel(self, stack: str) -> None:
        """Remove the stack's lock."""
        self._run("cancel", "--yes", "--stack", stack)

    def clear_pending_creates(self, stack: str) -> None:
        self._run("refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--stack", stack)

    def up(self, stack: str, *options: str) -> None:
        """`pulumi up`, with Pulumi's own live display.

        Not through the Automation API: it reads the output from a pipe, so there would be neither
        colours nor a live tree on a terminal.
        """
        command = [str(self._path), "up", "--stack", stack, "--yes", "--skip-preview", *options]
        env = {**os.environ, **self._variables}
        process = subprocess.Popen(command, cwd=self._directory, env=env)
        status = None
        while status is None:
            # Ctrl-C reaches Pulumi as well, which finishes what it began and releases its lock.
            with suppress(KeyboardInterrupt):
                status = process.wait()
        if status != 0:
            raise UserError(
                f"`pulumi {' '.join(command[1:])}` failed with exit status {status}; its output is "
                "above",
                "fix the cause, then run the command again to resume",
            )

    def _run(self, *arguments: str) -> None:
        self._workspace.pulumi_command.run(
            list(arguments), self._workspace.work_dir, self._workspace.env_vars
        )
