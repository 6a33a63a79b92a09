"""Connect workers of the stand-in of Strimzi's operator: processes of this machine, not pods."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from mirrorstack.local.files import write_private
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import QUICK_START, KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY, log_config

STOP_SECONDS = 30.0
CALL_SECONDS = 30.0
CONFLICT, NOT_FOUND = 409, 404
RETRIES = 60
PLAIN = build_opener(ProxyHandler({}))


class WorkerNotReadyError(Exception):
    """Connect does not answer yet, or is rebalancing."""


@dataclass
class OperatedWorkers:
    """Those of one resource."""

    kafka: KafkaInstallation
    directory: Path
    """With the Secrets, as `<namespace>/<secret>/<key>`."""
    name: str
    ports: list[int]
    revision: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, properties: list[dict[str, str]], revision: str) -> None:
        """Those that run are replaced."""
        self.stop()
        self.revision = revision
        write_private(self.directory / "logging.xml", log_config())
        for number, config in enumerate(properties):
            own = f"{self.name}-{number}"
            write_private(self.directory / f"{own}.properties", render(config))
            with (self.directory / f"{own}.out").open("ab") as output:
                self.processes.append(
                    subprocess.Popen(
                        [
                            str(self.kafka.java),
                            "-cp",
                            f"{self.kafka.jars}/*",
                            *QUICK_START,
                            "-Xmx512m",
                            f"-D{LOG_PROPERTY}={self.directory / own}.log",
                            f"-Dlog4j2.configurationFile={self.directory / 'logging.xml'}",
                            "org.apache.kafka.connect.cli.ConnectDistributed",
                            str(self.directory / f"{own}.properties"),
                        ],
                        cwd=self.directory,
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                    )
                )

    def stop(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(STOP_SECONDS)
        self.processes = []

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Connect's REST API; None if there is no such connector."""
        data = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.ports[0]}/connectors{path}"
        headers = {"Content-Type": "application/json"}
        request = Request(url, data, headers, method=method)
        try:
            with PLAIN.open(request, timeout=CALL_SECONDS) as answer:
                content = answer.read()
        except HTTPError as error:
            if error.code == NOT_FOUND:
                return None
            message = error.read().decode(errors="replace")
            if error.code == CONFLICT:
                raise WorkerNotReadyError(message) from error
            raise RuntimeError(f"ConnectRestException: {method} {path}: {message}") from error
        except OSError as error:
            raise WorkerNotReadyError(str(error)) from error
        return json.loads(content) if content else {}

    def connectors(self) -> list[str]:
        found: list[str] | None = self.call("GET", "")
        if found is None:
            raise WorkerNotReadyError("Connect's REST API is not complete yet")
        return found

    def apply(self, name: str, config: Mapping[str, str], state: str) -> dict[str, Any]:
        """The status of the connector afterwards."""
        path = f"/{quote(name, safe='')}"
        if self.call("GET", f"{path}/config") != dict(config):
            self.call("PUT", f"{path}/config", config)
        status = self._status(path)
        if status["connector"]["state"] != "RUNNING" and state == "running":
            self.call("PUT", f"{path}/resume")
        if status["connector"]["state"] not in ("PAUSED",) and state == "paused":
            self.call("PUT", f"{path}/pause")
        if status["connector"]["state"] not in ("STOPPED",) and state == "stopped":
            self.call("PUT", f"{path}/stop")
        return self._status(path)

    def delete(self, name: str) -> None:
        self.call("DELETE", f"/{quote(name, safe='')}")

    def _status(self, path: str) -> dict[str, Any]:
        for _ in range(RETRIES):
            if status := self.call("GET", f"{path}/status"):
                found: dict[str, Any] = status
                return found
            time.sleep(0.5)
        raise WorkerNotReadyError(f"{path} has no status")
