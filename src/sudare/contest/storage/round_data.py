"""What is handed out in a round: files in the store, of everybody and of each seat."""

import hmac
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from sudare.contest.rulebooks import RulePackage
from sudare.contest.rules import Round
from sudare.contest.storage.file_store import FileStore
from sudare.core import InputError
from sudare.engine.formats import Folder

_SEAT = re.compile("[1-9][0-9]{0,8}")
_FILE = re.compile(r"[A-Za-z0-9_-]{1,40}\.csv")


@dataclass(frozen=True)
class RoundData:
    """Keys of files in the store, by name; each team has the seat of its registration."""

    common: Mapping[str, str]
    seats: Sequence[Mapping[str, str]] = field(default=())

    def of_seat(self, seat: int) -> dict[str, str]:
        """Return the files of everybody and of a seat, counted from 0."""
        return {**self.common, **(self.seats[seat] if seat < len(self.seats) else {})}


def prepare_round(
    package: RulePackage, source: Path | None, store: FileStore, seats: int, secret: bytes
) -> RoundData:
    """Let the rules write what is handed out, and store it."""
    with Folder() as folder:
        package.prepare(source, folder, seats=seats, secret=secret)
        paths = [folder, *(path for path in folder.iterdir() if path.is_dir())]
        if any(not _is_plain(path) for each in paths for path in each.iterdir()):
            raise InputError(
                "contest: the rules may hand out only plain files NAME.csv, and SEAT/NAME.csv for "
                "the seats from 1 to {seats}.",
                seats=seats,
            )
        own = sorted(paths[1:], key=_seat_number)
        if [_seat_number(path) for path in own] != list(range(1, len(own) + 1)):
            raise InputError(
                "contest: the rules must hand out to all seats from 1 to {seats}, or to none.",
                seats=seats,
            )
        return RoundData(_stored(folder, store), [_stored(path, store) for path in own])


def _is_plain(path: Path) -> bool:
    """Return whether a path is what it seems, and a file to hand out or the folder of a seat."""
    if path.is_symlink():
        return False
    if path.is_dir():
        return _SEAT.fullmatch(path.name) is not None
    return path.is_file() and _FILE.fullmatch(path.name) is not None


def _seat_number(path: Path) -> int:
    return int(path.name)


def _stored(folder: Path, store: FileStore) -> dict[str, str]:
    return {path.stem: store.put_file(path) for path in sorted(folder.glob("*.csv"))}


def round_secret(secret: bytes, round_: Round) -> bytes:
    """Return a secret of a round, from which that of the contest cannot be found."""
    return hmac.digest(secret, round_.encode(), "sha256")


def write_round_data(data: Mapping[Round, RoundData]) -> str:
    """Return the text of the file that names what is handed out."""
    content = {
        str(round_): {**given.common, **({"seats": list(given.seats)} if given.seats else {})}
        for round_, given in data.items()
    }
    return tomli_w.dumps(content)


def read_round_data(text: str) -> dict[Round, RoundData]:
    """Return what a file names; contests made before there were packages have T alone."""
    data = {}
    for round_, given in tomllib.loads(text).items():
        named: dict[str, Any] = {"data": given} if isinstance(given, str) else given
        common = {name: key for name, key in named.items() if isinstance(key, str)}
        data[round_] = RoundData(common, named.get("seats", []))
    return data  # type: ignore[return-value]
