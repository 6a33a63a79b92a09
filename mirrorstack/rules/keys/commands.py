"""Kafka's commands that went, or never were, and options that they no longer take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.catalogue import kafka_version
from mirrorstack.rules.keys.rules import KeyRule

NO_ZOOKEEPER = "Kafka has no ZooKeeper any more: its brokers keep the metadata themselves"


@dataclass(frozen=True)
class GoneCommand:
    why: str
    instead: str


@dataclass(frozen=True)
class GoneOption:
    commands: tuple[str, ...]
    """Those that had it; none named: all of them."""
    instead: str


COMMANDS: Mapping[str, GoneCommand] = {
    "kafka-mirror-maker": GoneCommand(
        "it was the first MirrorMaker, which ended with Kafka 4.0; it never read mm2.properties",
        "write `connect-mirror-maker.sh mm2.properties`",
    ),
    "kafka-preferred-replica-election": GoneCommand(
        "it ended with Kafka 3.0",
        "write `kafka-leader-election.sh --election-type preferred --all-topic-partitions`",
    ),
    **{
        f"zookeeper-{name}": GoneCommand(
            NO_ZOOKEEPER,
            "remove it; `kafka-metadata-quorum.sh` and its like tell about the brokers",
        )
        for name in ("server-start", "server-stop", "shell", "security-migration")
    },
}
# What `kafka-run-class.sh` is given, by the command that it is.
RUN_CLASS = "kafka-run-class"
CLASSES = {"kafka.tools.MirrorMaker": "kafka-mirror-maker"}
OPTIONS: Mapping[str, GoneOption] = {
    "--zookeeper": GoneOption((), "write `--bootstrap-server HOST:PORT`, with a broker's address"),
    "--authorizer": GoneOption(("kafka-acls",), "write `--bootstrap-server HOST:PORT`"),
    "--authorizer-properties": GoneOption(("kafka-acls",), "write `--bootstrap-server HOST:PORT`"),
    "--whitelist": GoneOption(("kafka-console-consumer",), "write `--include`"),
    "--broker-list": GoneOption(
        ("kafka-console-producer", "kafka-get-offsets"), "write `--bootstrap-server HOST:PORT`"
    ),
}
# Those that scripts about mirroring use, and that are easily mistyped.
PRESENT = (
    *("connect-distributed", "connect-mirror-maker", "connect-plugin-path", "connect-standalone"),
    *(
        "kafka-acls",
        "kafka-broker-api-versions",
        "kafka-cluster",
        "kafka-configs",
        "kafka-features",
    ),
    *("kafka-console-consumer", "kafka-console-producer", "kafka-consumer-groups"),
    *("kafka-consumer-perf-test", "kafka-delete-records", "kafka-dump-log", "kafka-get-offsets"),
    *(
        "kafka-features",
        "kafka-groups",
        "kafka-leader-election",
        "kafka-log-dirs",
        "kafka-metadata-quorum",
    ),
    *("kafka-producer-perf-test", "kafka-reassign-partitions", RUN_CLASS),
    *("kafka-server-start", "kafka-server-stop", "kafka-storage", "kafka-topics"),
    *("kafka-transactions", "kafka-verifiable-consumer", "kafka-verifiable-producer"),
    *("kafka-share-groups", "kafka-streams-groups", "kafka-streams-application-reset"),
)
ENDING = ".sh"


def command_findings(words: Sequence[str]) -> Iterator[Finding]:
    """Of one command line, wherever Kafka's command stands in it, as after `docker exec`."""
    for position, word in enumerate(words):
        base = word.rpartition("/")[2]
        name = CLASSES.get(word, base.removesuffix(ENDING))
        if gone := COMMANDS.get(name):
            what = f"{base} is no command of Kafka: {gone.why}"
            yield Finding(what, gone.instead, rule=KeyRule.REMOVED_COMMAND, path=(base,))
            return
        if name == RUN_CLASS:
            continue  # which one, a later word says
        if name in PRESENT and (position == 0 or base != word or base.endswith(ENDING)):
            yield from _options(name, words[position + 1 :])
            return
        if base.startswith(("kafka-", "connect-")) and base.endswith(ENDING):
            near = difflib.get_close_matches(name, PRESENT, n=1, cutoff=0.9)
            if near:
                what = f"{base} is no command of Kafka, unless it is a script of your own"
                fix = f"did you mean `{near[0]}{ENDING}`?"
                yield Finding(
                    what, fix, rule=KeyRule.REMOVED_COMMAND, path=(base,), severity=Severity.WARNING
                )


def _options(command: str, words: Sequence[str]) -> Iterator[Finding]:
    for word in words:
        option = word.partition("=")[0]
        gone = OPTIONS.get(option)
        if gone and (not gone.commands or command in gone.commands):
            what = f"{command} of Kafka {kafka_version()} does not know {option}, and does nothing"
            yield Finding(what, gone.instead, rule=KeyRule.REMOVED_OPTION, path=(option,))
