"""The licenses of everything that sudare needs to run, as a table: ``python -m tests.licences``."""

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

_NAME = re.compile(r"[A-Za-z0-9._-]+")


def licence_of(package: Distribution) -> str:
    """Return the license as the package states it."""
    facts = package.metadata
    classifiers = [c.rpartition(" :: ")[2] for c in facts.get_all("Classifier") or ()]
    stated = next((facts[name] for name in ("License-Expression", "License") if name in facts), "")
    named = [c for c in classifiers if "License" in c]
    return stated.strip().splitlines()[0][:60] if stated.strip() else ", ".join(named) or "?"


def needed(name: str) -> dict[str, Distribution]:
    """Return a package and everything installed that it needs, by name; tools are left out."""
    packages: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        wanted = waiting.pop()
        key = wanted.lower().replace("_", "-")
        try:
            package = distribution(wanted)
        except PackageNotFoundError:  # of another platform, or of an extra that is not installed
            continue
        if key not in packages:
            packages[key] = package
            waiting += [
                match[0]
                for line in package.requires or ()
                if not re.search(r"extra == .(dev|docs)", line) and (match := _NAME.match(line))
            ]
    return packages


def main() -> None:
    rows = ["| package | version | license |", "| --- | --- | --- |"]
    for name, package in sorted(needed("sudare").items()):
        rows.append(f"| {name} | {package.version} | {licence_of(package)} |")
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
