"""The Java and the Kafka jars of this machine, and command lines that use them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

# Start-up dominates the life of a sandbox: the C1 compiler alone and the serial collector halve
# the CPU time until a broker is ready.
QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")


@dataclass(frozen=True)
class KafkaInstallation:
    """A java, and the directory with Kafka's jars."""

    java: Path
    jars: Path
    tuning: tuple[str, ...] = QUICK_START
    """JVM options; the default is optimized for a fast start."""

    def for_throughput(self) -> KafkaInstallation:
        """With all of Java's compilers: without them, TLS takes many times as long."""
        return replace(self, tuning=())

    def command(
        self,
        program: str | Path,
        *arguments: str | Path,
        options: Sequence[str] = (),
        class_path: Sequence[Path] = (),
    ) -> list[str]:
        """The command line of a main class, or of a Java source file, with Kafka's classes, and
        the jars of `class_path` after them."""
        classes = os.pathsep.join(map(str, (self.jars / "*", *class_path)))
        words = (self.java, "-cp", classes, *self.tuning, *options, program, *arguments)
        return [str(word) for word in words]
