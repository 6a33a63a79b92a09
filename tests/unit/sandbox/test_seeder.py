"""The stored state of the test data."""

from __future__ import annotations

import pytest

from mirrorstack.local.files import private_directory
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seeder import SeedState, load, save


def test_a_saved_state_is_loaded_with_its_plan(layout: Layout) -> None:
    private_directory(layout.directory)
    state = SeedState(seed=7, scale=2, finished=True, topic_ids={"orders": "abc"}, aborted=3)
    save(layout, state)
    assert load(layout) == state
    assert state.plan == SeedPlan(7, 2)


def test_a_sandbox_that_was_not_seeded_has_no_state(layout: Layout) -> None:
    assert load(layout) is None


@pytest.mark.parametrize("content", ["", "{", '{"seed": 1}', '{"version": 2}'])
def test_an_invalid_file_is_no_state(layout: Layout, content: str) -> None:
    private_directory(layout.directory)
    layout.seed.write_text(content)
    assert load(layout) is None
