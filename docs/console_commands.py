"""Commands of ``sudare`` on the pages of the guide, each in a process of its own.

On Linux it is forked from one that has imported the program: a command then takes what it does, and
not the second of imports that is the same for all of them.
"""

import multiprocessing
import os
import shlex
import sys
from pathlib import Path
from typing import Any

PROCESSES: Any = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
COMMANDS = (
    *("compare", "describe", "init", "mask", "measure", "methods", "report", "search"),
    *("contest.commands", "history.commands", "history.mask", "history.rules"),
)
IMPORTED_LATER = (  # when a command runs
    "sudare.contest.contest",
    "pandas",
    "pydantic.type_adapter",
    "typer._adapters",
)
OF_A_SHELL = set("();<>|&")  # a word that has only these is no argument
EXPANDED = set("$*~`\n")


def argument_words(command: str) -> list[str] | None:
    """Return the words of a plain command of ours; None for one that needs a shell."""
    line = command.replace("\\\n", " ")
    parser = shlex.shlex(line, posix=True, punctuation_chars=True)
    parser.whitespace_split = True
    words = list(parser)
    if words[0] != "sudare" or EXPANDED & set(line) or any(set(w) <= OF_A_SHELL for w in words):
        return None
    return words


def run_command(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Return the exit code of a command, and all that it wrote."""
    commands = [f"sudare.cli.commands.{name}" for name in COMMANDS]
    PROCESSES.set_forkserver_preload([*commands, *IMPORTED_LATER])
    output = folder.with_suffix(".output")
    process = PROCESSES.Process(target=_main, args=(words, folder, environment, output))
    process.start()
    process.join()
    written = output.read_text(encoding="utf-8")
    output.unlink()
    return process.exitcode, written


def _main(words: list[str], folder: Path, environment: dict[str, str], output: Path) -> None:
    """Be the command: its folder, its environment, and one file for all that it writes."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for number in (1, 2):
        os.dup2(written, number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    sys.argv = words
    from sudare.cli import main

    main()
