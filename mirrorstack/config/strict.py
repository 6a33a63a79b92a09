"""What all settings have in common: frozen, and an unknown key is an error."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

# An alias is the first part of mirrored topics' names, up to the separator: it must not hold one.
Alias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
Text = Annotated[str, StringConstraints(min_length=1)]


class SettingsModel(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        allow_inf_nan=False,
        frozen=True,
        populate_by_name=True,
        use_attribute_docstrings=True,  # what editors show beside a key
    )
