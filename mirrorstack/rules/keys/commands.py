"""Kafka's commands that were removed or never existed, and removed options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.catalogue import kafka_version
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.text import closest, suggestion

NO_ZOOKEEPER = "Kafka no longer uses ZooKeeper: its brokers hold the metadata"


@dataclass(frozen=True)
class RemovedCommand:
    why: str
    instead: str


@dataclass(frozen=True)
class RemovedOption:
    commands: tuple[str, ...]
    """Those that had it; empty: all of them."""
    instead: str


COMMANDS: Mapping[str, RemovedCommand] = {
    "kafka-mirror-maker": RemovedCommand(
        "it was the first MirrorMaker, removed in Kafka 4.0; it never read mm2.properties",
        "write `connect-mirror-maker.sh mm2.properties`",
    ),
    "kafka-preferred-replica-election": RemovedCommand(
        "it was removed in Kafka 3.0",
        "write `kafka-leader-election.sh --election-type preferred --all-topic-partitions`",
    ),
    **{
        f"zookeeper-{name}": RemovedCommand(
            NO_ZOOKEEPER,
            "remove it; `kafka-metadata-quorum.sh` shows the state of the brokers",
        )
        for name in ("server-start", "server-stop", "shell", "security-migration")
    },
}
# Class that `kafka-run-class.sh` runs -> the command that runs the same class.
RUN_CLASS = "kafka-run-class"
CLASSES = {"kafka.tools.MirrorMaker": "kafka-mirror-maker"}
OPTIONS: Mapping[str, RemovedOption] = {
    "--zookeeper": RemovedOption(
        (), "write `--bootstrap-server HOST:PORT`, with a broker's address"
    ),
    "--authorizer": RemovedOption(("kafka-acls",), "write `--bootstrap-server HOST:PORT`"),
    "--authorizer-properties": RemovedOption(
        ("kafka-acls",), "write `--bootstrap-server HOST:PORT`"
    ),
    "--whitelist": RemovedOption(("kafka-console-consumer",), "write `--include`"),
    "--broker-list": RemovedOption(
        ("kafka-console-producer", "kafka-get-offsets"), "write `--bootstrap-server HOST:PORT`"
    ),
}
# Those that replication scripts use, and that are easily mistyped.
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
    """Of one command line; Kafka's command may follow another one, such as `docker exec`."""
    for position, word in enumerate(words):
        base = word.rpartition("/")[2]
        name = CLASSES.get(word, base.removesuffix(ENDING))
        if removed := COMMANDS.get(name):
            what = f"{base} is not a command of Kafka: {removed.why}"
            yield Finding(what, removed.instead, rule=KeyRule.REMOVED_COMMAND, path=(base,))
            return
        if name == RUN_CLASS:
            continue  # a later word is the class
        if name in PRESENT and (position == 0 or base != word or base.endswith(ENDING)):
            yield from _options(name, words[position + 1 :])
            return
        if base.startswith(("kafka-", "connect-")) and base.endswith(ENDING):
            near = closest(name, PRESENT, cutoff=0.9)
            if near:
                what = f"{base} is not a command of Kafka, unless it is a script of your own"
                fix = suggestion(f"{near}{ENDING}")
                yield Finding(
                    what, fix, rule=KeyRule.REMOVED_COMMAND, path=(base,), severity=Severity.WARNING
                )


def _options(command: str, words: Sequence[str]) -> Iterator[Finding]:
    for word in words:
        option = word.partition("=")[0]
        removed = OPTIONS.get(option)
        if removed and (not removed.commands or command in removed.commands):
            what = f"{command} of Kafka {kafka_version()} has no option {option}, and fails"
            yield Finding(what, removed.instead, rule=KeyRule.REMOVED_OPTION, path=(option,))
