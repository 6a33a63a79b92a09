"""Connect workers as containers of a Docker host."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pulumi
import pulumi_docker as docker

from components.platforms.container_health import ContainerHealth
from components.platforms.worker_secrets import cluster_passwords, rest_password
from mirrorstack.config.docker_workers import HOST_NETWORK
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.docker import DIRECTORY, SECRETS
from mirrorstack.runtimes.worker_container import (
    HEALTH,
    JARS,
    LOG_CONFIG,
    LOGIN,
    command,
    environment,
    jar_names,
    memory_mb,
    plain_files,
    rest_files,
)
from mirrorstack.runtimes.worker_files import secrets_text

GRACE_SECONDS = 30
LOG_OPTIONS = {"max-size": "10m", "max-file": "4"}


def docker_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The containers of one target, and what they need. `components.workers` looks this function
    up by the runtime."""
    options = workers.placement.options
    provider = docker.Provider(f"{name}-docker", host=options["daemon"], opts=opts)
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(provider=provider))
    image = docker.RemoteImage(f"{name}-image", name=options["image"], keep_locally=True, opts=opts)
    network = _network(name, options, opts)
    secrets = _secret_files(workers)
    created: list[pulumi.Resource] = []
    for number, config in enumerate(workers.configs, start=1):
        # One after the other: the tasks of a worker that is replaced run on the others meanwhile.
        after = pulumi.ResourceOptions(depends_on=created[-1:], delete_before_replace=True)
        container = docker.Container(
            f"{name}-{number}",
            _container(number, config, workers, image, network, secrets),
            pulumi.ResourceOptions.merge(opts, after),
        )
        healthy = pulumi.ResourceOptions(parent=opts.parent, depends_on=[container])
        health = ContainerHealth(
            f"{name}-{number}-health",
            options["daemon"],
            f"{options['name']}-{number}",
            container.id,
            healthy,
        )
        created += [container, health]
    return created


def _network(
    name: str, options: Mapping[str, str], opts: pulumi.ResourceOptions
) -> pulumi.Input[str]:
    if options["network"]:
        return options["network"]
    return docker.Network(f"{name}-network", name=options["name"], opts=opts).name


def _container(
    number: int,
    config: Mapping[str, str],
    workers: WorkerDeployment,
    image: docker.RemoteImage,
    network: pulumi.Input[str],
    secrets: Mapping[PurePosixPath, pulumi.Input[str]],
) -> docker.ContainerArgs:
    options = workers.placement.options
    port = urlsplit(workers.placement.rest_urls[number - 1]).port or 0
    on_host = options["network"] == HOST_NETWORK
    memory = memory_mb(workers.heap_mb)
    files = {
        **{DIRECTORY / file: text for file, text in plain_files(config, DIRECTORY).items()},
        **secrets,
    }
    login = DIRECTORY / LOGIN if workers.group.has_rest_api else None
    variables = environment(workers.heap_mb, login, DIRECTORY / LOG_CONFIG, jars=bool(workers.jars))
    program, *arguments = command(config, DIRECTORY)
    return docker.ContainerArgs(
        name=f"{options['name']}-{number}",
        image=image.image_id,
        entrypoints=[program],
        command=arguments,
        envs=[f"{key}={value}" for key, value in variables.items()],
        uploads=[
            docker.ContainerUploadArgs(file=str(file), content=content, permissions="0444")
            for file, content in files.items()
        ]
        + _jars(workers),
        network_mode=HOST_NETWORK if on_host else "bridge",
        networks_advanced=None if on_host else [docker.ContainerNetworksAdvancedArgs(name=network)],
        ports=None
        if on_host
        else [docker.ContainerPortArgs(internal=port, external=port, ip=options["publish"])],
        memory=memory,
        # Without it every preview shows a difference.
        memory_swap=memory,
        restart="unless-stopped",
        stop_timeout=GRACE_SECONDS,
        destroy_grace_seconds=GRACE_SECONDS,
        log_driver="json-file",
        log_opts=LOG_OPTIONS,
        capabilities=docker.ContainerCapabilitiesArgs(drops=["ALL"]),
        security_opts=["no-new-privileges:true"],
        healthcheck=docker.ContainerHealthcheckArgs(
            tests=["CMD", "bash", str(DIRECTORY / HEALTH)],
            interval="5s",
            timeout="5s",
            retries=6,
            start_period="1m0s",
        ),
    )


def _secret_files(workers: WorkerDeployment) -> dict[PurePosixPath, pulumi.Output[str]]:
    """Uploaded into the container: neither its environment nor its labels hold a secret."""
    files = {SECRETS: secrets_text(cluster_passwords(workers))}
    if workers.group.has_rest_api:
        rest = rest_files(rest_password(workers), DIRECTORY)
        files |= {DIRECTORY / file: text for file, text in rest.items()}
    return {file: pulumi.Output.secret(content) for file, content in files.items()}


def _jars(workers: WorkerDeployment) -> list[docker.ContainerUploadArgs]:
    names = jar_names([jar.path for jar in workers.jars])
    return [
        docker.ContainerUploadArgs(
            file=str(JARS / name), source=str(jar.path), source_hash=jar.sha256
        )
        for name, jar in zip(names, workers.jars, strict=True)
    ]
