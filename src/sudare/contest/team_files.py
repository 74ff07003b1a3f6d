"""Where the files of a team's kit come from: the contest's folder, or its server."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from sudare.contest.client import Client
from sudare.contest.contest import Contest
from sudare.contest.kit import Kit, write_kit
from sudare.contest.rules import is_path
from sudare.core import InputError
from sudare.engine.formats import Folder


def kit_from_folder(folder: Path, team: str, output: Path) -> Kit:
    """Write the kit of a team with what it may have now; for the organizer."""
    with Contest.open(folder) as contest:
        account, rules = contest.accounts.named(team), contest.rules
        files = {file.key: file.path for file in contest.resources(account)}
        package = Path(rules.subject) if is_path(rules.subject) else None
        names = _names(files, account.name)
        named = {name: files[key] for key, name in names.items()}
        return write_kit(output, rules.public_toml(), named, package)


def kit_from_server(url: str, team: str, password: str, output: Path) -> Kit:
    """Write the kit of a team with what its server hands out now."""
    with Client(url, team, password) as client, Folder() as folder:
        text = client.rules()
        if is_path(tomllib.loads(text)["subject"]):
            raise InputError("these rules are the organizer's own; ask them for the kit.")
        files = {}
        names = _names((file["key"] for file in client.files()), client.team)
        for at, (key, name) in enumerate(names.items()):
            files[name] = client.download(key, folder / f"{at}.csv")
        return write_kit(output, text, files, None)


def _names(keys: Iterable[str], team: str) -> dict[str, str]:
    """Return the names of files in a kit, by their keys: those of the latest round."""
    split = [key.split("/", 2) for key in keys]
    rounds = sorted({parts[0] for parts in split})  # the final comes before the preliminary
    names = {}
    for parts in split:
        if parts[0] == rounds[0]:
            others = [parts[2]] if len(parts) == 3 and parts[2] != team else []
            names["/".join(parts)] = "/".join([*others, parts[1]])
    return names
