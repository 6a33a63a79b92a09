"""What a stack file may acknowledge under `intent`."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    """What happens to a connector or a target topic that is removed from the stack or recreated."""

    RESUME = "resume"
    """It returns later and resumes from the offsets that stay on the target."""
    RESTART = "restart"
    """It restarts from the earliest record: all records are replicated again."""
    DISCARD = "discard"
    """It is no longer needed."""
