"""How commands end: errors and signals become exit codes, and one line says why."""

import hashlib
import inspect
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from traceback import walk_tb
from typing import Any

import typer

from sudare.cli.output import complain
from sudare.cli.termination import ending_in_order
from sudare.core import SudareError, say

BAD_INPUT = 2


def guarded(command: Callable[..., int | None], *, serves: bool = False) -> Callable[..., None]:
    """Return a command that exits with its code, and with 2 on bad input.

    It begins by removing what killed commands left behind, and writes over nothing that it reads,
    unless it ``serves``: a server reads again what it wrote. One with a ``table`` has its options.
    """
    signature = inspect.signature(command)
    about_table: list[str] = []
    if "table" in signature.parameters:
        # Commands without a table need not wait for this.
        from sudare.cli.tables import TableOptions, with_table_options

        signature, about_table = with_table_options(signature)

    @wraps(command)
    def run(**arguments: Any) -> None:
        from sudare.engine.formats import protecting_inputs, remove_leftovers

        with ending_in_order() as ending:
            try:
                with nullcontext() if serves else protecting_inputs():
                    remove_leftovers()
                    if about_table:
                        options = {name: arguments.pop(name) for name in about_table}
                        arguments["table"] = TableOptions(**options)
                    code = command(**arguments)
            except (Exception, KeyboardInterrupt) as error:
                # A library may have made an error of its own of the interruption.
                if ending.number is None and isinstance(error, Exception):
                    raise
                complain(say("interrupted; no file was left half-written."))
                raise typer.Exit(ending.exit_code) from None
        raise typer.Exit(code or 0)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    return run


def leaving(error: Exception) -> SystemExit:
    """Say in one line what went wrong; return what to leave by.

    An error that nobody thought of gets a number, as its words may hold a value. What the machine
    refuses (a full disk, a file system that is read-only) is said by its name.
    """
    if isinstance(error, SudareError):
        complain(str(error))
    elif isinstance(error, MemoryError):
        complain(say("not enough memory; use a smaller --memory or a sample of the table."))
    elif isinstance(error, OSError) and error.strerror:
        if isinstance(error.filename, str):
            complain(say("'{path}': {reason}.", path=error.filename, reason=error.strerror))
        else:
            complain(say("the system says: {reason}.", reason=error.strerror))
    else:
        complain(
            say(
                "unexpected error {number}; no file was left half-written. Please report this "
                "number. --debug shows details, which may include values of the data.",
                number=error_number(error),
            )
        )
    return SystemExit(BAD_INPUT)


def error_number(error: BaseException) -> str:
    """Return eight digits for the type of an error and where in sudare it arose.

    They hold nothing of the data, and stay the same while the function it arose in does.
    """
    location = ""
    for frame, line in walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == "sudare" and not module.startswith("sudare.cli"):
            code = frame.f_code
            location = f"{module}.{code.co_qualname}+{line - code.co_firstlineno}"
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    return hashlib.sha256(f"{kind} {location}".encode()).hexdigest()[:8]
