"""The language service: what the engine asks about Python programs, and how they are run."""

# ruff: noqa: N802 - the names of the methods are the protocol's

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

from .environment import Environment, Unusable, ambient_python
from .policy_pack import run_policy_pack
from .processes import Output, Processes, plugin_output

EXECUTOR = "pulumi-language-python-exec"
# The executor's way to say that the program failed and that the user has been told why.
EXIT_CODE_ALREADY_SHOWN = 32


@contextmanager
def _explained(context: grpc.ServicerContext) -> Iterator[None]:
    """Turn what the user can mend into the call's error, which the engine shows once."""
    try:
        yield
    except Unusable as problem:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(problem))


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """Methods that are not here (mostly code generation) answer UNIMPLEMENTED."""

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
        with _explained(context):
            plugins = Environment.of(request.info).ask("plugins")
        return language_pb2.GetRequiredPackagesResponse(packages=map(required_package, plugins))

    def GetProgramDependencies(
        self, request: language_pb2.GetProgramDependenciesRequest, context: grpc.ServicerContext
    ) -> language_pb2.GetProgramDependenciesResponse:
        question = "all-packages" if request.transitiveDependencies else "packages"
        with _explained(context):
            packages = Environment.of(request.info).ask(question)
        return language_pb2.GetProgramDependenciesResponse(
            dependencies=[language_pb2.DependencyInfo(**package) for package in packages]
        )

    def About(
        self, request: language_pb2.AboutRequest, context: grpc.ServicerContext
    ) -> language_pb2.AboutResponse:
        with _explained(context):
            python = Environment.of(request.info).ask("python")
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
        with _explained(context):
            environment = Environment.of(request.info)
            for command in installation(environment):
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
                    raise Unusable(f"`{line}` ended with exit code {code}.")

    def Run(
        self, request: language_pb2.RunRequest, context: grpc.ServicerContext
    ) -> language_pb2.RunResponse:
        with _explained(context):
            environment = Environment.of(request.info)
            python = environment.python
            executor = self._executor or shutil.which(EXECUTOR)
            if executor is None:
                raise Unusable(f"{EXECUTOR} is not on PATH: put Pulumi's own directory there.")
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
        if code == EXIT_CODE_ALREADY_SHOWN:
            return language_pb2.RunResponse(bail=True)
        error = f"The program ended with exit code {code}." if code else ""
        return language_pb2.RunResponse(error=error)

    def RunPlugin(
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        is_policy_pack = request.kind == "analyzer"
        declared_in = "PulumiPolicy.yaml" if is_policy_pack else "PulumiPlugin.yaml"
        with _explained(context):
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
        self._processes.end_all()
        return empty_pb2.Empty()


def required_package(declared: Mapping[str, Any]) -> plugin_pb2.PackageDependency:
    def parameters(key: str) -> plugin_pb2.PackageParameterization | None:
        if not (given := declared.get(key)):
            return None
        value = base64.b64decode(given.get("value", ""))
        return plugin_pb2.PackageParameterization(
            name=given["name"], version=given["version"], value=value
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


def installation(environment: Environment) -> Iterator[list[str]]:
    """The commands that make the program's environment what its files say; none if it is so."""
    if environment.uses_uv:
        if not shutil.which("uv"):
            raise Unusable("uv is not on PATH: install it, for example with `pipx install uv`.")
        yield ["uv", "sync"]
        return
    if not environment.is_installed:
        yield [ambient_python(), "-m", "venv", str(environment.virtualenv)]
    if (environment.program / "requirements.txt").is_file():
        yield [environment.python, "-m", "pip", "install", "-r", "requirements.txt"]
