"""Command lines with Kafka's jars."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.local.kafka_installation import QUICK_START, KafkaInstallation

KAFKA = KafkaInstallation(java=Path("/jdk/bin/java"), jars=Path("/jars"))


def test_options_precede_the_main_class_and_arguments_follow_it() -> None:
    command = KAFKA.command("kafka.Kafka", Path("server.properties"), options=["-Xmx1g"])
    assert command[:3] == ["/jdk/bin/java", "-cp", "/jars/*"]
    assert command[-3:] == ["-Xmx1g", "kafka.Kafka", "server.properties"]


def test_a_quick_start_is_the_default_and_not_for_throughput() -> None:
    assert set(QUICK_START) < set(KAFKA.command("kafka.Kafka"))
    assert not set(QUICK_START) & set(KAFKA.for_throughput().command("kafka.Kafka"))


def test_jars_of_others_follow_kafka_s_own() -> None:
    command = KAFKA.command("kafka.Kafka", class_path=[Path("/own.jar")])

    assert command[2] == "/jars/*:/own.jar"
