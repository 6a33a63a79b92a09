"""`workers` of a stack file, by runtime."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.passwords import check_passwords
from mirrorstack.config.settings import check
from mirrorstack.findings import Finding

EXISTING = {
    "runtime": "existing",
    "rest-url": "https://connect.example:8083",
    "group": "connect-dr",
    "secret-reference": "${file:/etc/kafka/secrets.properties:{alias}}",
}


def declared(**workers: Any) -> dict[str, Any]:
    return {
        "clusters": {"east": {"sandbox": "default"}, "west": {"sandbox": "default"}},
        "flows": [{"from": "east", "to": "west", "topics": ["orders"]}],
        "workers": {"west": {key: value for key, value in workers.items() if value is not None}},
    }


def findings(**changes: Any) -> list[Finding]:
    return check(declared(**{**EXISTING, **changes}))[1]


def test_existing_workers_need_an_address_a_group_and_a_reference_to_passwords() -> None:
    assert findings() == []
    missing = findings(**dict.fromkeys(("rest-url", "group", "secret-reference")))

    assert [each.key for each in missing] == [
        "workers.west.rest-url",
        "workers.west.group",
        "workers.west.secret-reference",
    ]
    assert all("required with `runtime: existing`" in each.message for each in missing)


def test_clusters_without_passwords_need_no_reference() -> None:
    values = declared(**{**EXISTING, "secret-reference": None})
    values["clusters"] = {
        alias: {"bootstrap-servers": [f"{alias}:9092"], "security": {"protocol": "PLAINTEXT"}}
        for alias in ("east", "west")
    }

    assert check(values)[1] == []


@pytest.mark.parametrize(
    ("runtime", "changes"),
    [
        ("existing", {"count": 2}),
        ("existing", {"rest-port": 8083}),
        ("existing", {"heap-mb": 4096}),
        ("local-process", {"rest-url": "http://connect:8083"}),
        ("local-process", {"secret-reference": "${file:/s:{alias}}"}),
        ("local-process", {"rest-security": {"ca-file": "/ca.pem"}}),
    ],
)
def test_keys_of_another_runtime_are_errors(runtime: str, changes: dict[str, Any]) -> None:
    base = EXISTING if runtime == "existing" else {}

    (found,) = check(declared(**{**base, **changes}))[1]

    assert found.key == f"workers.west.{next(iter(changes))}"
    assert f"has no meaning with `runtime: {runtime}`" in found.message


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"rest-url": "connect:8083"}, "rest-url"),
        ({"rest-url": "ftp://connect:8083"}, "rest-url"),
        ({"rest-url": "https://deploy:hunter2@connect:8083"}, "rest-url"),
        ({"secret-reference": "${file:/s:password}"}, "secret-reference"),
        ({"secret-reference": "{alias}"}, "secret-reference"),
        ({"rest-security": {"authentication": "basic"}}, "rest-security.username"),
        ({"rest-security": {"username": "deploy"}}, "rest-security.username"),
        (
            {"rest-url": "http://c:1", "rest-security": {"certificate-file": "/c.pem"}},
            "rest-security.certificate-file",
        ),
    ],
)
def test_values_that_do_not_fit_are_errors(changes: dict[str, Any], key: str) -> None:
    (found,) = findings(**changes)

    assert found.key == f"workers.west.{key}"
    assert found.fix
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("security", "key"),
    [
        ({"authentication": "basic", "username": "deploy"}, "west-connect-password"),
        ({"authentication": "bearer"}, "west-connect-token"),
    ],
)
def test_the_secret_of_a_login_is_required_and_must_be_encrypted(
    security: dict[str, str], key: str
) -> None:
    settings, _ = check(declared(**EXISTING, **{"rest-security": security}))

    (missing,) = check_passwords(settings, {}, ())
    (plain,) = check_passwords(settings, {key: "x"}, ())

    assert missing.path == plain.path == (key,)
    assert "for Connect's REST API at west is missing" in missing.message
    assert "in plain text" in plain.message
    assert list(check_passwords(settings, {key: "x"}, (key,))) == []


class TestDedicatedMode:
    def found(self, flow: dict[str, Any] | None = None, **workers: Any) -> list[Finding]:
        values = declared(mode="dedicated", **workers)
        values["flows"][0] |= flow or {}
        return check(values)[1]

    @pytest.mark.parametrize("runtime", ["local-process", "docker", "kubernetes"])
    def test_it_runs_where_the_stack_starts_programs(self, runtime: str) -> None:
        found = self.found(runtime=runtime)

        assert [each for each in found if each.key == "workers.west.mode"] == []

    def test_workers_that_run_already_are_not_dedicated(self) -> None:
        found = [each.key for each in self.found(None, **EXISTING)]

        assert "workers.west.mode" in found

    @pytest.mark.parametrize(
        ("key", "value"),
        [("group", "mine"), ("rest-security", {"ca-file": "ca.pem"})],
    )
    def test_keys_of_connect_workers_have_no_meaning(self, key: str, value: Any) -> None:
        (finding, *_) = self.found(runtime="kubernetes", **{key: value})

        assert finding.key == f"workers.west.{key}"
        assert "has no meaning with `mode: dedicated`" in finding.message

    @pytest.mark.parametrize("state", ["paused", "stopped"])
    def test_a_flow_cannot_be_paused_or_stopped(self, state: str) -> None:
        (finding,) = self.found({"state": state})

        assert finding.key == "flows[0].state"
        assert "`mode: connect`" in finding.fix

    def test_there_is_no_login_for_a_rest_api(self) -> None:
        values = declared(mode="dedicated", runtime="docker", docker={"network": "host"})
        settings, findings = check(values)

        assert findings == []
        assert list(check_passwords(settings, {}, [])) == []
