"""Clusters of a stack file: of a sandbox, or by their addresses, with users and passwords."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.clusters import ClusterSettings
from mirrorstack.config.passwords import check_passwords
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError

WHERE = "stacks/Pulumi.test.yaml"
USERS = {"mirror": "mm2", "admin": "platform"}


def outside(**changes: Any) -> dict[str, Any]:
    plain = {"bootstrap-servers": ["kafka-1.example:9093"], "principals": USERS}
    return {key: value for key, value in (plain | changes).items() if value is not None}


def settings(east: dict[str, Any]) -> StackSettings:
    flow = {"from": "east", "to": "west", "topics": ["orders"]}
    clusters = {"east": east, "west": {"sandbox": "default"}}
    return parse({"clusters": clusters, "flows": [flow]}, WHERE)


def message(east: dict[str, Any]) -> str:
    with pytest.raises(UserError) as raised:
        settings(east)
    return str(raised.value)


def test_a_cluster_is_in_a_sandbox_or_has_addresses() -> None:
    assert settings(outside()).clusters["east"].security.protocol == "SASL_SSL"
    assert "has neither" in message({})
    assert "has both" in message(outside(sandbox="default"))


def test_what_belongs_to_the_other_kind_of_cluster_is_refused() -> None:
    assert "remove `principals`" in message({"sandbox": "default", "principals": USERS})
    assert "which of a sandbox's clusters" in message(outside(cluster="east"))


@pytest.mark.parametrize("address", ["kafka", "kafka:", ":9092", "kafka:0", "a:1,b:2", "k:99999"])
def test_an_address_must_be_a_host_and_a_port(address: str) -> None:
    said = message(outside(**{"bootstrap-servers": [address]}))

    assert f"has {address!r}, which is not host:port" in said


def test_who_we_are_must_be_said_where_passwords_are_used() -> None:
    assert "principals.mirror is missing" in message(outside(principals={"admin": "platform"}))
    assert "say `administer: false`" in message(outside(principals={"mirror": "mm2"}))
    assert settings(outside(principals={"mirror": "mm2"}, administer=False))
    assert settings(outside(principals=None, security={"protocol": "PLAINTEXT"}))


def test_a_mistyped_mechanism_names_the_choice() -> None:
    said = message(outside(security={"mechanism": "SCRAM"}))

    assert "clusters.east.security.mechanism is 'SCRAM'" in said
    assert "it must be PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512" in said


@pytest.mark.parametrize(("live", "factor"), [(1, 1), (2, 2), (3, 3), (12, 3)])
def test_the_replication_factor_is_three_or_as_many_as_there_are_brokers(
    live: int, factor: int
) -> None:
    assert ClusterSettings().factor(live) == factor


def test_a_broker_that_is_away_does_not_change_the_factor() -> None:
    assert ClusterSettings(brokers=3).factor(live_brokers=2) == 3


def test_a_factor_above_the_number_of_brokers_is_refused() -> None:
    said = message(outside(brokers=2, **{"replication-factor": 3}))

    assert "clusters.east.replication-factor is 3, and east has 2 brokers" in said


class TestPasswords:
    KEYS = ("east-mirror-password", "east-admin-password")

    def check(self, secret: tuple[str, ...] = KEYS, **given: str) -> str:
        with pytest.raises(UserError) as raised:
            check_passwords(
                settings(outside()),
                {key.replace("_", "-"): value for key, value in given.items()},
                secret,
                WHERE,
            )
        return str(raised.value)

    def test_all_that_are_needed_pass(self) -> None:
        given = dict.fromkeys(self.KEYS, "x")

        assert check_passwords(settings(outside()), given, self.KEYS, WHERE) == given

    def test_sandboxes_and_plaintext_need_none(self) -> None:
        open_to_all = outside(principals=None, security={"protocol": "PLAINTEXT"})

        assert check_passwords(settings(open_to_all), {}, (), WHERE) == {}

    def test_a_missing_one_is_named_with_what_to_type(self) -> None:
        said = self.check(east_mirror_password="x")

        assert "east-admin-password is missing: the password of platform on east" in said
        assert "`pulumi config set --secret east-admin-password`" in said

    def test_one_in_plain_text_is_refused_and_not_shown(self) -> None:
        said = self.check(secret=(), east_mirror_password="hunter2")

        assert "stands there in plain text" in said
        assert "hunter2" not in said

    def test_one_that_is_needed_no_longer_is_to_be_removed(self) -> None:
        guest = settings(outside(administer=False))

        with pytest.raises(UserError) as raised:
            check_passwords(guest, {"east-admin-password": "x"}, self.KEYS, WHERE)

        assert raised.value.fix == "remove it: `pulumi config rm east-admin-password`"

    def test_a_mistyped_key_is_reported_with_a_suggestion(self) -> None:
        assert "did you mean `east-mirror-password`?" in self.check(esat_mirror_password="x")
