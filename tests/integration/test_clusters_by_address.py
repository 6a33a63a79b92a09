"""Clusters by bootstrap servers, user name and password; and programs that embed the stack.

The clusters are those of the shared sandbox, but the stack is not told so.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import (
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialDeletion,
    UserScramCredentialUpsertion,
)

from mirrorstack.local.home import ROOT
from mirrorstack.local.kafka_installation import QUICK_START
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import (
    Place,
    admin,
    equal_within,
    fill,
    flow,
    mirroring_project,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

TOPIC, USER = "outside-orders", "mm2"
# Must survive a properties file, a config provider and JAAS quoting.
PASSWORD, NEXT_PASSWORD = 'p"a\\ss $w{o}rd=:#!', "next"


def set_password(place: Place, password: str) -> None:
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
    change = UserScramCredentialUpsertion(USER, info, password.encode())
    admin(*place).alter_user_scram_credentials([change])[USER].result(15)


def forget_user(place: Place) -> None:
    change = UserScramCredentialDeletion(USER, ScramMechanism.SCRAM_SHA_512)
    admin(*place).alter_user_scram_credentials([change])[USER].result(15)


class Outside:
    """A stack with bootstrap servers, user names, and passwords as Pulumi secrets."""

    def __init__(self, project: PulumiProject, sandbox: Sandbox) -> None:
        self.project = project
        project.timeout = 600  # Spark starts
        self.places = {str(cluster): (sandbox, cluster) for cluster in Cluster}
        project.configure(
            {
                "clusters": {alias: self._cluster(place) for alias, place in self.places.items()},
                "flows": [flow(TOPIC)],
                "workers": {"west": {"group": "outside"}},
                "delete-topics": True,
                "smoke-test": {},
            }
        )
        for alias, (_, cluster) in self.places.items():
            password = sandbox.connection(cluster, Principal.ADMIN).password
            self.secret(f"{alias}-admin-password", password)
            self.set_password(alias, PASSWORD)

    def _cluster(self, place: Place) -> dict[str, Any]:
        sandbox, cluster = place
        where = sandbox.connection(cluster, Principal.ADMIN)
        return {
            "bootstrap-servers": where.bootstrap_servers.split(","),
            "brokers": 1,
            "security": {"ca-file": str(where.ca_path)},
            "principals": {"mirror": USER, "admin": "admin"},
        }

    def secret(self, key: str, value: str) -> None:
        self.project.pulumi("config", "set", "--secret", key, value)

    def set_password(self, alias: str, password: str) -> None:
        set_password(self.places[alias], password)
        self.secret(f"{alias}-mirror-password", password)

    def decrypted_state(self) -> str:
        """All resources but the providers, with secrets in plain text."""
        exported = json.loads(self.project.pulumi("stack", "export", "--show-secrets"))
        resources = exported["deployment"]["resources"]
        kept = [each for each in resources if not each["type"].startswith("pulumi:providers:")]
        # A secret is JSON text within the JSON.
        return repr([_unwrapped(each) for each in kept])

    def everything_kept(self) -> str:
        """The state, the stack file and everything else that Pulumi wrote, unescaped."""
        files = [*self.project.state.rglob("*"), *self.project.directory.rglob("*.yaml")]
        texts = [file.read_text() for file in files if file.is_file()]
        return "\n".join(texts).replace('\\"', '"').replace("\\\\", "\\")


def _unwrapped(value: Any) -> Any:
    if isinstance(value, dict):
        if "plaintext" in value:
            return _unwrapped(json.loads(value["plaintext"]))
        return {key: _unwrapped(item) for key, item in value.items()}
    return [_unwrapped(item) for item in value] if isinstance(value, list) else value


@pytest.fixture
def outside(tmp_path: Path, home: Path, sandbox: Sandbox) -> Iterator[Outside]:
    fill((sandbox, Cluster.EAST), TOPIC)
    stack = Outside(mirroring_project(tmp_path, home), sandbox)
    yield stack
    stack.project.pulumi("destroy", "--yes", "--skip-preview")
    for place in stack.places.values():
        forget_user(place)


def test_clusters_by_address_with_passwords_as_secrets(
    outside: Outside, sandbox: Sandbox, home: Path
) -> None:
    said = outside.project.up()
    assert "east->west: comparing records" in said, "a long step shows its progress"
    assert '"verdict": "equal"' in (home / "verify" / "dev" / "report.json").read_text()
    equal_within(sandbox, {TOPIC: f"east.{TOPIC}"})
    (worker,) = [process for each in all_below(home) if (process := each.process())]
    assert not set(QUICK_START) & set(worker.cmdline()), "it stays, so it is to be fast"
    outside.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    outside.project.up("--expect-no-changes")

    kept = outside.everything_kept()
    passwords = [sandbox.connection(cluster, Principal.ADMIN).password for cluster in Cluster] + [
        PASSWORD
    ]
    assert TOPIC in kept, "what is searched must be the real thing"
    assert not [password for password in passwords if password in kept]

    # The password is changed on the cluster only: the error says so.
    set_password(outside.places["east"], NEXT_PASSWORD)
    said = outside.project.up(fails=True)
    assert f"authentication failed for {USER}: the user name or the password is wrong" in said
    assert "`pulumi config set --secret east-mirror-password`" in said
    assert "Traceback" not in said

    outside.secret("east-mirror-password", NEXT_PASSWORD)
    outside.project.up()
    assert TOPIC in outside.decrypted_state(), "what is searched must be the state"
    assert repr(PASSWORD) not in outside.decrypted_state(), "resources hold references only"
    assert repr(NEXT_PASSWORD) not in outside.decrypted_state()
    write((sandbox, Cluster.EAST), TOPIC, records=50)
    equal_within(sandbox, {TOPIC: f"east.{TOPIC}"})


def test_a_missing_or_plain_text_password_is_rejected(
    tmp_path: Path, home: Path, sandbox: Sandbox
) -> None:
    stack = Outside(mirroring_project(tmp_path, home), sandbox)
    stack.project.pulumi("config", "rm", "west-admin-password")
    missing = stack.project.pulumi("preview", fails=True)
    stack.project.pulumi("config", "set", "west-admin-password", "hunter2")
    plain = stack.project.pulumi("preview", fails=True)

    assert "west-admin-password: the password of admin on west is missing" in missing
    assert "west-admin-password: the password is in plain text" in plain
    assert "hunter2" not in plain


def test_the_embedding_example_replicates(tmp_path: Path, home: Path, sandbox: Sandbox) -> None:
    fill((sandbox, Cluster.EAST), "invoices-2026")
    project = mirroring_project(tmp_path, home)
    shutil.copy2(ROOT / "docs" / "embedding" / "__main__.py", project.directory)
    project.configure({"sandbox": "shared"})

    project.up()
    try:
        equal_within(sandbox, {"invoices-2026": "east.invoices-2026"})
        outputs = json.loads(project.pulumi("stack", "output", "--json"))
        assert outputs == {"topics": ["east.invoices-2026"]}
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
        assert not [worker for worker in all_below(home) if worker.process()]
