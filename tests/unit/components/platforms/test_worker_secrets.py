"""The passwords of workers, from the stack's config."""

from __future__ import annotations

from pulumi.runtime import set_all_config

from components.platforms.worker_secrets import cluster_passwords, rest_password
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.base import WorkerPlacement


def test_passwords_are_read_by_their_keys() -> None:
    set_all_config(
        {"mirrorstack:east-mirror-password": "a", "mirrorstack:west-connect-password": "b"}, []
    )
    workers = WorkerDeployment(
        group=WorkerGroup.of("west", ()),
        settings=WorkerSettings(),
        placement=WorkerPlacement(
            rest_urls=("http://connect:8083",),
            login=RestLogin(password_key="west-connect-password"),
        ),
        configs=(),
        heap_mb=512,
        passwords={"east": PasswordReference(config_key="east-mirror-password")},
    )

    assert cluster_passwords(workers) == {"east": "a"}
    assert rest_password(workers) == "b"
