"""What can be downloaded: T, what teams publish, and for the referee who is who."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sudare.contest.entries import ContestEntry
from sudare.contest.rules import Resource, Round
from sudare.contest.storage import FileStore

MayRead = Callable[[Resource, Round | None], bool]


@dataclass(frozen=True)
class Download:
    """A file that somebody may have now; ``key`` asks for it, ``filename`` suggests a name."""

    key: str
    resource: Resource
    round: Round
    team: str | None
    filename: str
    size: int
    path: Path = field(repr=False)


@dataclass(frozen=True)
class Downloads:
    """All files of a contest, and those that a reader may have."""

    store: FileStore
    data: Mapping[Round, str]
    masks: Mapping[Round, Mapping[str, ContestEntry]]
    suffix: str = ".csv"

    def available(self, may: MayRead) -> Iterator[Download]:
        """Yield what a reader may have now."""
        for round_, original in self.data.items():
            if may(Resource.DATA, round_):
                yield self._download("data", Resource.DATA, round_, None, original)
            for team, mask in sorted(self.masks.get(round_, {}).items()):
                if may(Resource.PUBLISHED, round_):
                    key = mask.result["published"]
                    yield self._download("published", Resource.PUBLISHED, round_, team, key)
                if may(Resource.MASKED, round_):
                    key = mask.result["pseudonyms"]
                    yield self._download("masked", Resource.MASKED, round_, team, mask.file)
                    yield self._download("pseudonyms", Resource.MASKED, round_, team, key)

    def _download(
        self, kind: str, resource: Resource, round_: Round, team: str | None, key: str
    ) -> Download:
        path = self.store.path(key)
        parts = [round_, kind] if team is None else [round_, kind, team]
        name = "-".join(parts) + self.suffix
        return Download("/".join(parts), resource, round_, team, name, path.stat().st_size, path)


def entry_downloads(entries: Sequence[ContestEntry], store: FileStore) -> Iterator[Download]:
    """Yield files as they were received."""
    for entry in entries:
        path = store.path(entry.file)
        yield Download(
            f"entry/{entry.id}",
            Resource.OWN_ENTRIES,
            entry.round,
            entry.team,
            entry.filename,
            entry.size,
            path,
        )
