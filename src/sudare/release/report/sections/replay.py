"""How the custodian replays the release, and with which versions it was made."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sudare.core import say
from sudare.release.report.document import Block, Code, Table, Text
from sudare.release.report.sections.results import Edition

if TYPE_CHECKING:
    from sudare.release.publishing import Publication


def replay_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the recipe, where it may be read, and the versions."""
    if edition == "internal" or publication.may_show_recipe:
        yield Text(
            say(
                "The recipe below masks the original in the same way. With the seed and the "
                "private file, which the custodian keeps, it gives the same file."
            )
        )
        yield Code(publication.recipe.to_toml(), "toml")
    else:
        yield Text(say("The recipe is not shown: it names values for which the gate stops it."))
    made_with: Mapping[str, str] = publication.ledger().content["made_with"]
    yield Table([say("part"), say("version")], [[name, text] for name, text in made_with.items()])
