"""A real Connect worker for tests: writes to `west` as admin, with basic auth on its REST API."""

from __future__ import annotations

import base64
import json
import secrets
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.kafka.connection import Connection
from mirrorstack.local.files import private_directory, write_private
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import QUICK_START, KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY, log_config
from mirrorstack.local.ports import is_free

START_SECONDS = 180.0
STOP_SECONDS = 30.0
FIRST_PORT, LAST_PORT = 31000, 32000
BASIC_AUTH = "org.apache.kafka.connect.rest.basic.auth.extension"


@dataclass
class ConnectWorker:
    """One worker in its own directory; it can be stopped and restarted."""

    runtime: KafkaInstallation
    directory: Path
    west: Connection
    port: int = field(default_factory=lambda: _free_port())
    password: str = field(default_factory=lambda: secrets.token_urlsafe(18), repr=False)
    username: str = "operator"
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def credentials_file(self) -> Path:
        return self.directory / "rest-credentials.json"

    @property
    def log(self) -> Path:
        return self.directory / "worker.log"

    @property
    def config_topic(self) -> str:
        return "connect-tests-configs"

    def start(self) -> None:
        self._write_files()
        with (self.directory / "worker.out").open("wb") as output:
            self._process = subprocess.Popen(
                [
                    str(self.runtime.java),
                    "-cp",
                    f"{self.runtime.jars}/*",
                    *QUICK_START,
                    "-Xmx384m",
                    f"-Djava.security.auth.login.config={self.directory / 'rest.jaas'}",
                    f"-D{LOG_PROPERTY}={self.log}",
                    f"-Dlog4j2.configurationFile={self.directory / 'logging.xml'}",
                    "org.apache.kafka.connect.cli.ConnectDistributed",
                    str(self.directory / "worker.properties"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, f"the worker ended: {self.log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"no answer: {self.log.read_text()[-3000:]}"
            time.sleep(0.1)

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_SECONDS)
        self._process = None

    def secret(self, name: str, **values: str) -> dict[str, str]:
        """Write values to a file of the worker; returns references to them for a config."""
        file = self.directory / f"{name}.properties"
        write_private(file, render(values))
        return {key: f"${{file:{file}:{key}}}" for key in values}

    def _write_files(self) -> None:
        private_directory(self.directory)
        write_private(self.directory / "logging.xml", log_config())
        write_private(self.directory / "users.properties", f"{self.username}: {self.password}\n")
        write_private(
            self.credentials_file,
            json.dumps({"username": self.username, "password": self.password}),
        )
        write_private(
            self.directory / "rest.jaas",
            f"KafkaConnect {{ {BASIC_AUTH}.PropertyFileLoginModule required "
            f'file="{self.directory / "users.properties"}"; }};\n',
        )
        write_private(self.directory / "worker.properties", render(self._properties()))

    def _properties(self) -> dict[str, str]:
        client = self.west.java_properties()
        internal = {
            f"{kind}.storage.{key}": value
            for kind in ("config", "offset", "status")
            for key, value in (
                ("topic", f"connect-tests-{kind}s"),
                ("replication.factor", "1"),
                *((("partitions", "1"),) if kind != "config" else ()),
            )
        }
        return {
            **client,
            **{f"producer.{key}": value for key, value in client.items()},
            **{f"consumer.{key}": value for key, value in client.items()},
            **{f"admin.{key}": value for key, value in client.items()},
            **internal,
            "group.id": "connect-tests",
            "listeners": self.url,
            "rest.extension.classes": f"{BASIC_AUTH}.BasicAuthSecurityRestExtension",
            "plugin.discovery": "service_load",
            "key.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
            "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
            "config.providers": "file",
            "config.providers.file.class": (
                "org.apache.kafka.common.config.provider.FileConfigProvider"
            ),
            # Tests wait for committed offsets; the default is a minute.
            "offset.flush.interval.ms": "1000",
            # A restarted worker must not wait for its previous membership to expire.
            "session.timeout.ms": "6000",
            "heartbeat.interval.ms": "2000",
            "scheduled.rebalance.max.delay.ms": "0",
        }

    def _answers(self) -> bool:
        token = base64.b64encode(f"{self.username}:{self.password}".encode()).decode()
        request = urllib.request.Request(  # noqa: S310 - loopback
            f"{self.url}/connectors", headers={"Authorization": f"Basic {token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _free_port() -> int:
    offset = secrets.randbelow(LAST_PORT - FIRST_PORT)
    ports = (FIRST_PORT + (offset + step) % 1000 for step in range(1000))
    return next(port for port in ports if is_free(port))
