"""What can be downloaded: T, what teams publish, and for the referee who is who."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sudare.contest.entries import ContestEntry
from sudare.contest.rulebooks import Handout, Stage
from sudare.contest.rules import Resource, Round
from sudare.contest.storage import FileStore, RoundData

_SUFFIX = ".csv"
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


RESOURCES: Mapping[Stage, Resource] = {
    "masking": Resource.DATA,
    "attack": Resource.PUBLISHED,
    "never": Resource.MASKED,
}


@dataclass(frozen=True)
class Downloads:
    """All files of a contest, and those that a reader may have.

    ``seats`` has the seats of the teams by name, and ``team`` is who asks, where it is a team.
    """

    store: FileStore
    handouts: Sequence[Handout]
    data: Mapping[Round, RoundData]
    masks: Mapping[Round, Mapping[str, ContestEntry]]
    seats: Mapping[str, int]
    team: str | None = None

    def available(self, may: MayRead) -> Iterator[Download]:
        """Yield what a reader may have now."""
        for round_, given in self.data.items():
            masks = self.masks.get(round_, {})
            for handout in self.handouts:
                if may(RESOURCES[handout.stage], round_):
                    yield from self._handed_out(handout, round_, given, masks)
            for team, mask in sorted(masks.items()):
                yield from self._of_mask(round_, team, mask, may)

    def _handed_out(
        self, handout: Handout, round_: Round, given: RoundData, masks: Mapping[str, ContestEntry]
    ) -> Iterator[Download]:
        resource, name = RESOURCES[handout.stage], handout.name
        if not handout.own:
            yield self._download(name, resource, round_, None, given.common[name])
            return
        everybody = masks if handout.stage == "attack" else self.seats
        private = handout.stage == "masking" and self.team is not None
        for team in [self.team] if private and self.team else sorted(everybody):
            keys = given.of_seat(self.seats[team])
            if name in keys:
                yield self._download(name, resource, round_, team, keys[name])

    def _of_mask(
        self, round_: Round, team: str, mask: ContestEntry, may: MayRead
    ) -> Iterator[Download]:
        if may(Resource.PUBLISHED, round_):
            key = mask.result["published"]
            yield self._download("published", Resource.PUBLISHED, round_, team, key)
        if may(Resource.MASKED, round_):
            yield self._download("masked", Resource.MASKED, round_, team, mask.file)
            if "pseudonyms" in mask.result:
                key = mask.result["pseudonyms"]
                yield self._download("pseudonyms", Resource.MASKED, round_, team, key)

    def _download(
        self, kind: str, resource: Resource, round_: Round, team: str | None, key: str
    ) -> Download:
        path = self.store.path(key)
        parts = [round_, kind] if team is None else [round_, kind, team]
        name = "-".join(parts) + _SUFFIX
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
