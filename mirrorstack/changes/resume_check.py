"""A connector that comes back goes on where it ended, and that may not be where its copies end.

Connect keeps a connector's offsets when the connector is gone, and they know the source's topics
only. If they were last used for other copies, under other names, or a topic was made again on
either side meanwhile, records would be missing without a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import UserError

SHOWN = 5


@dataclass(frozen=True, order=True)
class Gap:
    """A partition in which going on would leave records out."""

    topic: str
    partition: int
    offset: int
    """Of the last record that was mirrored, on the source."""
    source_end: int | None = None
    """Where the source ends, if that is before it."""


def check_gaps(flow: FlowSettings, gaps: Iterable[Gap]) -> None:
    found = sorted(gaps)
    if not found:
        return
    first, copies = (
        found[0],
        list(dict.fromkeys(flow.policy.target_topic(gap.topic) for gap in found)),
    )
    more = f" and {len(copies) - SHOWN} more" if len(copies) > SHOWN else ""
    listed = ", ".join(copies[:SHOWN]) + more
    if first.source_end is not None:
        why = (
            f"{flow.source} ends before that, at {first.source_end}: the topic was made again "
            "there. MirrorMaker would wait for as many records, and leave them out"
        )
    else:
        why = (
            f"{copies[0]} on {flow.target} has not got that record: another copy got it, under "
            "another naming, or the topic was made again on either side. MirrorMaker would go on "
            "behind it, and leave a gap that nobody sees"
        )
    raise UserError(
        f"Flow {flow.name} was here before, and mirrored {first.topic} up to offset "
        f"{first.offset} of partition {first.partition}; {why}.",
        f"go back to the naming that it had; or delete {listed} on {flow.target}, and they are "
        "mirrored from the beginning",
    )
