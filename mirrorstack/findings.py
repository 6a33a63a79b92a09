"""The one message a person gets when something they can change is wrong."""

from __future__ import annotations


class Problem(Exception):  # noqa: N818 - it is reported to a person, not handled as an error
    """What is wrong (naming the key or file, the value and the rule), and the way out.

    Commands print it without a traceback and exit non-zero. Anything that is not a Problem is a
    bug of ours and keeps its traceback.
    """

    def __init__(self, what: str, way_out: str) -> None:
        super().__init__(what, way_out)
        self.what = what
        self.way_out = way_out

    def __str__(self) -> str:
        return f"{self.what}\n  way out: {self.way_out}"
