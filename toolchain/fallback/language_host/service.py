"""The gRPC service of the language host: runs Python programs and reports their packages."""

# ruff: noqa: N802 - the method names are those of the protocol

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from subprocess import Popen
from typing import Any

import grpc  # type: ignore[import-untyped]
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2

from .environment import Environment, HostError, default_python
from .policy_pack import run_policy_pack
from .processes import Output, Processes, plugin_output

EXECUTOR = "pulumi-language-python-exec"
# Exit code of the executor: the program failed and its error is already printed.
EXIT_CODE_ALREADY_PRINTED = 32


@contextmanager
def _reporting_errors(context: grpc.ServicerContext) -> Iterator[None]:
    """Turn a HostError into the status of the call, which the engine prints once."""
    try:
        yield
    except HostError as error:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """Methods that are not defined here (mostly code generation) return UNIMPLEMENTED."""

    def __init__(
        self, processes: Processes, engine: str, *, executor: str = "", tracing: str = ""
    ) -> None:
        self._processes = processes
        self._engine = engine
        self._executor = executor
        self._tracing = tracing

    def Handshake(
        self, request: language_pb2.LanguageHandshakeRequest, context: grpc.ServicerContext
    ) -> language_pb2.LanguageHandshakeResponse:
        self._engine = request.engine_address
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(
        self, request: empty_pb2.Empty, context: grpc.ServicerContext
    ) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version=metadata.version("pulumi"))

    def GetRequiredPackages(
        self, request: language_pb2.GetRequiredPackagesRequest, context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPackagesResponse:
        with _reporting_errors(context):
            plugins = Environment.of(request.info).query("plugins")
        return language_pb2.GetRequiredPackagesResponse(packages=map(required_package, plugins))

    def GetProgramDependencies(
        self, request: language_pb2.GetProgramDependenciesRequest, context: grpc.ServicerContext
    ) -> language_pb2.GetProgramDependenciesResponse:
        query = "all-packages" if request.transitiveDependencies else "packages"
        with _reporting_errors(context):
            packages = Environment.of(request.info).query(query)
        return language_pb2.GetProgramDependenciesResponse(
            dependencies=[language_pb2.DependencyInfo(**package) for package in packages]
        )

    def About(
        self, request: language_pb2.AboutRequest, context: grpc.ServicerContext
    ) -> language_pb2.AboutResponse:
        with _reporting_errors(context):
            python = Environment.of(request.info).query("python")
        return language_pb2.AboutResponse(**python)

    def RuntimeOptionsPrompts(
        self, request: language_pb2.RuntimeOptionsRequest, context: grpc.ServicerContext
    ) -> language_pb2.RuntimeOptionsResponse:
        return language_pb2.RuntimeOptionsResponse()

    def Template(
        self, request: language_pb2.TemplateRequest, context: grpc.ServicerContext
    ) -> language_pb2.TemplateResponse:
        return language_pb2.TemplateResponse()

    def InstallDependencies(
        self, request: language_pb2.InstallDependenciesRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.InstallDependenciesResponse]:
        with _reporting_errors(context):
            environment = Environment.of(request.info)
            for command in install_commands(environment):
                line = " ".join(command)
                yield language_pb2.InstallDependenciesResponse(stdout=f"$ {line}\n".encode())
                process = self._processes.start(
                    context,
                    command,
                    directory=environment.program,
                    environ=environment.activated(os.environ),
                    piped=True,
                )
                for stream, chunk in Output.of(process):
                    yield language_pb2.InstallDependenciesResponse(**{stream: chunk})
                if code := process.wait():
                    raise HostError(f"`{line}` ended with exit code {code}.")

    def Run(
        self, request: language_pb2.RunRequest, context: grpc.ServicerContext
    ) -> language_pb2.RunResponse:
        with _reporting_errors(context):
            environment = Environment.of(request.info)
            python = environment.python
            executor = self._executor or shutil.which(EXECUTOR)
            if executor is None:
                raise HostError(f"{EXECUTOR} is not on PATH: add Pulumi's directory to it.")
        environ = environment.activated(os.environ) | {
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }

        def run(*arguments: str) -> int:
            command = [python, "-u", *arguments]
            directory = Path(request.pwd)
            return self._processes.start(
                context, command, directory=directory, environ=environ
            ).wait()

        checker = environment.type_checker
        if checker and run("-m", checker, "."):
            return language_pb2.RunResponse(error=f"{checker} found errors in the program.")
        flags = executor_flags(request, self._engine, self._tracing)
        code = run(executor, *flags, request.info.entry_point or ".", *request.args)
        if code == EXIT_CODE_ALREADY_PRINTED:
            return language_pb2.RunResponse(bail=True)
        error = f"The program ended with exit code {code}." if code else ""
        return language_pb2.RunResponse(error=error)

    def RunPlugin(
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        is_policy_pack = request.kind == "analyzer"
        declared_in = "PulumiPolicy.yaml" if is_policy_pack else "PulumiPlugin.yaml"
        with _reporting_errors(context):
            environment = Environment.of(request.info, declared_in)
            python = environment.python
        environ = environment.activated(dict(entry.split("=", 1) for entry in request.env))
        program = request.info.program_directory

        def start_pack(stack: dict[str, str]) -> Popen[bytes]:
            command = [python, "-u", "-m", "pulumi.policy", *request.args, program]
            return self._processes.start(
                context, command, directory=Path(program), environ=environ | stack, piped=True
            )

        if is_policy_pack:
            yield from run_policy_pack(context, start_pack)
            return
        process = self._processes.start(
            context,
            [python, "-u", program, *request.args],
            directory=Path(request.pwd),
            environ=environ,
            piped=True,
        )
        yield from plugin_output(Output.of(process))
        yield language_pb2.RunPluginResponse(exitcode=process.wait())

    def Cancel(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> empty_pb2.Empty:
        self._processes.stop_all()
        return empty_pb2.Empty()


def required_package(declared: Mapping[str, Any]) -> plugin_pb2.PackageDependency:
    def parameters(key: str) -> plugin_pb2.PackageParameterization | None:
        if not (declared_parameters := declared.get(key)):
            return None
        value = base64.b64decode(declared_parameters.get("value", ""))
        return plugin_pb2.PackageParameterization(
            name=declared_parameters["name"], version=declared_parameters["version"], value=value
        )

    return plugin_pb2.PackageDependency(
        kind="resource",
        name=declared["name"],
        version=declared["version"],
        server=declared.get("server", ""),
        parameterization=parameters("parameterization"),
        extension=parameters("extensionParameterization"),
    )


def executor_flags(request: language_pb2.RunRequest, engine: str, tracing: str) -> list[str]:
    values = {
        "monitor": request.monitor_address,
        "engine": engine,
        "project": request.project,
        "root_directory": request.info.root_directory,
        "stack": request.stack,
        "organization": request.organization,
        "pwd": request.pwd,
        "dry_run": "true" if request.dryRun else "",
        "parallel": str(request.parallel),
        "tracing": tracing,
    }
    return [part for flag, value in values.items() if value for part in (f"--{flag}", value)]


def install_commands(environment: Environment) -> Iterator[list[str]]:
    """The commands that install the program's dependencies; none if there is nothing to do."""
    if environment.uses_uv:
        if not shutil.which("uv"):
            raise HostError("uv is not on PATH: install it, for example with `pipx install uv`.")
        yield ["uv", "sync"]
        return
    if not environment.is_installed:
        yield [default_python(), "-m", "venv", str(environment.virtualenv)]
    if (environment.program / "requirements.txt").is_file():
        yield [environment.python, "-m", "pip", "install", "-r", "requirements.txt"]
