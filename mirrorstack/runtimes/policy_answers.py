"""What a replication policy of one's own answers, asked with the class path of a worker.

Connect has no request for it: its validation only shows that the class can be loaded.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation

PROGRAM = Path(__file__).with_name("PolicyAnswers.java")
SECONDS = 60.0


@dataclass(frozen=True)
class PolicyQuestion:
    java_class: str
    config: Mapping[str, str]
    """The keys of the connector, without those that reach the clusters."""
    source: str
    target: str
    topics: tuple[str, ...]
    """Names on the source."""


@dataclass(frozen=True)
class TopicAnswer:
    target_topic: str | None
    """`formatRemoteTopic`."""
    source: str | None
    """`topicSource` of that name."""
    upstream_topic: str | None
    """`upstreamTopic` of that name."""
    is_internal: bool
    is_cycle: bool
    """Whether MirrorMaker takes the topic for one that was replicated from the target."""


@dataclass(frozen=True)
class PolicyAnswers:
    checkpoints_topic: str
    offset_syncs_topics: Mapping[str, str]
    """By the cluster that holds it: `source` or `target`."""
    heartbeats_topic: str
    topics: Mapping[str, TopicAnswer]


def ask_policy(
    kafka: KafkaInstallation, jars: Sequence[Path], question: PolicyQuestion
) -> PolicyAnswers:
    """Raises a UserError if the class cannot be used."""
    asked = {
        "class": question.java_class,
        "config": dict(question.config),
        "source": question.source,
        "target": question.target,
        "topics": question.topics,
    }
    command = kafka.command(PROGRAM, class_path=jars)
    try:
        ended = subprocess.run(
            command,
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _unusable(question, f"it gave no answer within {SECONDS:.0f} s") from None
    if ended.returncode != 0 or not ended.stdout:
        reason = ended.stderr.strip().rpartition("\n")[2]
        raise _unusable(question, f"Java ended with exit code {ended.returncode}: {reason}")
    answers = json.loads(ended.stdout)
    if failure := answers.pop("failure", ""):
        raise _unusable(question, failure)
    topics = {topic: TopicAnswer(**each) for topic, each in answers.pop("topics").items()}
    return PolicyAnswers(**answers, topics=topics)


def _unusable(question: PolicyQuestion, reason: str) -> UserError:
    return UserError(
        f"the class {question.java_class} cannot be used as a replication policy: {reason}.",
        "correct the class or its name, and build the jar again",
    )
