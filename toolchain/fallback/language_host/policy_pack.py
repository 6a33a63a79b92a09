"""A proxy for a policy pack, which starts the pack when the stack is known.

A pack reads its stack, project and config from the environment, so its process must not start
before the engine has sent ConfigureStack; but the engine sends that only to a plugin that already
listens. This server listens instead of the pack and forwards every later call unchanged.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import analyzer_pb2, language_pb2

from . import GRPC_OPTIONS
from .processes import Output, plugin_output

GRACE_SECONDS = 5.0
StartPack = Callable[[dict[str, str]], "subprocess.Popen[bytes]"]


def run_policy_pack(
    call: grpc.ServicerContext, start: StartPack
) -> Iterator[language_pb2.RunPluginResponse]:
    """Serve the pack until the engine ends the call; `start` gets the variables of the stack."""
    pack = PolicyPack(start)
    server = grpc.server(ThreadPoolExecutor(), handlers=[pack], options=GRPC_OPTIONS)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    if not call.add_callback(pack.output.close):
        pack.output.close()
    try:
        yield language_pb2.RunPluginResponse(stdout=f"{port}\n".encode())
        yield from plugin_output(pack.output)
        yield language_pb2.RunPluginResponse(exitcode=pack.exit_code())
    finally:
        # Open calls get the error of the pack, and not a cancellation.
        server.stop(grace=GRACE_SECONDS)


class PolicyPack(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Responds to the engine until the pack runs, then forwards calls to it."""

    def __init__(self, start: StartPack) -> None:
        self.output = Output()
        self._start = start
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: grpc.Channel | None = None

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        method = handler_call_details.method

        def respond(request: bytes, context: grpc.ServicerContext) -> bytes:
            return self._respond(method, request, context)

        return grpc.unary_unary_rpc_method_handler(respond)

    def exit_code(self) -> int:
        return self._process.wait() if self._process else 0

    def _respond(self, method: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        name = method.rpartition("/")[2]
        if name == "Handshake":
            return b""  # an empty AnalyzerHandshakeResponse
        if name == "Cancel":  # packs do not implement it and would log a traceback
            if self._process:
                self._process.terminate()
            return b""
        stack = stack_variables(request) if name == "ConfigureStack" else {}
        try:
            with self._starting:
                self._channel = self._channel or self._connect(stack)
            return bytes(self._channel.unary_unary(method)(request))
        except ChildProcessError as error:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
            raise  # never reached, because abort raises
        except grpc.RpcError as error:
            context.set_trailing_metadata(error.trailing_metadata() or ())
            context.abort(error.code(), error.details())
            raise

    def _connect(self, stack: dict[str, str]) -> grpc.Channel:
        process = self._process = self._start(stack)
        self.output.follow("stderr", process.stderr)
        for line in process.stdout or ():
            if line.strip().isdigit():
                self.output.follow("stdout", process.stdout)
                return grpc.insecure_channel(f"127.0.0.1:{int(line)}", options=GRPC_OPTIONS)
            self.output.put("stdout", line)  # printed during the import of the pack
        self.output.follow("stdout", None)
        raise ChildProcessError(
            f"The policy pack ended with exit code {process.wait()} before it was ready."
        )


def stack_variables(request: bytes) -> dict[str, str]:
    """The environment variables in which a pack expects the content of ConfigureStack."""
    stack = analyzer_pb2.AnalyzerStackConfigureRequest.FromString(request)
    variables = {
        "PULUMI_CONFIG": json.dumps(dict(stack.config)),
        "PULUMI_DRY_RUN": "true" if stack.dry_run else "false",
        "PULUMI_ORGANIZATION": stack.organization,
        "PULUMI_PROJECT": stack.project,
        "PULUMI_STACK": stack.stack,
    }
    return {name: value for name, value in variables.items() if value}
