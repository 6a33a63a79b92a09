"""The running processes of a sandbox's nodes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.local.processes import MarkedProcess, marked_processes, with_mark

MARK = "-Dmirrorstack.node="
FORMATTING = "-Dmirrorstack.task=format"


@dataclass(frozen=True)
class NodeProcess(MarkedProcess):
    """A broker, or the storage tool that formats a broker's data directory.

    `directory` is the node's: <home>/sandbox/<name>/<cluster>/<node>.
    """

    @property
    def sandbox(self) -> str:
        return self.directory.parents[1].name

    @property
    def is_formatting(self) -> bool:
        """True for the short-lived storage tool, False for a broker."""
        return FORMATTING in self.arguments


def node_mark(directory: Path) -> str:
    """The argument by which the process of a node is recognised."""
    return f"{MARK}{directory}"


def as_node_process(process: psutil.Process) -> NodeProcess | None:
    """The process as one of a sandbox, or None."""
    found = with_mark(process, MARK)
    return NodeProcess(found.process, found.directory, found.arguments) if found else None


def node_processes(directory: Path) -> list[NodeProcess]:
    """Every process of the nodes below a directory, brokers and storage tools."""
    return [
        NodeProcess(found.process, found.directory, found.arguments)
        for found in marked_processes(MARK)
        if directory in found.directory.parents
    ]


def broker_processes(directory: Path) -> dict[Path, NodeProcess]:
    """The running brokers below a directory, by the directory of their node."""
    return {node.directory: node for node in node_processes(directory) if not node.is_formatting}
