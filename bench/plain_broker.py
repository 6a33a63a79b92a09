"""A Kafka broker without TLS, authentication and ACLs, for measurements of throughput.

TLS costs so much CPU on one machine that it hides the differences between two ways to replicate.
"""

from __future__ import annotations

import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory, write_private
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import LOG_PROPERTY, error_lines, log_config
from mirrorstack.local.polling import poll_until
from mirrorstack.local.ports import ADDRESS
from mirrorstack.sandbox.settings import new_cluster_id

HEAP = ("-Xms1g", "-Xmx1g")
START_SECONDS, DELETE_SECONDS = 60.0, 90.0
QUIET = {"log_level": 0}


@dataclass(frozen=True)
class PlainBroker:
    """A cluster of one node, in a directory of its own."""

    directory: Path
    port: int
    controller_port: int

    @property
    def address(self) -> str:
        return f"{ADDRESS}:{self.port}"

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def start(self, kafka: KafkaInstallation) -> subprocess.Popen[bytes]:
        """Until it answers; the caller ends the process."""
        private_directory(self.directory)
        properties, log = self.directory / "server.properties", self.directory / "server.log"
        write_private(properties, render(self._properties()))
        write_private(self.directory / "logging.xml", log_config())
        options = (
            f"-D{LOG_PROPERTY}={log}",
            f"-Dlog4j2.configurationFile={self.directory / 'logging.xml'}",
        )
        tool = ("format", "--cluster-id", new_cluster_id(), "--config", properties)
        subprocess.run(
            kafka.command("kafka.tools.StorageTool", *tool, options=options),
            check=True,
            stdout=subprocess.DEVNULL,
        )
        process = subprocess.Popen(
            kafka.command("kafka.Kafka", properties, options=(*HEAP, *options)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            poll_until(
                lambda: self._answers(process),
                deadline=time.monotonic() + START_SECONDS,
                on_timeout=lambda: self._failure(f"did not answer within {START_SECONDS:.0f} s"),
            )
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    def create_topic(self, topic: str, partitions: int) -> None:
        new = NewTopic(topic, partitions, 1, config={"segment.bytes": str(1 << 28)})
        admin = self._admin()  # a client that nobody holds ends its requests
        admin.create_topics([new])[topic].result(30)

    def delete_topic(self, topic: str) -> None:
        """Until its files are gone, so that writing them to the disk disturbs no measurement."""
        admin = self._admin()
        admin.delete_topics([topic])[topic].result(30)
        poll_until(
            lambda: not list(self.data.glob(f"{topic}-*")),
            deadline=time.monotonic() + DELETE_SECONDS,
            on_timeout=lambda: self._failure(f"did not delete the files of {topic}"),
        )

    def topic_bytes(self, topic: str) -> int:
        """The size of its log, without asking the broker."""
        size = 0
        for file in self.data.glob(f"{topic}-*/*.log"):
            with suppress(FileNotFoundError):
                size += file.stat().st_size
        return size

    def fill(self, topic: str, records: int, values: list[bytes], partitions: int) -> None:
        producer = Producer(
            {
                "bootstrap.servers": self.address,
                "linger.ms": 20,
                "batch.size": 64 * 1024,
                "queue.buffering.max.messages": 100_000,
                **QUIET,
            }
        )
        for number in range(records):
            value = values[number % len(values)]
            while True:
                try:
                    producer.produce(topic, value, partition=number % partitions)
                    break
                except BufferError:
                    producer.poll(0.05)
            if number % 1_000 == 0:
                producer.poll(0)
        if producer.flush(300):
            raise self._failure(f"did not accept all records of {topic}")

    def _admin(self) -> AdminClient:
        return AdminClient({"bootstrap.servers": self.address, **QUIET})

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        if process.poll() is not None:
            raise self._failure("ended while it was starting")
        try:
            return bool(self._admin().list_topics(timeout=2).brokers)
        except KafkaException:
            return False

    def _failure(self, what: str) -> UserError:
        errors = "".join(f"\n    {line}" for line in error_lines([self.directory / "server.log"]))
        return UserError(f"The broker in {self.directory} {what}.{errors}", "read its server.log")

    def _properties(self) -> dict[str, str]:
        controller = f"{ADDRESS}:{self.controller_port}"
        single = (
            "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor",
            "transaction.state.log.min.isr",
            "share.coordinator.state.topic.replication.factor",
            "share.coordinator.state.topic.min.isr",
        )
        return {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@{controller}",
            "listeners": f"PLAINTEXT://{self.address},CONTROLLER://{controller}",
            "advertised.listeners": f"PLAINTEXT://{self.address}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAINTEXT",
            "log.dirs": str(self.data),
            "auto.create.topics.enable": "false",
            "group.initial.rebalance.delay.ms": "0",
            "offsets.topic.num.partitions": "4",
            "transaction.state.log.num.partitions": "4",
            # The files of a deleted topic: Kafka's default is a minute.
            "log.segment.delete.delay.ms": "500",
            **dict.fromkeys(single, "1"),
        }
