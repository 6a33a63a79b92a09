"""The Java and the Kafka that the sandbox runs on, and the command lines made of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from mirrorstack.sandbox.layout import REPOSITORY
from mirrorstack.sandbox.logs import LOG_PROPERTY
from mirrorstack.sandbox.nodes import Node
from mirrorstack.sandbox.processes import FORMATTING, mark
from toolchain import receipt

# Start-up dominates a sandbox's life: the quick compiler alone and the simplest collector halve
# the CPU time until a broker is ready.
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
BROKER_MEMORY = ("-Xms128m", "-Xmx512m", "-XX:+ExitOnOutOfMemoryError")


@dataclass(frozen=True)
class KafkaRuntime:
    """Which java, and the directory with Kafka's jars."""

    java: Path
    jars: Path
    tuning: tuple[str, ...] = QUICK_START
    """Up soon, for people and tests that wait."""

    def for_long(self) -> KafkaRuntime:
        """With Java's whole compiler: without it, TLS takes many times as long."""
        return replace(self, tuning=())

    def broker(self, node: Node, logging: Path) -> list[str]:
        return [
            *self._java(node),
            *BROKER_MEMORY,
            f"-D{LOG_PROPERTY}={node.log}",
            f"-Dlog4j2.configurationFile={logging}",
            "kafka.Kafka",
            str(node.properties),
        ]

    def format(self, node: Node, arguments: Path) -> list[str]:
        """Kafka's StorageTool, with its arguments in a file: some of them are passwords."""
        return [
            *self._java(node),
            "-Xmx128m",
            FORMATTING,
            "kafka.tools.StorageTool",
            f"@{arguments}",
        ]

    def _java(self, node: Node) -> list[str]:
        return [str(self.java), mark(node.directory), "-cp", f"{self.jars}/*", *self.tuning]


def kafka_runtime() -> KafkaRuntime:
    """The Java and the jars that the set-up found or made for this clone."""
    parts = receipt.read(REPOSITORY / ".mirrorstack")
    return KafkaRuntime(java=parts["java"].path, jars=parts["kafka-jars"].path)
