"""From errors to exit codes: one line on standard error, no traceback unless asked for."""

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any

import typer

from sudare.cli.output import complain
from sudare.core import SudareError, say

debugging: ContextVar[bool] = ContextVar("debugging", default=False)

BAD_INPUT = 2
INTERRUPTED = 130


def guarded(command: Callable[..., int | None]) -> Callable[..., None]:
    """Return a command that exits with its code, and with 2 on bad input."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        try:
            code = command(**arguments)
        except SudareError as error:
            if debugging.get():
                raise
            complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            complain(say("interrupted; no file was left half-written."))
            raise typer.Exit(INTERRUPTED) from None
        raise typer.Exit(code or 0)

    run.__signature__ = inspect.signature(command)  # type: ignore[attr-defined]
    return run
