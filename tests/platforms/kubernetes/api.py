"""A small client of the Kubernetes API: a kubeconfig with a client certificate or a token."""

from __future__ import annotations

import base64
import json
import ssl
import tempfile
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

import yaml

TIMEOUT_SECONDS = 30.0


class ApiError(Exception):
    """What the API answered, or that it did not answer; the text is the API's own message."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class KubernetesApi:
    server: str
    tls: ssl.SSLContext
    token: str = ""
    namespace: str = "default"

    @classmethod
    def of(cls, kubeconfig: str | Path, context: str = "") -> KubernetesApi:
        """From a file or from its contents; without a context, the current one."""
        content = _read(kubeconfig)
        chosen = _named(content, "context", context or content["current-context"])
        cluster = _named(content, "cluster", chosen["cluster"])
        user = _named(content, "user", chosen["user"])
        tls = ssl.create_default_context(cadata=_decoded(cluster, "certificate-authority"))
        if "client-certificate-data" in user or "client-certificate" in user:
            with tempfile.NamedTemporaryFile("w", suffix=".pem") as pem:
                pem.write(_decoded(user, "client-certificate") + _decoded(user, "client-key"))
                pem.flush()
                tls.load_cert_chain(pem.name)
        namespace = chosen.get("namespace", "default")
        return cls(cluster["server"], tls, user.get("token", ""), namespace)

    def call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        content_type: str = "application/json",
        **query: str,
    ) -> dict[str, Any]:
        """The object that the API answers with; ApiError if it refuses or does not answer."""
        headers = {"Accept": "application/json", "Content-Type": content_type}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        url = f"{self.server}{path}" + (f"?{urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data, headers, method=method)  # noqa: S310 - the kubeconfig's
        opener = build_opener(ProxyHandler({}), HTTPSHandler(context=self.tls))
        try:
            with opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                answer = response.read()
        except HTTPError as error:
            raise ApiError(_message(error), error.code) from error
        except (OSError, HTTPException) as error:
            raise ApiError(f"{self.server} does not answer: {error}") from error
        try:
            decoded: dict[str, Any] = json.loads(answer)
        except ValueError:
            return {"text": answer.decode(errors="replace")}
        return decoded


def _read(kubeconfig: str | Path) -> dict[str, Any]:
    text = str(kubeconfig)
    if "\n" not in text and not text.lstrip().startswith("{"):
        text = Path(text).expanduser().read_text()
    content: dict[str, Any] = yaml.safe_load(text)
    return content


def _named(content: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    entries = {entry["name"]: entry[kind] for entry in content[f"{kind}s"]}
    if name not in entries:
        raise ApiError(f'the kubeconfig has no {kind} "{name}" ({kind}s: {", ".join(entries)})')
    found: dict[str, Any] = entries[name]
    return found


def _decoded(entry: dict[str, Any], key: str) -> str:
    if f"{key}-data" in entry:
        return base64.b64decode(entry[f"{key}-data"]).decode()
    return Path(entry[key]).read_text()


def _message(error: HTTPError) -> str:
    answer = error.read().decode(errors="replace")
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        return f"{error.code} {error.reason}: {answer}"
