"""The types that all settings share."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from mirrorstack.config.base import Alias, ConfigValue, SettingsModel


@pytest.mark.parametrize(
    ("written", "text"), [(3, "3"), (0.5, "0.5"), (True, "true"), ("none", "none")]
)
def test_numbers_and_booleans_become_the_text_that_kafka_reads(written: object, text: str) -> None:
    assert TypeAdapter(ConfigValue).validate_python(written) == text


@pytest.mark.parametrize("alias", ["ea.st", "ea st", "", "e" * 101])
def test_an_alias_is_a_short_word_without_the_separator_of_topic_names(alias: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Alias).validate_python(alias)


def test_settings_are_frozen_and_take_no_unknown_key() -> None:
    class Sample(SettingsModel):
        size: int = 1

    with pytest.raises(ValidationError, match="frozen"):
        Sample().size = 2  # type: ignore[misc]
    with pytest.raises(ValidationError, match="extra_forbidden"):
        Sample.model_validate({"sise": 2})
