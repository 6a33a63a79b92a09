"""Preparing a node's data directory and starting its process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory, write_private
from mirrorstack.sandbox.logs import last_errors
from mirrorstack.sandbox.names import Principal
from mirrorstack.sandbox.nodes import Node
from mirrorstack.sandbox.passwords import Passwords
from mirrorstack.sandbox.runtime import KafkaRuntime
from mirrorstack.sandbox.server_properties import MECHANISM

FORMAT_SECONDS = 60
ONLY_OWNER = 0o077


def prepare(runtime: KafkaRuntime, node: Node, cluster_id: str, passwords: Passwords) -> None:
    """Format the data directory with the cluster's id and its first principals, once.

    Nothing has been written into a directory without the `formatted` mark, so what an
    interrupted attempt left is thrown away.
    """
    if node.formatted.exists():
        return
    shutil.rmtree(node.data, ignore_errors=True)
    arguments = node.directory / "format.args"
    write_private(arguments, _format_arguments(node, cluster_id, passwords))
    try:
        error = _run(runtime.format(node, arguments))
    finally:
        arguments.unlink(missing_ok=True)
    if error is not None:
        for principal in Principal:
            error = error.replace(passwords.of(node.cluster, principal), "<password>")
        raise UserError(
            f"Kafka could not prepare {node.data} for {node.name}: {error}",
            f"mend that, or see whether {runtime.java} and {runtime.jars} are what they should be",
        )
    node.formatted.touch(mode=0o600)


def _run(command: list[str]) -> str | None:
    """Run the tool to its end; what it complained about, or None when all went well."""
    try:
        ended = subprocess.run(
            command,
            # On standard output the tool prints the SCRAM keys that it made: nobody's to keep.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            umask=ONLY_OWNER,
            timeout=FORMAT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done within {FORMAT_SECONDS} s"
    if ended.returncode == 0:
        return None
    return " / ".join(ended.stderr.strip().splitlines()[-3:]) or f"exit {ended.returncode}"


def _format_arguments(node: Node, cluster_id: str, passwords: Passwords) -> str:
    lines = ["format", "--cluster-id", cluster_id, "--config", str(node.properties)]
    for principal in Principal:
        password = passwords.of(node.cluster, principal)
        lines += ["--add-scram", f"{MECHANISM}=[name={principal},password={password}]"]
    return "\n".join(lines) + "\n"


def start(runtime: KafkaRuntime, node: Node, logging: Path) -> subprocess.Popen[bytes]:
    """Start the broker in a session of its own: it outlives this command and its terminal."""
    private_directory(node.log.parent)
    if node.log.exists():
        node.log.replace(node.log.with_name(f"{node.log.name}.before"))
    with open(node.output, "wb", opener=_private_opener) as output:
        return subprocess.Popen(
            runtime.broker(node, logging),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=ONLY_OWNER,
            cwd=node.directory,
        )


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def ended_early(node: Node) -> UserError:
    """Why a broker that was just started is gone, as its log tells it."""
    errors = last_errors(node) or ("its log has no error: it was ended from outside",)
    return UserError(
        f"the broker {node.name} ended while it was starting:\n    " + "\n    ".join(errors),
        f"the whole story is in {node.log}",
    )
