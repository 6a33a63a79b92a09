"""Answers of a Kubernetes API server, on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import yaml

from mirrorstack.kubernetes.access import ClusterAccess

Answer = Mapping[str, Any] | str | int | Callable[[Any], Mapping[str, Any]]
"""A JSON document, a text, a status without a document, or a function of the request's body."""


@dataclass
class ApiServer:
    access: ClusterAccess
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    """By method and path; everything else is not found."""
    requests: list[tuple[str, str, Any]] = field(default_factory=list)


@contextmanager
def api_server(directory: Path, namespace: str = "kafka") -> Iterator[ApiServer]:
    """With a kubeconfig in the directory, whose only context is `prod-west`."""
    access = ClusterAccess(
        namespace=namespace, context="prod-west", kubeconfig=str(directory / "kubeconfig")
    )
    api = ApiServer(access)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = urlsplit(self.path).path
            api.requests.append((self.command, self.path, body))
            answer = api.answers.get((self.command, path), 404)
            if callable(answer):
                answer = answer(body)
            status, document = (
                (answer, _status(answer, path)) if isinstance(answer, int) else (200, answer)
            )
            content = document if isinstance(document, str) else json.dumps(document)
            self.send_response(status)
            kind = "text/plain" if isinstance(document, str) else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content.encode())))
            self.end_headers()
            self.wfile.write(content.encode())

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - names of the base class

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    write_kubeconfig(directory / "kubeconfig", server.server_port)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()


def write_kubeconfig(file: Path, port: int) -> None:
    cluster = {"server": f"http://127.0.0.1:{port}"}
    context = {"cluster": "west", "user": "deploy"}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "prod-west",
        "clusters": [{"name": "west", "cluster": cluster}],
        "contexts": [{"name": "prod-west", "context": context}],
        "users": [{"name": "deploy", "user": {}}],
    }
    file.write_text(yaml.safe_dump(document))


def _status(code: int, path: str) -> dict[str, Any]:
    reason = {403: "Forbidden", 404: "NotFound"}.get(code, "InternalError")
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": f"{path}: {reason}",
        "reason": reason,
        "code": code,
    }
