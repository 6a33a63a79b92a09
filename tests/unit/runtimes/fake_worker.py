"""A worker that is no Connect: a Python program under the name of java, with a worker's files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from mirrorstack.local.files import private_directory, write_private
from mirrorstack.local.java_properties import render
from mirrorstack.local.polling import poll_until
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.runtimes.worker_java import MARK, launch, worker_processes, write_command

RUNS = "import time; time.sleep(600)"
ENDS = "print('ERROR no such class'); raise SystemExit(3)"


def fake_worker(
    home: Path, rest_url: str, program: str = RUNS, bootstrap_servers: str = "127.0.0.1:1"
) -> LocalWorker:
    """`rest_url` is what answers in place of Connect."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True, exist_ok=True)
    if not java.is_symlink():
        java.symlink_to(sys.executable)
    worker = LocalWorker(home / "workers" / "dev" / "west" / "1")
    private_directory(worker.directory)
    command = [str(java), "-c", program, f"{MARK}{worker.directory}"]
    write_command(worker.directory, command)
    login = json.dumps({"username": "mirrorstack", "password": "hunter2"})
    write_private(credentials_file(worker.directory.parent), login)
    properties = {"listeners": rest_url, "bootstrap.servers": bootstrap_servers}
    write_private(worker.directory / "worker.properties", render(properties))
    return worker


def visible(worker: LocalWorker) -> subprocess.Popen[bytes]:
    """The launched worker. A process that was just started has no command line for a moment."""
    child = launch(worker.directory)
    poll_until(
        lambda: worker_processes(worker.directory),
        deadline=time.monotonic() + 15,
        on_timeout=lambda: AssertionError("the worker has no command line"),
        interval=0.01,
    )
    return child
