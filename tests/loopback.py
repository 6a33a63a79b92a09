"""A web server on loopback that can truncate, reject and delay responses like real ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

PATIENCE_SECONDS = 30.0


@dataclass
class Site:
    """The files of the server, its faults, and the requests that it received."""

    url: str
    files: dict[str, bytes] = field(default_factory=dict)
    refusals: dict[str, list[int]] = field(default_factory=dict)
    """Path -> the status of each response in turn, before the file is served."""
    cuts: dict[str, list[int]] = field(default_factory=dict)
    """Path -> the number of bytes after which each response in turn is truncated."""
    ignores_ranges: bool = False
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Path and Range of every GET, in order."""
    _held: dict[str, tuple[Event, Event]] = field(default_factory=dict)

    def ranges(self, path: str) -> list[str]:
        return [wanted for asked, wanted in self.asked if asked == path]

    @contextmanager
    def holding(self, path: str) -> Iterator[Event]:
        """Serve only half of `path` inside the block; the event is set when that has started."""
        begun, go_on = self._held[path] = (Event(), Event())
        try:
            yield begun
        finally:
            del self._held[path]
            go_on.set()

    def half_way(self, path: str) -> None:
        if held := self._held.get(path):
            begun, go_on = held
            begun.set()
            go_on.wait(PATIENCE_SECONDS)


@contextmanager
def serving() -> Iterator[Site]:
    """A server in this process on a free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        site = Site(f"http://127.0.0.1:{server.server_port}")
        server.RequestHandlerClass = type("Handler", (_Handler,), {"site": site})
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def refused_connections() -> Iterator[str]:
    """An address that refuses connections; its port is bound, so no other process can listen."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_HEAD(self) -> None:
        self._head()

    def do_GET(self) -> None:
        self.site.asked.append((self.path, self.headers.get("Range", "")))
        body = self._head()
        if body is None:
            return
        if cuts := self.site.cuts.get(self.path):
            body = body[: cuts.pop(0)]
        middle = len(body) // 2
        with suppress(ConnectionError):  # the client may have been killed
            self.wfile.write(body[:middle])
            self.site.half_way(self.path)
            self.wfile.write(body[middle:])

    def _head(self) -> bytes | None:
        """Send status and headers; returns the body that they announce, if there is one."""
        refusals = self.site.refusals.get(self.path)
        content = self.site.files.get(self.path)
        if refusals or content is None:
            self.send_error(refusals.pop(0) if refusals else HTTPStatus.NOT_FOUND)
            return None
        wanted = "" if self.site.ignores_ranges else self.headers.get("Range", "")
        start = int(wanted.removeprefix("bytes=").removesuffix("-") or 0)
        if start and start >= len(content):
            self.send_error(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
            return None
        self.send_response(HTTPStatus.PARTIAL_CONTENT if start else HTTPStatus.OK)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        return content[start:]

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""
