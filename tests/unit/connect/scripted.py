"""A web server on loopback that responds as Connect would, from a script."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

Answer = tuple[int, Any]
NOT_FOUND: Answer = (404, {"error_code": 404, "message": "Connector orders not found"})
REBALANCING: Answer = (409, {"error_code": 409, "message": "Cannot complete: rebalance"})


@dataclass(frozen=True)
class Asked:
    request: str
    """Method and path, as in `GET /connectors/orders/config`."""
    authorization: str
    body: Any


@dataclass
class Script:
    """The responses to each request in turn; the last one is repeated."""

    url: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def __setitem__(self, request: str, answers: Answer | list[Answer]) -> None:
        self.answers[request] = answers if isinstance(answers, list) else [answers]

    def count(self, request: str) -> int:
        return sum(asked.request == request for asked in self.asked)

    def bodies(self, request: str) -> list[Any]:
        return [asked.body for asked in self.asked if asked.request == request]

    def next(self, request: str) -> Answer:
        answers = self.answers.get(request, [NOT_FOUND])
        return answers.pop(0) if len(answers) > 1 else answers[0]


@contextmanager
def playing(keystore: Path | None = None, client_ca: Path | None = None) -> Iterator[Script]:
    """With a keystore (key and certificates in PEM) over TLS; with `client_ca` only for clients
    that present a certificate of this authority."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        script = Script(f"{'https' if keystore else 'http'}://127.0.0.1:{server.server_port}")
        if keystore:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(keystore)
            if client_ca:
                tls.verify_mode = ssl.CERT_REQUIRED
                tls.load_verify_locations(client_ca)
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        server.RequestHandlerClass = type("Handler", (_Handler,), {"script": script})
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield script
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    script: Script

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        request = f"{self.command} {self.path}"
        login = self.headers.get("Authorization", "")
        self.script.asked.append(Asked(request, login, body))
        status, answer = self.script.next(request)
        content = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: object) -> None:
        """No log: failed tests show what is wrong."""
