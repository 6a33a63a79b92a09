"""Checks of a connector's declaration, and of the credentials file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.health import Expectation
from mirrorstack.findings import UserError
from mirrorstack.planning.checks.connector_checks import (
    live_findings,
    local_findings,
    naming_findings,
)
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script

CONFIG = {"connector.class": "org.example.Mirror", "tasks.max": "many"}
VALIDATE = "PUT /connector-plugins/org.example.Mirror/config/validate"
SOURCE = "org.apache.kafka.connect.mirror.MirrorSourceConnector"
MIRROR = {
    "connector.class": SOURCE,
    "source.cluster.alias": "east",
    "source.cluster.bootstrap.servers": "east:9092",
    "target.cluster.bootstrap.servers": "west:9092",
}
VALIDATE_MIRROR = f"PUT /connector-plugins/{SOURCE}/config/validate"


def reasons(**inputs: Any) -> list[str]:
    return [str(finding) for finding in local_findings(inputs)]


def private(path: Path, content: str) -> Path:
    path.touch(mode=0o600)
    path.write_text(content)
    return path


class TestLocally:
    def test_unknown_inputs_are_not_checked(self) -> None:
        assert reasons() == []

    @pytest.mark.parametrize(
        ("inputs", "said"),
        [
            ({"state": "off"}, "state is 'off'; it must be one of running, paused, stopped"),
            ({"rest_url": "localhost:8083"}, "rest_url is 'localhost:8083'; it must be http"),
            ({"name": " "}, "name is empty"),
            ({"config": {"topics": "orders"}}, "connector.class is absent"),
            ({"config": CONFIG | {"name": "b"}, "name": "a"}, "config's own name is 'b'"),
        ],
    )
    def test_one_message_names_the_value_and_the_rule(
        self, inputs: dict[str, Any], said: str
    ) -> None:
        (reason,) = reasons(**inputs)
        assert reason.startswith(said)

    def test_secrets_are_reported_without_their_value(self) -> None:
        (reason,) = reasons(config=CONFIG | {"source.cluster.sasl.jaas.config": "hunter2"})

        assert reason.startswith("source.cluster.sasl.jaas.config looks like a secret")
        assert "hunter2" not in reason

    def test_an_address_with_a_password_is_reported_without_it(self) -> None:
        (reason,) = reasons(rest_url="http://operator:hunter2@localhost:8083")

        assert "credentials_file" in reason
        assert "hunter2" not in reason


class TestLive:
    def findings(self, url: str) -> list[str]:
        client = ConnectClient(url, retries=RetryPolicy(seconds=0))
        return [str(finding) for finding in live_findings(client, "orders", CONFIG)]

    def test_key_value_and_message_are_named(self, connect: Script) -> None:
        errors = {"name": "tasks.max", "value": None, "errors": ["Not a number of type INT"]}
        connect[VALIDATE] = (200, {"configs": [{"value": errors}]})

        assert self.findings(connect.url) == ["tasks.max is 'many': Not a number of type INT"]

    @pytest.mark.parametrize("status", [409, 500, 503])
    def test_a_worker_that_cannot_answer_now_fails_no_preview(
        self, connect: Script, status: int
    ) -> None:
        connect[VALIDATE] = (status, {"message": "later"})

        assert self.findings(connect.url) == []

    def test_an_unreachable_worker_fails_no_preview(self) -> None:
        with refused_connections() as url:
            assert self.findings(url) == []

    @pytest.mark.parametrize("status", [400, 401])
    def test_an_error_of_the_worker_is_reported(self, connect: Script, status: int) -> None:
        connect[VALIDATE] = (status, {"message": "no"})

        (reason,) = self.findings(connect.url)
        assert f"{status}: no" in reason


class TestLiveWithTheCatalogue:
    """A worker validates the keys that its connector declares, and no others."""

    def findings(self, url: str, config: dict[str, str]) -> list[str]:
        client = ConnectClient(url, retries=RetryPolicy(seconds=0))
        return [str(one) for one in live_findings(client, "orders", MIRROR | config)]

    def valid(self, *declared: str) -> tuple[int, Any]:
        return 200, {"configs": [{"value": {"name": key, "errors": []}} for key in declared]}

    @pytest.mark.parametrize(
        ("java_class", "count"),
        [("com.example.Own", 0), ("org.apache.kafka.connect.mirror.NoSuchPolicy", 1)],
    )
    def test_a_worker_may_get_the_jar_of_a_policy_with_the_deployment(
        self, connect: Script, java_class: str, count: int
    ) -> None:
        key = "replication.policy.class"
        unknown = {"name": key, "value": None, "errors": ["Class could not be found"]}
        connect[VALIDATE_MIRROR] = (200, {"configs": [{"value": unknown}]})

        assert len(self.findings(connect.url, {key: java_class})) == count

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            ({"task.max": "2"}, "did you mean `tasks.max`?"),
            ({"topics.blacklist": "a"}, "was removed in Kafka 4.0"),
            ({"consumer.max.pol.records": "1"}, "did you mean `consumer.max.poll.records`?"),
            ({"producer.override.linger.ms": "soon"}, "it must be a whole number"),
            ({"topics": "*"}, "no valid Java pattern"),
        ],
    )
    def test_keys_that_a_worker_does_not_validate_are_checked_with_and_without_it(
        self, connect: Script, config: dict[str, str], said: str
    ) -> None:
        connect[VALIDATE_MIRROR] = self.valid("tasks.max", "topics")

        (reason,) = self.findings(connect.url, config)
        assert said in reason
        with refused_connections() as url:
            assert self.findings(url, config) == [reason]

    def test_the_worker_decides_about_its_own_keys(self, connect: Script) -> None:
        connect[VALIDATE_MIRROR] = self.valid("brought.by.kafka.5", "tasks.max")

        assert self.findings(connect.url, {"brought.by.kafka.5": "1", "tasks.max": "many"}) == []

    def test_a_key_that_both_reject_is_reported_once_with_the_worker_s_message(
        self, connect: Script
    ) -> None:
        errors = {"name": "tasks.max", "errors": ["Not a number of type INT"]}
        connect[VALIDATE_MIRROR] = (200, {"configs": [{"value": errors}]})

        assert self.findings(connect.url, {"tasks.max": "many"}) == [
            "tasks.max is 'many': Not a number of type INT"
        ]

    def test_a_warning_is_not_reported(self, connect: Script) -> None:
        connect[VALIDATE_MIRROR] = self.valid()

        assert self.findings(connect.url, {"sync.group.offsets.enabled": "true"}) == []


class TestCredentials:
    @pytest.mark.parametrize(
        "content",
        [
            '{"username": "operator", "password": "p=1"}',
            "# REST\nusername = operator\npassword=p=1\n",
        ],
    )
    def test_json_and_properties_are_read(self, tmp_path: Path, content: str) -> None:
        found = credentials.load(private(tmp_path / "rest", content))

        assert (found.username, found.password) == ("operator", "p=1")
        assert "p=1" not in repr(found)

    def test_a_file_that_others_may_read_is_rejected(self, tmp_path: Path) -> None:
        file = private(tmp_path / "rest", "username=a\npassword=hunter2\n")
        file.chmod(0o640)

        with pytest.raises(UserError, match="its mode is 0640") as problem:
            credentials.load(file)

        assert "hunter2" not in str(problem.value)
        assert reasons(credentials_file=str(file)) == [str(problem.value)]

    @pytest.mark.parametrize("content", ["", "username=a\n", '{"username": "a"}'])
    def test_a_missing_field_is_reported(self, tmp_path: Path, content: str) -> None:
        with pytest.raises(UserError, match=r"has no .*password"):
            credentials.load(private(tmp_path / "rest", content))

    def test_broken_json_is_not_quoted(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="neither JSON nor properties") as problem:
            credentials.load(private(tmp_path / "rest", '{"password": "hunter2"'))

        assert "hunter2" not in str(problem.value)

    def test_a_file_that_does_not_exist_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="rest cannot be read: No such file"):
            credentials.load(tmp_path / "rest")

    def test_a_file_that_is_yet_to_be_written_is_accepted(self, tmp_path: Path) -> None:
        assert reasons(credentials_file=str(tmp_path / "rest")) == []


BEFORE: dict[str, Any] = {
    "config": {"replication.policy.separator": "."},
    "names": "{source}_{topic}",
}
EXPECT = Expectation(partitions={"orders": 1, "clicks": 1})
NOW = {**BEFORE, "expect": EXPECT.encoded(), "new_topics": ["orders"]}


class TestNaming:
    """The target topics of `clicks` exist already under their new names."""

    def test_unchanged_names_are_accepted(self) -> None:
        assert naming_findings(BEFORE, NOW) == []

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"config": {"replication.policy.separator": "_"}}, "separator changes from . to _"),
            ({"names": "{topic}"}, "policy.name changes from {source}_{topic} to {topic}"),
        ],
    )
    def test_other_names_would_skip_records_of_existing_target_topics(
        self, changes: dict[str, Any], said: str
    ) -> None:
        (finding,) = naming_findings(BEFORE, NOW | changes)

        assert said in finding.message
        assert finding.topic == "clicks"
