"""A Connect worker as a process of this machine. It outlives the command that started it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import in_jaas
from mirrorstack.local.files import (
    PRIVATE,
    atomic_write,
    private_directory,
    write_private,
    write_private_once,
)
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY, LOGGING, error_lines
from mirrorstack.local.polling import poll_until
from mirrorstack.local.processes import MarkedProcess, marked_processes, stop_processes

MARK = "-Dmirrorstack.worker="
REST_USER = "mirrorstack"
LOGIN_MODULE = "org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule"
GRACE_SECONDS = 30.0
POLL_SECONDS = 0.1
JARS = "jars"


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
    def secrets_file(self) -> Path:
        """Read by Connect's file config provider: the only file with passwords of clusters."""
        return secrets_file(self.directory.parent)

    @property
    def credentials_file(self) -> Path:
        """The login of the REST API, for this stack's connectors and for people."""
        return credentials_file(self.directory.parent)

    @property
    def log(self) -> Path:
        return self.directory / "worker.log"

    def process(self) -> psutil.Process | None:
        """The running worker, by the mark on its command line; a pid could be reused."""
        return next((found.process for found in self._processes()), None)

    def uses(self, directory: Path) -> bool:
        """Whether its config names files below a directory, such as a sandbox's certificates."""
        try:
            return f"{directory}/" in (self.directory / "worker.properties").read_text()
        except FileNotFoundError:
            return False

    @property
    def jars(self) -> list[Path]:
        """Its copies of the jars with the replication policies of its flows."""
        return sorted((self.directory / JARS).glob("*.jar"))

    def write(
        self,
        config: Mapping[str, str],
        passwords: Mapping[str, str],
        jars: Sequence[Path] = (),
    ) -> None:
        """Write its files; `passwords` by the alias that the configs refer to. `jars` are copied:
        a build that replaces one must not change a worker that runs."""
        private_directory(self.directory)
        shutil.rmtree(self.directory / JARS, ignore_errors=True)
        for number, jar in enumerate(jars, start=1):
            private_directory(self.directory / JARS)
            with atomic_write(self.directory / JARS / f"{number}.jar", mode=PRIVATE) as copy:
                shutil.copyfile(jar, copy)
        write_private(self.directory / "logging.xml", LOGGING)
        # Connectors refer to them inside the quotes of JAAS entries.
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
        """Start it in a session of its own. A worker of this directory must not run already."""
        if self.log.exists():
            self.log.replace(self.log.with_name(f"{self.log.name}.before"))
        options = [
            f"{MARK}{self.directory}",
            f"-Xmx{heap_mb}m",
            # A task without memory would stay FAILED in a worker that looks alive.
            "-XX:+ExitOnOutOfMemoryError",
            f"-Djava.security.auth.login.config={self.directory / 'rest.jaas'}",
            f"-D{LOG_PROPERTY}={self.log}",
            f"-Dlog4j2.configurationFile={self.directory / 'logging.xml'}",
        ]
        command = runtime.command(
            "org.apache.kafka.connect.cli.ConnectDistributed",
            self.directory / "worker.properties",
            options=options,
            class_path=self.jars,
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
        """Until its REST API answers; a UserError with the errors of its log if it does not."""

        def is_ready() -> bool:
            # Not by its mark: right after the start the process has no command line yet.
            if started.poll() is not None:
                raise self._problem("ended while it was starting")
            return answers()

        poll_until(
            is_ready,
            deadline=time.monotonic() + seconds,
            on_timeout=lambda: self._problem(f"did not answer within {seconds:.0f} s"),
            interval=POLL_SECONDS,
        )

    def stop(self) -> None:
        """Stop it and wait; does nothing if it does not run."""
        stop_processes(self._processes(), grace=GRACE_SECONDS)

    def remove(self) -> None:
        """Stop it and delete its files; the last one of a group deletes the shared secrets too."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
        group = self.directory.parent
        if not any(group.glob("*/worker.properties")):
            self.secrets_file.unlink(missing_ok=True)
            self.credentials_file.unlink(missing_ok=True)

    def _processes(self) -> list[MarkedProcess]:
        return [found for found in marked_processes(MARK) if found.directory == self.directory]

    def _rest_password(self) -> str:
        """Created by the first worker of a group; the connectors' provider reads it too."""
        made = json.dumps({"username": REST_USER, "password": secrets.token_urlsafe(24)})
        return str(json.loads(write_private_once(self.credentials_file, made))["password"])

    def _problem(self, what: str) -> UserError:
        lines = error_lines([self.log, self.directory / "worker.out"])
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
