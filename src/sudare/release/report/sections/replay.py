"""How the custodian replays the release, and with which versions it was made."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sudare.core import say
from sudare.release.report.document import Block, Code, Table, Text

if TYPE_CHECKING:
    from sudare.release.publishing import Publication


def replay_blocks(publication: "Publication") -> Iterator[Block]:
    """Yield the recipe and the versions."""
    yield Text(
        say(
            "The recipe below masks the original in the same way. With the seed and the private "
            "file, which the custodian keeps, it gives the same file."
        )
    )
    yield Code(publication.recipe.to_toml(), "toml")
    made_with: Mapping[str, str] = publication.ledger().content["made_with"]
    yield Table([say("part"), say("version")], [[name, text] for name, text in made_with.items()])
