"""The errors of a dynamic provider, as the engine shows them: `error: ...` and `fix: ...`.

Pulumi's server for dynamic providers lets exceptions pass, and gRPC then reports them as
`Exception calling application: ...`, unless the call's context has details of its own. The SDK does
not pass that context to a provider, and binds its handlers before any provider is loaded, so the
context is taken from the handler's frame. Where there is none, an error is reported as before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import grpc  # type: ignore[import-untyped]
from pulumi.dynamic import ResourceProvider

from mirrorstack.findings import UserError

METHODS = ("check", "diff", "create", "read", "update", "delete")
CONTEXT = "context"
"""The name of the context among the arguments of the SDK's handlers."""

P = ParamSpec("P")
T = TypeVar("T")


class ErrorReportingProvider(ResourceProvider):
    """A provider whose user errors reach the user as they are."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in METHODS:
            if name in vars(cls):
                setattr(cls, name, _reporting(vars(cls)[name]))


def _reporting(method: Callable[P, T]) -> Callable[P, T]:
    @wraps(method)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except UserError as error:
            if context := _call_context():
                context.set_details(str(error))
            raise

    return reporting


def _call_context() -> grpc.ServicerContext | None:
    """The context of the gRPC call that this thread handles."""
    frame = inspect.currentframe()
    while frame is not None:
        context = frame.f_locals.get(CONTEXT)
        if isinstance(context, grpc.ServicerContext):
            return context
        frame = frame.f_back
    return None
