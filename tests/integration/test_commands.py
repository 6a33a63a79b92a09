"""Options that lint calls gone, against the classes of the real commands."""

from __future__ import annotations

import zipfile

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.rules.keys.commands import CLASSES, OPTIONS

# Where a command's options are declared, and one that it does have.
DECLARED = {
    "kafka-acls": ("AclCommand", "allow-principal"),
    "kafka-console-consumer": ("consumer/ConsoleConsumerOptions", "include"),
    "kafka-console-producer": ("ConsoleProducer", "sync"),
    "kafka-get-offsets": ("GetOffsetShell", "topic-partitions"),
    "kafka-topics": ("TopicCommand", "if-not-exists"),
    "kafka-configs": ("ConfigCommand", "entity-type"),
    "kafka-consumer-groups": ("consumer/group/ConsumerGroupCommandOptions", "reset-offsets"),
}


@pytest.fixture(scope="module")
def classes(runtime: KafkaInstallation) -> dict[str, bytes]:
    """Of Kafka's tools, by path."""
    found = {}
    for jar in runtime.jars.glob("kafka*.jar"):
        with zipfile.ZipFile(jar) as opened:
            for name in opened.namelist():
                if name.endswith(".class") and ("/tools/" in name or "/admin/" in name):
                    found[name] = opened.read(name)
    return found


def has(classes: dict[str, bytes], command: str, option: str) -> bool:
    """Whether the option is among the texts of the command's classes, as javac writes them."""
    text = b"\x01" + len(option).to_bytes(2, "big") + option.encode()
    simple, _ = DECLARED[command]
    return any(
        text in content
        for name, content in classes.items()
        if name.partition("$")[0].removesuffix(".class").endswith(f"/{simple}")
    )


@pytest.mark.parametrize("command", DECLARED)
def test_removed_options_are_not_in_the_commands(classes: dict[str, bytes], command: str) -> None:
    assert has(classes, command, DECLARED[command][1]), "what is looked at must be the real thing"
    gone = [o for o, one in OPTIONS.items() if not one.commands or command in one.commands]
    assert [o for o in gone if has(classes, command, o.removeprefix("--"))] == []


def test_every_command_with_a_removed_option_is_checked() -> None:
    assert {command for one in OPTIONS.values() for command in one.commands} <= DECLARED.keys()


def test_the_first_mirrormaker_is_removed(classes: dict[str, bytes]) -> None:
    assert not [name for name in CLASSES if f"{name.replace('.', '/')}.class" in classes]
