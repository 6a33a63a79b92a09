"""A dynamic provider that waits for what other resources have declared."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pulumi.dynamic import CreateResult, DiffResult, UpdateResult

from components.provider_errors import ErrorReportingProvider
from mirrorstack.findings import UserError


class WaitingProvider(ErrorReportingProvider):
    """Waits when it is created, and each time that its inputs change."""

    serialize_as_secret_always = False
    inputs: tuple[str, ...] = ()
    """The properties that make it wait again when they change."""

    @abstractmethod
    def wait(self, props: dict[str, Any]) -> None:
        """Until it is there; an error says why it is not."""

    @abstractmethod
    def is_there(self, props: dict[str, Any]) -> bool:
        """Now. A change that failed and was reverted shows no difference in the state, and still
        has to be waited for."""

    def create(self, props: dict[str, Any]) -> CreateResult:
        self.wait(props)
        return CreateResult(props["name"], props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        changed = any(olds.get(key) != news.get(key) for key in self.inputs)
        return DiffResult(changes=changed or not self._is_there(news))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        self.wait(news)
        return UpdateResult(news)

    def _is_there(self, props: dict[str, Any]) -> bool:
        try:
            return self.is_there(props)
        except UserError:  # unknown: the other resources report it
            return True
