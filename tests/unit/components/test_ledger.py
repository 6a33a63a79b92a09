"""The ledger tells what leaves, and asks Connect how many records that is about."""

from __future__ import annotations

from typing import Any

from components.ledger import LedgerProvider
from tests.unit.connect.scripted import playing

provider = LedgerProvider()
GROUP = "mirrorstack-west-offsets"


def connectors(url: str, **offsets: str) -> dict[str, Any]:
    return {
        "connectors": {name: {"offsets": topic, "rest_url": url} for name, topic in offsets.items()}
    }


def test_the_first_time_nothing_leaves() -> None:
    assert provider.check({}, connectors("http://x", a=GROUP)).inputs["leaving"] == []


def test_what_leaves_is_told_with_how_many_records_were_mirrored() -> None:
    with playing() as connect:
        entries = [
            {
                "partition": {"cluster": "east", "topic": "orders", "partition": n},
                "offset": {"offset": at},
            }
            for n, at in enumerate((99, 49))
        ]
        connect["GET /connectors/a/offsets"] = (200, {"offsets": entries})
        before = connectors(connect.url, a=GROUP, b=GROUP)

        result = provider.check(before, connectors(connect.url, b=GROUP))

    assert result.inputs["leaving"] == [{"name": "a", "offsets": GROUP, "mirrored": 150}]


def test_a_worker_that_does_not_answer_leaves_the_number_open() -> None:
    before = connectors("http://127.0.0.1:9", a=GROUP)

    result = provider.check(before, connectors("http://127.0.0.1:9", a="other"))

    assert result.inputs["leaving"] == [{"name": "a", "offsets": GROUP, "moves_to": "other"}]


def test_only_what_is_declared_is_a_change() -> None:
    before = {**connectors("http://x", a=GROUP), "leaving": [{"name": "b", "offsets": GROUP}]}

    assert provider.diff("ledger", before, {**before, "leaving": []}).changes is False
    assert provider.diff("ledger", before, connectors("http://x", a="other")).changes is True
