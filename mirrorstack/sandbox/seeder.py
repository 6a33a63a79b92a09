"""Writing the test data to `east` once; an interrupted attempt is replaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from confluent_kafka import KafkaException, TopicCollection
from confluent_kafka.admin import AdminClient, NewTopic
from pydantic import BaseModel, ConfigDict, ValidationError

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.files import write_private
from mirrorstack.sandbox.layout import Layout, exclusive
from mirrorstack.sandbox.names import Cluster, Principal, command
from mirrorstack.sandbox.readiness import admin_client, brokers_up
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seed_topics import TOPICS
from mirrorstack.sandbox.seed_writer import SeedWriter

ANSWER_SECONDS = 5.0
REQUEST_SECONDS = 30.0


class SeedState(BaseModel):
    """The content of seed.json: the plan, and whether it was written completely."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    seed: int
    scale: int
    finished: bool = False
    topic_ids: dict[str, str] = {}
    """Kafka's ids of the created topics: the same name with another id is another topic."""
    aborted: int = 0

    @property
    def plan(self) -> SeedPlan:
        return SeedPlan(self.seed, self.scale)


@dataclass(frozen=True)
class SeedOutcome:
    plan: SeedPlan
    already: bool
    aborted: int


class Seeder:
    """Seeds one sandbox. The topics on the broker decide, not the state file."""

    def __init__(self, sandbox: Sandbox, console: Console) -> None:
        self._layout = sandbox.layout
        self._console = console
        self._app = sandbox.connection(Cluster.EAST, Principal.APP)
        self._admin = admin_client(sandbox.connection(Cluster.EAST, Principal.ADMIN))

    def seed(self, plan: SeedPlan) -> SeedOutcome:
        with exclusive(self._layout, self._console):
            self._require_cluster()
            try:
                return self._seed(plan)
            except (KafkaException, TimeoutError) as error:
                reason = error.args[0] if error.args else "no answer in time"
                raise UserError(
                    f"seeding east failed: {reason}",
                    f"check it: `{command('status', self._layout.name)}`; a new seed starts over",
                ) from error

    def _seed(self, plan: SeedPlan) -> SeedOutcome:
        state = load(self._layout)
        present = self._present()
        if state and state.finished and present != state.topic_ids:
            self._refuse_other_topics(present, state)
            state = state.model_copy(update={"finished": False}) if present else None
        if state and state.finished and state.plan != plan:
            raise UserError(
                f"the sandbox {self._layout.name!r} was seeded with --seed {state.seed} --scale "
                f"{state.scale}; --seed {plan.seed} --scale {plan.scale} would mix two seeds",
                f"`{command('reset', self._layout.name)}` empties it, then seed again",
            )
        if state and state.finished:
            return SeedOutcome(plan, True, state.aborted)
        if not state:
            self._refuse_other_topics(present, None)
        return self._write(plan, present)

    def _write(self, plan: SeedPlan, present: dict[str, str]) -> SeedOutcome:
        # Written before the first topic is created, so that an interrupted seed is recognised.
        save(self._layout, SeedState(seed=plan.seed, scale=plan.scale))
        total = sum(plan.count(topic) for topic in TOPICS)
        with self._console.step("seeding east") as step:
            writer = SeedWriter(self._app)
            if present:
                step.progress("deleting the topics of an interrupted seed")
            writer.abort_open_transaction()
            self._delete(present)
            step.progress("creating topics")
            self._create()
            written = writer.write(
                plan, lambda done, what: step.counted(done, total, f"records, {what}")
            )
            step.progress("committing offsets")
            writer.commit_groups(written)
            state = SeedState(
                seed=plan.seed,
                scale=plan.scale,
                finished=True,
                topic_ids=self._present(),
                aborted=written.aborted,
            )
            save(self._layout, state)
            step.done(f"{total:,} records")
        return SeedOutcome(plan, False, written.aborted)

    def _require_cluster(self) -> None:
        if not brokers_up(self._admin, timeout=ANSWER_SECONDS):
            raise UserError(
                f"the cluster east of the sandbox {self._layout.name!r} does not answer",
                f"start it: `{command('up', self._layout.name)}`",
            )

    def _refuse_other_topics(self, present: dict[str, str], state: SeedState | None) -> None:
        created = set(state.topic_ids.values()) if state else set()
        others = sorted(name for name, topic_id in present.items() if topic_id not in created)
        if others:
            raise UserError(
                f"east already has the topic {others[0]!r}, which the seed did not create and "
                "does not write to",
                f"delete it, or empty both clusters: `{command('reset', self._layout.name)}`",
            )

    def _present(self) -> dict[str, str]:
        """The existing topics of the test data, with their ids."""
        existing = self._admin.list_topics(timeout=REQUEST_SECONDS).topics
        names = [topic.name for topic in TOPICS if topic.name in existing]
        if not names:
            return {}
        futures = self._admin.describe_topics(TopicCollection(names))
        return {name: str(future.result().topic_id) for name, future in futures.items()}

    def _delete(self, present: dict[str, str]) -> None:
        if present:
            for future in self._admin.delete_topics(list(present)).values():
                future.result(REQUEST_SECONDS)

    def _create(self) -> None:
        app = AdminClient(self._app.client_config() | {"log_level": 0})
        # The broker's default replication factor: 1, or 3 on three brokers.
        new = [
            NewTopic(topic.name, topic.partitions, replication_factor=-1, config=dict(topic.config))
            for topic in TOPICS
        ]
        for future in app.create_topics(new, operation_timeout=REQUEST_SECONDS).values():
            future.result(REQUEST_SECONDS)


def load(layout: Layout) -> SeedState | None:
    """The stored state; None if the file is missing or invalid, and the broker decides."""
    try:
        return SeedState.model_validate_json(layout.seed.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValidationError):
        return None


def save(layout: Layout, state: SeedState) -> None:
    write_private(layout.seed, state.model_dump_json(indent=2) + "\n")
