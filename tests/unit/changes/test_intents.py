"""An intent acknowledges one change, once."""

from __future__ import annotations

from mirrorstack.changes.intents import ExemptReason, Intents, unneeded_intents, used_intents
from mirrorstack.config.intents import Intent


def test_an_intent_applies_unless_an_earlier_deployment_used_it() -> None:
    declared = {"a": "discard"}

    assert Intents(declared).of("a") == "discard"
    assert Intents(declared, used=["a"]).of("a") is None
    assert Intents(declared).of("b") is None


def test_the_fix_names_the_setting_and_what_to_do_with_a_used_one() -> None:
    setting = "declare `mirrorstack:intent: {a: resume}`"

    assert Intents({}).declare("a", Intent.RESUME) == setting
    assert Intents({}, used=["a"]).declare("a", Intent.RESUME) == (
        f"{setting} again (an earlier deployment used it: remove it and deploy first)"
    )


def test_a_used_intent_stays_used_until_it_is_changed_or_removed() -> None:
    assert list(used_intents({"a": "discard"}, {"a": "discard"}, {"a"})) == ["a"]
    assert list(used_intents({"a": "discard"}, {"a": "resume"}, {"a"})) == []
    assert list(used_intents({}, {"a": "discard"}, {"a"})) == []
    assert list(used_intents({"a": "discard"}, {"a": "discard"}, ())) == []


def test_a_close_name_that_changes_is_suggested_before_a_closer_one_that_does_not() -> None:
    intents = Intents({"east-to-west-sourc": "discard"})
    (finding,) = unneeded_intents(
        intents, ["east-to-west2-source"], unchanged=["east-to-west-source"]
    )

    assert finding.fix.startswith("did you mean `east-to-west2-source`?")


def test_every_exempt_reason_has_a_text() -> None:
    assert all(reason.text for reason in ExemptReason)
