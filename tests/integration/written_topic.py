"""Records that are written while something else happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tests.integration.replicated_stack import Place, write


@contextmanager
def written_to(place: Place, topic: str) -> Iterator[None]:
    """Records are written as long as the block runs."""
    over = Event()

    def keep_writing() -> None:
        while not over.wait(0.1):
            write(place, topic, records=20)

    thread = Thread(target=keep_writing)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
