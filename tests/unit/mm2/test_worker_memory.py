"""The arithmetic of a worker's heap."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.mm2.profiles import MIB
from mirrorstack.mm2.worker_memory import WorkerMemory, worker_memory

BROKERS = {"east": 3, "north": 3}
AT_LEAST_ONCE: dict[str, Any] = {"exactly-once": False}


def flow(source: str = "east", **changes: Any) -> FlowSettings:
    return FlowSettings.model_validate(
        {"from": source, "to": "west", "topics": ["orders"], **changes}
    )


def memory(*, brokers: int = 3, **changes: Any) -> WorkerMemory:
    return worker_memory([flow(**changes)], {"east": brokers})


def task_mb(*, brokers: int = 3, source: dict[str, Any] | None = None, **changes: Any) -> int:
    """Of the only flow; `source` are overrides."""
    given = memory(brokers=brokers, override={"source": source or {}}, **changes)
    return given.flows[0].task_mb


def test_the_parts_of_a_task_are_added_up() -> None:
    # 32 MiB are 335,544 records of 100 bytes, each with 800 bytes of objects; 20,000 more are
    # polled; and three brokers send 16 MiB each.
    expected = 32 * MIB + 3 * 16 * MIB + (335_544 + 20_000) * 900

    assert memory(**AT_LEAST_ONCE).flows[0].task_bytes == expected


def test_with_exactly_once_only_the_records_of_one_poll_are_in_flight() -> None:
    # The worst case are records that were compressed, and of which a poll has all that it can:
    # 20,000 in four times 48 MiB. Large ones cost less, because they are fewer objects.
    record = 4 * 3 * 16 * MIB // 20_000

    assert memory().flows[0].task_bytes == (32 + 48) * MIB + 20_000 * (record + 800)


def test_smaller_polls_of_flows_with_groups_count() -> None:
    assert task_mb(groups=["billing"]) < task_mb()


def test_the_heap_has_all_tasks_of_all_flows_connect_and_room_for_the_collector() -> None:
    flows = [flow(), flow("north", tasks=3, profile="frugal")]

    needed = worker_memory(flows, BROKERS)

    first, second = needed.flows
    used = 192 + 2 * first.task_mb + 3 * second.task_mb
    assert needed.needed_mb == pytest.approx(used * 1.15, abs=1)
    assert used * 1.5 <= needed.heap_mb < used * 1.5 + 64
    assert needed.heap_mb % 64 == 0


def test_the_arithmetic_can_be_read() -> None:
    assert str(memory()) == (
        "east-to-west: 2 tasks x 288 MB; Connect: 192 MB; reserve: 15%; in total 884 MB"
    )


@pytest.mark.parametrize(
    ("changes", "most"),
    [({}, 1152), (AT_LEAST_ONCE, 1472), ({"profile": "frugal"}, 512)],
)
def test_two_tasks_fit_into_about_one_gigabyte(changes: dict[str, Any], most: int) -> None:
    assert memory(**changes).heap_mb <= most


def test_the_sizes_that_ran_out_of_a_heap_of_1_gb_need_more() -> None:
    """128 MiB per task, and Kafka's default of 50 MiB per fetch."""
    sizes = {"producer.override.buffer.memory": 128 * MIB, "consumer.fetch.max.bytes": 50 * MIB}

    assert memory(override={"source": sizes}, brokers=1, **AT_LEAST_ONCE).needed_mb > 1024


@pytest.mark.parametrize(
    "override",
    [
        {"producer.override.buffer.memory": 64 * MIB},
        {"consumer.fetch.max.bytes": 32 * MIB},
        {"source.consumer.fetch.max.bytes": 32 * MIB, "consumer.fetch.max.bytes": 1},
        {"consumer.max.poll.records": 50_000},
        {"producer.override.compression.type": "zstd"},
    ],
)
def test_overrides_count(override: dict[str, Any]) -> None:
    assert task_mb(source=override, **AT_LEAST_ONCE) > task_mb(**AT_LEAST_ONCE)


def test_an_override_of_the_number_of_tasks_counts() -> None:
    assert memory(override={"source": {"tasks.max": 7}}).flows[0].tasks == 7


def test_a_transaction_of_several_polls_is_not_bounded_by_one() -> None:
    interval = {"transaction.boundary": "interval"}

    assert task_mb(source=interval) == task_mb(**AT_LEAST_ONCE) > task_mb()


def test_a_value_that_is_no_number_is_left_to_the_check_of_overrides() -> None:
    assert task_mb(source={"producer.override.buffer.memory": "much"}) == task_mb()


def test_more_brokers_cost_more_buffers_but_no_more_than_one_poll_of_records() -> None:
    assert task_mb(brokers=1) < task_mb(brokers=3) < task_mb(brokers=6)
    assert task_mb(brokers=30) - task_mb(brokers=29) == 16
