"""The plan of the test data: the same on every machine, with the difficulties it declares."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from itertools import islice

import pytest

from mirrorstack.sandbox.seed_plan import (
    BASE_TIMESTAMP,
    LARGEST_DOCUMENT,
    Record,
    SeedPlan,
    Transaction,
)
from mirrorstack.sandbox.seed_topics import (
    DOCUMENTS,
    PAYMENTS,
    TOPICS,
    TopicPlan,
)

BY_NAME = {topic.name: topic for topic in TOPICS}
SMALL = [topic for topic in TOPICS if topic.name != DOCUMENTS]


def fingerprint(plan: SeedPlan, topics: list[TopicPlan]) -> str:
    digest = hashlib.sha256()
    for topic in topics:
        for step in plan.steps(topic):
            digest.update(repr(step).encode())
    return digest.hexdigest()


def records(name: str, plan: SeedPlan | None = None) -> list[Record]:
    steps = (plan or SeedPlan()).steps(BY_NAME[name])
    return [step for step in steps if isinstance(step, Record)]


def transactions() -> list[Transaction]:
    steps = SeedPlan().steps(BY_NAME[PAYMENTS])
    return [step for step in steps if isinstance(step, Transaction)]


def test_the_same_seed_and_scale_make_the_same_records() -> None:
    assert fingerprint(SeedPlan(7), list(TOPICS)) == fingerprint(SeedPlan(7), list(TOPICS))


def test_the_default_seed_is_the_same_on_every_machine_and_python() -> None:
    assert fingerprint(SeedPlan(), SMALL) == (
        "0dc417c0fdb81f5e2611c33727ff93ba7ba9f2804504c6c89ec3a4fbba893afa"
    ), "a change of the plan changes the test data of every user: update the digest deliberately"


@pytest.mark.parametrize("topic", [t for t in SMALL if t.records], ids=lambda topic: topic.name)
def test_another_seed_makes_other_records(topic: TopicPlan) -> None:
    assert fingerprint(SeedPlan(1), [topic]) != fingerprint(SeedPlan(2), [topic])


def test_scale_multiplies_the_records() -> None:
    assert len(records("orders", SeedPlan(scale=2))) == 2 * len(records("orders"))


def test_the_plan_has_twenty_thousand_records() -> None:
    assert sum(SeedPlan().count(topic) for topic in TOPICS) == 20_000


def test_records_are_generated_one_at_a_time() -> None:
    endless = SeedPlan(scale=10**9).steps(BY_NAME["clicks"])
    assert len(list(islice(endless, 3))) == 3


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_every_partition_has_records(topic: TopicPlan) -> None:
    used = {record.partition for record in SeedPlan().visible() if record.topic == topic.name}
    assert used == (set(range(topic.partitions)) if topic.records else set())


def test_records_of_one_key_stay_in_one_partition() -> None:
    partitions = defaultdict(set)
    for record in records("customers"):
        partitions[record.key].add(record.partition)
    assert all(len(numbers) == 1 for numbers in partitions.values())


def test_timestamps_start_on_a_fixed_day_and_some_are_out_of_order() -> None:
    times = [record.timestamp for record in records("orders")]
    assert min(times) >= BASE_TIMESTAMP - 60_000
    assert max(times) < BASE_TIMESTAMP + 3_600_000 * 24
    assert times != sorted(times)


def test_orders_have_headers_that_are_null_empty_binary_and_repeated() -> None:
    headers = [record.headers for record in records("orders")]
    values = [value for pairs in headers for _, value in pairs]
    assert None in values
    assert b"" in values
    assert any(value and not value.isascii() for value in values)
    assert any(max(Counter(name for name, _ in pairs).values()) > 1 for pairs in headers)


def test_orders_have_empty_values_and_unicode_keys() -> None:
    orders = records("orders")
    assert any(record.value == b"" for record in orders)
    assert any(record.key and not record.key.isascii() for record in orders)


def test_clicks_have_no_keys_and_some_have_no_value() -> None:
    clicks = records("clicks")
    assert {record.key for record in clicks} == {None}
    assert any(record.value is None for record in clicks)


def test_customers_are_updated_deleted_and_created_again() -> None:
    by_key = defaultdict(list)
    for record in records("customers"):
        by_key[record.key].append(record.value)
    assert None not in by_key, "a compacted topic rejects records without a key"
    assert any(values[-1] is None for values in by_key.values())
    assert any(None in values[:-1] and values[-1] is not None for values in by_key.values())


def test_payments_are_in_transactions_and_some_are_aborted() -> None:
    outcomes = Counter(transaction.commits for transaction in transactions())
    assert outcomes[True] > outcomes[False] > 0
    assert sum(len(t.records) for t in transactions()) == BY_NAME[PAYMENTS].records


def test_aborted_payments_are_not_visible() -> None:
    visible = {record for record in SeedPlan().visible() if record.topic == PAYMENTS}
    aborted = {record for t in transactions() if not t.commits for record in t.records}
    assert visible
    assert visible.isdisjoint(aborted)


def test_the_largest_document_is_just_below_the_limit() -> None:
    sizes = [len(record.value or b"") for record in records(DOCUMENTS)]
    assert max(sizes) == LARGEST_DOCUMENT
    assert min(sizes) > 1_000_000
