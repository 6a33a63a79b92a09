"""A connector that comes back goes on where it ended, and that may not be where its copies end.

Connect keeps a connector's offsets when the connector is gone, and they know the source's topics
only. If they were last used for other copies, under other names, or the copies were made again
meanwhile, all between the end of these copies and those offsets would be missing without a word.
"""

from __future__ import annotations

from collections.abc import Mapping

from mirrorstack.model.grants import ResolvedFlow
from mirrorstack.problem import Problem

SHOWN = 5

Place = tuple[str, int]


def check_copies(flow: ResolvedFlow, noted: Mapping[Place, int], ends: Mapping[Place, int]) -> None:
    """`noted`: by partition of the source, the target's offset of the last record that MirrorMaker
    noted. `ends`: of copies that are there already, where they end, by name on the target."""
    settings = flow.settings
    named = {settings.policy.remote(topic): topic for topic in flow.topics}
    short = {
        (copy, number): noted[named[copy], number]
        for (copy, number), end in sorted(ends.items())
        if copy in named and noted.get((named[copy], number), -1) >= end
    }
    if not short:
        return
    (copy, number), offset = next(iter(short.items()))
    copies = list(dict.fromkeys(copy for copy, _ in short))
    listed = ", ".join(copies[:SHOWN]) + (
        f" and {len(copies) - SHOWN} more" if len(copies) > SHOWN else ""
    )
    raise Problem(
        f"Flow {settings.name}: when MirrorMaker ended here, it had written {named[copy]} up to "
        f"offset {offset} of partition {number}, and {copy} on {settings.target} ends at "
        f"{ends[copy, number]}: that was another copy, under another naming or since made again. "
        "It would go on where it ended, and leave a gap that nobody sees.",
        f"go back to the naming that it had; or delete {listed} on {settings.target}, and they are "
        "mirrored from the beginning",
    )
