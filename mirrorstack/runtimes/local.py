"""A real Connect worker as a process of this machine that outlives the command that started it."""

from __future__ import annotations

import json
import os
import random
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import in_jaas
from mirrorstack.local.files import private_directory, write_private, write_private_once
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY, LOGGING, error_lines
from mirrorstack.local.ports import is_free
from mirrorstack.local.processes import MarkedProcess, marked_processes, stop_processes

FIRST_REST_PORT, LAST_REST_PORT = 18083, 20000
MOST_WORKERS = 16  # of a group, each on a port of its own
MARK = "-Dmirrorstack.worker="
REST_USER = "mirrorstack"
LOGIN_MODULE = "org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule"
GRACE_SECONDS = 30.0
POLL_SECONDS = 0.1


def secrets_file(group: Path) -> Path:
    """Shared by the workers of a group, as a connector's config names one path for all of them."""
    return group / "secrets.properties"


def remembered_port(group: Path, count: int) -> int:
    """The first of `count` ports in a row for a group: chosen free once, and then kept."""
    file = group / "rest-port"
    if file.exists():
        return int(file.read_text())
    # Two groups of a stack choose before either has a worker that holds its port.
    others = [int(other.read_text()) for other in group.parents[1].glob("*/*/rest-port")]
    # At random, because stacks of other clones choose seconds before their workers listen, too.
    candidates = list(range(FIRST_REST_PORT, LAST_REST_PORT, count))
    random.shuffle(candidates)
    port = next(
        candidate
        for candidate in candidates
        if all(abs(candidate - other) >= MOST_WORKERS for other in others)
        and all(is_free(candidate + number) for number in range(count))
    )
    private_directory(group)
    write_private(file, str(port))
    return port


def credentials_file(group: Path) -> Path:
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
    def secrets_file(self) -> Path:
        """What Connect's file config provider reads: the only place that holds passwords."""
        return secrets_file(self.directory.parent)

    @property
    def credentials_file(self) -> Path:
        """Who may use the REST interface, for this stack's connectors and for people."""
        return credentials_file(self.directory.parent)

    @property
    def log(self) -> Path:
        return self.directory / "worker.log"

    def process(self) -> psutil.Process | None:
        """The running worker, by the mark on its command line; a pid could be a stranger's."""
        return next((found.process for found in self._processes()), None)

    def uses(self, directory: Path) -> bool:
        """Whether its config names files below a directory, such as a sandbox's certificates."""
        try:
            return f"{directory}/" in (self.directory / "worker.properties").read_text()
        except FileNotFoundError:
            return False

    def write(self, config: Mapping[str, str], passwords: Mapping[str, str]) -> None:
        """Put its files in place; `passwords` are the secrets that the config refers to."""
        private_directory(self.directory)
        write_private(self.directory / "logging.xml", LOGGING)
        # Connectors refer to them from within the quotes of JAAS entries.
        quotable = {alias: in_jaas(password) for alias, password in passwords.items()}
        write_private(self.secrets_file, render(quotable))
        rest = self._rest_password()
        write_private(self.directory / "rest-users.properties", f"{REST_USER}: {rest}\n")
        users = self.directory / "rest-users.properties"
        write_private(
            self.directory / "rest.jaas",
            f'KafkaConnect {{ {LOGIN_MODULE} required file="{users}"; }};\n',
        )
        write_private(self.directory / "worker.properties", render(config))

    def start(self, runtime: KafkaInstallation, heap_mb: int) -> subprocess.Popen[bytes]:
        """Start it in a session of its own; what ran before under this directory must be gone."""
        if self.log.exists():
            self.log.replace(self.log.with_name(f"{self.log.name}.before"))
        options = [
            f"{MARK}{self.directory}",
            f"-Xmx{heap_mb}m",
            f"-Djava.security.auth.login.config={self.directory / 'rest.jaas'}",
            f"-D{LOG_PROPERTY}={self.log}",
            f"-Dlog4j2.configurationFile={self.directory / 'logging.xml'}",
        ]
        command = runtime.command(
            "org.apache.kafka.connect.cli.ConnectDistributed",
            self.directory / "worker.properties",
            options=options,
        )
        output = os.open(
            self.directory / "worker.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600
        )
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                umask=0o077,
                cwd=self.directory,
            )
        finally:
            os.close(output)

    def wait_until_ready(
        self, started: subprocess.Popen[bytes], answers: Callable[[], bool], seconds: float
    ) -> None:
        """Until its REST interface answers; a Problem with its last words when it does not."""
        deadline = time.monotonic() + seconds
        while not answers():
            # Not by its mark: for a moment after the start it has no command line.
            if started.poll() is not None:
                raise self._problem("ended while it was starting")
            if time.monotonic() > deadline:
                raise self._problem(f"did not answer within {seconds:.0f} s")
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """End it and wait; harmless when it does not run."""
        stop_processes(self._processes(), grace=GRACE_SECONDS)

    def remove(self) -> None:
        """End it, and leave nothing behind: with the last of a group go its secrets, too."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
        group = self.directory.parent
        if not any(group.glob("*/worker.properties")):
            self.secrets_file.unlink(missing_ok=True)
            self.credentials_file.unlink(missing_ok=True)

    def _processes(self) -> list[MarkedProcess]:
        return [found for found in marked_processes(MARK) if found.directory == self.directory]

    def _rest_password(self) -> str:
        """Made once, by the first of a group's workers: the connectors' provider reads it, too."""
        made = json.dumps({"username": REST_USER, "password": secrets.token_urlsafe(24)})
        return str(json.loads(write_private_once(self.credentials_file, made))["password"])

    def _problem(self, what: str) -> UserError:
        lines = error_lines([self.log, self.directory / "worker.out"])
        words = "".join(f"\n    {line}" for line in lines) or " Its log has no error."
        return UserError(
            f"The Connect worker in {self.directory} {what}.{words}",
            f"the whole story is in {self.log}",
        )


def all_below(home: Path) -> list[LocalWorker]:
    """Every worker of a home that has a directory, whether it runs or not."""
    return [
        LocalWorker(file.parent) for file in sorted(home.glob("workers/*/*/*/worker.properties"))
    ]
