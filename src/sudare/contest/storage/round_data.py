"""What is handed out in a round: files in the store, of everybody and of each seat."""

import hmac
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from sudare.contest.rulebooks import RulePackage
from sudare.contest.rules import Round
from sudare.contest.storage.file_store import FileStore
from sudare.engine.formats import Folder


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
        own = sorted((path for path in folder.iterdir() if path.is_dir()), key=_seat_number)
        return RoundData(_stored(folder, store), [_stored(path, store) for path in own])


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
