"""Changes of a cluster that Strimzi's operators run: nothing is deleted unnoticed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.planning.previous_state import PreviousState
from tests.unit.planning.strimzi_stack import operated_stack


class TestChanges:
    @pytest.mark.parametrize(
        ("west", "before", "said"),
        [(None, frozenset(), "adds it"), ({}, frozenset({"west"}), "removes it")],
    )
    def test_a_change_that_would_delete_topics_is_refused(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        west: dict[str, Any] | None,
        before: frozenset[str],
        said: str,
    ) -> None:
        previous = PreviousState(deletable_topics=frozenset({"west/east.orders"}), strimzi=before)

        with pytest.raises(UserError, match=f"this deployment {said}"):
            operated_stack(tmp_path, monkeypatch, previous=previous, west=west)

    def test_a_change_that_keeps_topics_is_accepted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        previous = PreviousState(
            deletable_topics=frozenset({"west/x"}), strimzi=frozenset({"west"})
        )

        assert operated_stack(tmp_path, monkeypatch, previous=PreviousState())
        assert operated_stack(tmp_path, monkeypatch, previous=previous)

    def test_acls_of_a_kafka_user_are_not_lost_unnoticed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        previous = PreviousState(strimzi=frozenset({"west"}), kafka_users=frozenset({"west"}))

        with pytest.raises(UserError, match="the operator would delete them"):
            operated_stack(tmp_path, monkeypatch, previous=previous, west={"acls": "exported"})
