"""What all settings share: the frozen base model and the types of their values."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints


class InvalidValueError(ValueError):
    """Raised by validators of single values: the message completes "<key>: ..."."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def _as_text(value: Any) -> Any:
    """YAML reads `2` and `true` as a number and a boolean; Kafka and Spark take text."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


# Without a dot, the default `separator`; config.replication_policies checks other ones.
Alias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
Text = Annotated[str, StringConstraints(min_length=1)]
ConfigValue = Annotated[str, BeforeValidator(_as_text)]
"""A value of a Kafka or Spark key; numbers and booleans are accepted, too."""


class SettingsModel(BaseModel):
    """Frozen; an unknown key is an error; attribute docstrings become descriptions."""

    model_config = ConfigDict(
        extra="forbid",
        allow_inf_nan=False,
        frozen=True,
        populate_by_name=True,
        use_attribute_docstrings=True,
    )
