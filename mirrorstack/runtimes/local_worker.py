"""A Connect worker as a process of this machine, with a supervisor that restarts it.

Both outlive the command that started them.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.findings import UserError
from mirrorstack.local.files import (
    PRIVATE,
    atomic_write,
    private_directory,
    write_private,
    write_private_once,
)
from mirrorstack.local.home import ROOT
from mirrorstack.local.java_properties import render
from mirrorstack.local.logs import error_lines, log_config
from mirrorstack.local.processes import (
    KILL_SECONDS,
    PYTHON,
    MarkedProcess,
    marked_processes,
    stop_processes,
)
from mirrorstack.mm2.dedicated.config import is_dedicated
from mirrorstack.runtimes.dedicated_process import FAILURES
from mirrorstack.runtimes.worker_files import REST_USER, jaas_text, secrets_text, users_text
from mirrorstack.runtimes.worker_java import (
    COMMAND,
    GRACE_SECONDS,
    JARS,
    LOG,
    OUTPUT,
    jar_copies,
    worker_processes,
    write_command,
)

SUPERVISOR = "mirrorstack.runtimes.supervisor"
SUPERVISOR_MARK = "--mirrorstack-worker="
READY = b"ready\n"
"""What a supervisor writes to standard output when its worker answers for the first time."""
READY_SECONDS = 90.0
"""For a worker to answer after its start."""
# It stops its worker first.
SUPERVISOR_GRACE_SECONDS = GRACE_SECONDS + KILL_SECONDS + 5.0
# What Python and Java need of the environment; nothing that holds a secret.
ENVIRONMENT = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE"),
        *("LD_LIBRARY_PATH", "PYTHONPATH", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"),
    }
)


def secrets_file(group: Path) -> Path:
    """Shared by the workers of a group, because a connector's config names one path for all."""
    return group / "secrets.properties"


def credentials_file(group: Path) -> Path:
    """Shared by the workers of a group: user name and password of the REST API."""
    return group / "rest-credentials.json"


@dataclass(frozen=True)
class LocalWorker:
    """A worker in a directory of its own, below that of its group."""

    directory: Path

    @property
    def name(self) -> str:
        """`local/west/1`: stack, target and number."""
        return "/".join(self.directory.parts[-3:])

    @property
    def stack(self) -> str:
        return self.directory.parts[-3]

    @property
    def secrets_file(self) -> Path:
        """Read by Connect's file config provider: the only file with passwords of clusters."""
        return secrets_file(self.directory.parent)

    @property
    def credentials_file(self) -> Path:
        """The login of the REST API, for this stack's connectors and for people."""
        return credentials_file(self.directory.parent)

    @property
    def log(self) -> Path:
        return self.directory / LOG

    @property
    def has_command(self) -> bool:
        """Whether a supervisor could start it."""
        return (self.directory / COMMAND).exists()

    def process(self) -> psutil.Process | None:
        """The running worker."""
        return next((found.process for found in worker_processes(self.directory)), None)

    def supervisor(self) -> psutil.Process | None:
        """The running supervisor of the worker."""
        return next((found.process for found in self._supervisors()), None)

    def uses(self, directory: Path) -> bool:
        """Whether its config names files below a directory, such as a sandbox's certificates."""
        try:
            return f"{directory}/" in (self.directory / "worker.properties").read_text()
        except FileNotFoundError:
            return False

    def write(
        self,
        config: Mapping[str, str],
        passwords: Mapping[str, str],
        command: Sequence[str],
        jars: Sequence[Path] = (),
    ) -> None:
        """Write its files; `passwords` by the alias that the configs refer to, `command` as
        `worker_command` returns it. `jars` are copied: a build that replaces one must not change a
        worker that runs."""
        private_directory(self.directory)
        shutil.rmtree(self.directory / JARS, ignore_errors=True)
        for jar, target in zip(jars, jar_copies(self.directory, jars), strict=True):
            private_directory(target.parent)
            with atomic_write(target, mode=PRIVATE) as copy:
                shutil.copyfile(jar, copy)
        failures = str(self.directory / FAILURES) if is_dedicated(config) else ""
        write_private(self.directory / "logging.xml", log_config(failures))
        write_private(self.secrets_file, secrets_text(passwords))
        if not is_dedicated(config):
            users = self.directory / "rest-users.properties"
            write_private(users, users_text(self._rest_password()))
            write_private(self.directory / "rest.jaas", jaas_text(users))
        write_command(self.directory, command)
        write_private(self.directory / "worker.properties", render(config))

    def start(self) -> subprocess.Popen[bytes]:
        """Start its supervisor, which starts the worker, or adopts it if it runs already. A
        supervisor of this directory must not run already."""
        output = os.open(
            self.directory / "supervisor.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600
        )
        try:
            return subprocess.Popen(
                [sys.executable, "-m", SUPERVISOR, f"{SUPERVISOR_MARK}{self.directory}"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=output,
                start_new_session=True,
                umask=0o077,
                cwd=ROOT,
                # Pulumi's environment has the passphrase of the stack.
                env={key: value for key, value in os.environ.items() if key in ENVIRONMENT},
            )
        finally:
            os.close(output)

    def wait_until_ready(self, started: subprocess.Popen[bytes], seconds: float) -> None:
        """Until its REST API answers; a UserError with the errors of its log if it does not.
        `started` is its supervisor."""
        assert started.stdout  # noqa: S101 - `start` opens it
        with started.stdout as said:
            if not select.select([said], [], [], seconds)[0]:
                raise self._problem(f"did not answer within {seconds:.0f} s")
            if said.readline() != READY:
                raise self._problem("ended while it was starting")

    def stop(self) -> None:
        """Stop it and its supervisor, and wait; does nothing if neither runs."""
        stop_processes(self._supervisors(), grace=SUPERVISOR_GRACE_SECONDS)
        # Without a supervisor that stops it.
        stop_processes(worker_processes(self.directory), grace=GRACE_SECONDS)

    def remove(self) -> None:
        """Stop it and delete its files; the last one of a group deletes the shared secrets too."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
        group = self.directory.parent
        if not any(group.glob("*/worker.properties")):
            self.secrets_file.unlink(missing_ok=True)
            self.credentials_file.unlink(missing_ok=True)

    def _supervisors(self) -> list[MarkedProcess]:
        every = marked_processes(SUPERVISOR_MARK, PYTHON)
        return [found for found in every if found.directory == self.directory]

    def _rest_password(self) -> str:
        """Created by the first worker of a group; the connectors' provider reads it too."""
        made = json.dumps({"username": REST_USER, "password": secrets.token_urlsafe(24)})
        return str(json.loads(write_private_once(self.credentials_file, made))["password"])

    def _problem(self, what: str) -> UserError:
        lines = error_lines(self.directory / file for file in ("supervisor.out", LOG, OUTPUT))
        words = "".join(f"\n    {line}" for line in lines) or " Its log has no error."
        return UserError(
            f"The Connect worker in {self.directory} {what}.{words}",
            f"read {self.log}",
        )


def all_below(home: Path) -> list[LocalWorker]:
    """Every worker that has a directory in `home`, whether it runs or not."""
    return [
        LocalWorker(file.parent) for file in sorted(home.glob("workers/*/*/*/worker.properties"))
    ]
