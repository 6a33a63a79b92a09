"""Formatting a node's data directory and starting its broker."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory, write_private
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY
from mirrorstack.sandbox.names import Principal
from mirrorstack.sandbox.nodes import Node
from mirrorstack.sandbox.passwords import Passwords
from mirrorstack.sandbox.processes import FORMATTING, node_mark
from mirrorstack.sandbox.server_properties import MECHANISM

FORMAT_SECONDS = 60
BROKER_MEMORY = ("-Xms128m", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError")
ONLY_OWNER = 0o077


def format_data(
    kafka: KafkaInstallation, node: Node, cluster_id: str, passwords: Passwords
) -> None:
    """Format the data directory with the cluster's id and its principals, once.

    Without the file `formatted` no broker has written to the directory, so the leftovers of an
    interrupted attempt are deleted.
    """
    if node.formatted.exists():
        return
    shutil.rmtree(node.data, ignore_errors=True)
    arguments = node.directory / "format.args"
    write_private(arguments, _format_arguments(node, cluster_id, passwords))
    try:
        error = _run(format_command(kafka, node, arguments))
    finally:
        arguments.unlink(missing_ok=True)
    if error is not None:
        for principal in Principal:
            error = error.replace(passwords.of(node.cluster, principal), "<password>")
        raise UserError(
            f"Kafka's storage tool failed to format {node.data} for {node.name}: {error}",
            f"fix that, or check {kafka.java} and {kafka.jars} with `mirrorstack doctor`",
        )
    node.formatted.touch(mode=0o600)


def _run(command: list[str]) -> str | None:
    """Run the storage tool; its error, or None if it succeeded."""
    try:
        ended = subprocess.run(
            command,
            # On standard output the tool prints the SCRAM keys that it created: secrets.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            umask=ONLY_OWNER,
            timeout=FORMAT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not finished within {FORMAT_SECONDS} s"
    if ended.returncode == 0:
        return None
    return " / ".join(ended.stderr.strip().splitlines()[-3:]) or f"exit {ended.returncode}"


def _format_arguments(node: Node, cluster_id: str, passwords: Passwords) -> str:
    lines = ["format", "--cluster-id", cluster_id, "--config", str(node.properties)]
    for principal in Principal:
        password = passwords.of(node.cluster, principal)
        lines += ["--add-scram", f"{MECHANISM}=[name={principal},password={password}]"]
    return "\n".join(lines) + "\n"


def start_broker(kafka: KafkaInstallation, node: Node, logging: Path) -> subprocess.Popen[bytes]:
    """Start the broker in a new session, so that it outlives this command and its terminal."""
    private_directory(node.log.parent)
    if node.log.exists():
        node.log.replace(node.log.with_name(f"{node.log.name}.before"))
    with open(node.output, "wb", opener=_private_opener) as output:
        return subprocess.Popen(
            broker_command(kafka, node, logging),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=ONLY_OWNER,
            cwd=node.directory,
        )


def broker_command(kafka: KafkaInstallation, node: Node, logging: Path) -> list[str]:
    options = (
        node_mark(node.directory),
        *BROKER_MEMORY,
        f"-D{LOG_PROPERTY}={node.log}",
        f"-Dlog4j2.configurationFile={logging}",
    )
    return kafka.command("kafka.Kafka", node.properties, options=options)


def format_command(kafka: KafkaInstallation, node: Node, arguments: Path) -> list[str]:
    """Kafka's StorageTool, with its arguments in a file: some of them are passwords."""
    options = (node_mark(node.directory), FORMATTING, "-Xmx128m")
    return kafka.command("kafka.tools.StorageTool", f"@{arguments}", options=options)


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def ended_early(node: Node) -> UserError:
    """The error for a broker that ended during its start, with the errors of its log."""
    errors = node.errors() or ("its log has no error: it was stopped from outside",)
    return UserError(
        f"the broker {node.name} ended while it was starting:\n    " + "\n    ".join(errors),
        f"see the full log: {node.log}",
    )
