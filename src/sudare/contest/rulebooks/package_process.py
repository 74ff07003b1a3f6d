"""What an organizer's package does outside the scoring of files, in a process with limits.

Started as ``python -m sudare.contest.rulebooks.package_process``.
"""

import sys
from pathlib import Path
from typing import Any

from sudare.contest.rulebooks.loading import organizer_class
from sudare.contest.rules import ContestRules
from sudare.contest.scoring import Sandbox
from sudare.core import LANGUAGES, speaking


def main(arguments: list[str]) -> None:
    """Describe a package, or let it prepare the data; started when a contest is made or opened."""
    rules_file, answer, seconds, memory, action, *rest = arguments
    rules = ContestRules.read(rules_file)

    def work() -> dict[str, Any]:
        package = organizer_class(rules.subject)(rules)
        if action == "describe":
            books: dict[str, Any] = {}
            for name in LANGUAGES:
                with speaking(name):
                    books[name] = package.describe().to_json()
            return books
        source, folder, seats, secret = rest
        package.prepare(
            Path(source) if source else None,
            Path(folder),
            seats=int(seats),
            secret=bytes.fromhex(secret),
        )
        return {}

    Sandbox(float(seconds), int(memory)).confine(work, Path(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
