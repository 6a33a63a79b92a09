"""Errors of a dynamic provider, through Pulumi's own server for such providers."""

from __future__ import annotations

import base64
import importlib.util
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc  # type: ignore[import-untyped]
import pytest
from pulumi.dynamic import CreateResult
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from components.provider_errors import ErrorReportingProvider
from mirrorstack.findings import UserError

ROOT = Path(__file__).parents[3]


class FailingProvider(ErrorReportingProvider):
    def create(self, props: dict[str, Any]) -> CreateResult:
        if props["what"] == "user":
            raise UserError("no worker responds", "start it")
        raise ValueError("a defect")


@pytest.fixture(scope="module")
def server() -> Iterator[provider_pb2_grpc.ResourceProviderStub]:
    """The server that the engine starts, in a process of its own."""
    assert importlib.util.find_spec("pulumi.dynamic.__main__")
    with subprocess.Popen(
        [sys.executable, "-m", "pulumi.dynamic"], stdout=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield provider_pb2_grpc.ResourceProviderStub(channel)
        process.kill()


def details_of_create(server: provider_pb2_grpc.ResourceProviderStub, what: str) -> str:
    request = provider_pb2.CreateRequest()
    pickled = base64.b64encode(pickle.dumps(FailingProvider())).decode()
    request.properties.update({"__provider": pickled, "what": what})
    with pytest.raises(grpc.RpcError) as raised:
        server.Create(request)
    return str(raised.value.details())


def test_a_user_error_reaches_the_engine_without_a_prefix(
    server: provider_pb2_grpc.ResourceProviderStub,
) -> None:
    assert details_of_create(server, "user") == "no worker responds\nfix: start it"


def test_a_defect_is_reported_as_grpc_does(
    server: provider_pb2_grpc.ResourceProviderStub,
) -> None:
    assert details_of_create(server, "defect") == "Exception calling application: a defect"


def test_outside_of_a_server_the_error_is_raised_as_it_is() -> None:
    with pytest.raises(UserError, match="no worker responds"):
        FailingProvider().create({"what": "user"})


def test_methods_of_a_subclass_keep_their_names() -> None:
    assert FailingProvider.create.__name__ == "create"
