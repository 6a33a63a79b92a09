"""Passwords are secrets of the stack, one for each principal that needs one."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.passwords import check_passwords
from mirrorstack.findings import Finding
from tests.unit.config.stacks import outside_cluster, settings_with

KEYS = ("east-mirror-password", "east-admin-password")
GIVEN = dict.fromkeys(KEYS, "x")


def findings(
    given: dict[str, str], secret: tuple[str, ...] | None = None, **changes: Any
) -> list[Finding]:
    settings = settings_with(outside_cluster(**changes))
    return list(check_passwords(settings, given, tuple(given) if secret is None else secret))


def test_nothing_is_found_if_all_are_encrypted_secrets() -> None:
    assert findings(GIVEN) == []


def test_plaintext_listeners_and_sandboxes_need_none() -> None:
    assert findings({}, principals=None, security={"protocol": "PLAINTEXT"}) == []


def test_a_missing_one_comes_with_the_command_that_sets_it() -> None:
    (finding,) = findings({"east-mirror-password": "x"})

    assert finding.message == ("east-admin-password: the password of platform on east is missing")
    assert "`pulumi config set --secret east-admin-password`" in finding.fix


def test_an_empty_one_is_missing() -> None:
    (finding,) = findings({**GIVEN, "east-admin-password": ""})

    assert finding.path == ("east-admin-password",)


def test_one_in_plain_text_is_found_and_not_shown() -> None:
    (finding,) = findings({**GIVEN, "east-mirror-password": "hunter2"}, secret=KEYS[1:])

    assert "in plain text" in finding.message
    assert "hunter2" not in str(finding)


def test_one_in_plain_text_is_found_even_if_the_settings_are_invalid() -> None:
    (finding,) = check_passwords(None, GIVEN, KEYS[:1])

    assert finding.path == ("east-admin-password",)


def test_one_that_is_no_longer_needed_is_to_be_removed() -> None:
    (finding,) = findings(GIVEN, administer=False)

    assert finding.message == "east-admin-password: matches no principal in this stack"
    assert finding.fix == "remove it: `pulumi config rm east-admin-password`"


def test_a_mistyped_key_is_found_with_the_one_that_was_meant() -> None:
    wrong, missing = findings({"esat-mirror-password": "x", "east-admin-password": "x"})

    assert wrong.fix == "did you mean `east-mirror-password`?"
    assert missing.path == ("east-mirror-password",)
