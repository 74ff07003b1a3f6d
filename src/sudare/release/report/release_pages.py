"""The report of a release: a public edition, and an internal one with confidential detail."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudare.catalog import find
from sudare.core import Array, Step, say
from sudare.mask import privacy
from sudare.release.report.comparison_pages import map_blocks
from sudare.release.report.document import Block, Code, Report, Table, Text

if TYPE_CHECKING:
    from sudare.release.publication import Publication

Edition = Literal["public", "internal"]


def release_report(found: "Publication", *, edition: Edition = "public") -> Report:
    """Return the report of a release.

    The public edition shows the released file and what was measured. The internal one also shows
    the original beside it, how the measures spread over records or customers, and what only the
    custodian may know; it is confidential. Both map the recipes that were considered, the public
    one without confidential measures and with two digits only.

    Parameters
    ----------
    found
        What is to be released.
    edition
        "public" or "internal".
    """
    blocks: list[Block] = [*_texts(found), Text(found.summary()), *_summary(found, edition)]
    blocks += [*_methods(found.steps), *found.blocks(edition), *_map(found, edition)]
    blocks += _appendix(found)
    confidential = say("Confidential: this edition shows the original. Do not release it.")
    footer = confidential if edition == "internal" else ""
    title = found.texts.get("title") or say("Report on a release")
    return Report(title, blocks, footer=footer)


def _texts(found: "Publication") -> Iterator[Block]:
    """Yield who releases the table, when, what for, and who decided, as far as that is stated."""
    titles = {
        "office": say("office"),
        "contact": say("contact"),
        "date": say("date"),
        "purpose": say("purpose"),
        "decision": say("decision"),
    }
    stated = [[title, found.texts[name]] for name, title in titles.items() if found.texts.get(name)]
    if stated:
        yield Table([say("about this release"), ""], stated)


def _summary(found: "Publication", edition: Edition) -> Iterator[Block]:
    yield Text(heading=say("Risk and loss"))
    yield Table(
        [*(say(word) for word in ("measure", "kind", "value", "best", "worst", "meaning"))],
        [
            [
                say(find(result.measure).title),
                say(measure.kind),
                float(result.value),
                float(result.best),
                float(result.worst),
                find(result.measure).summary,
            ]
            for measure, result in found.told(edition)
        ],
    )
    if found.limits:
        yield Table(
            [say("limit"), say("kept")],
            [[str(limit), say("yes") if kept else say("no")] for limit, kept in found.verdicts()],
        )


def privacy_blocks(steps: tuple[Step, ...], records: int) -> Iterator[Block]:
    """Yield k and ε of the columns that were randomized with known probabilities, if any were."""
    known = privacy(steps, rows=records)
    if not known.by_column:
        return
    told = say(
        "These columns were randomized with known probabilities: by them nobody can be matched "
        "with a record by a chance above 1/{k} (Pk-anonymity; ε of a record {epsilon}). Measures "
        "that count equal keys do not see that.",
        k=f"{known.k:.4g}",
        epsilon=f"{known.epsilon:.4g}",
    )
    yield Text(told, say("Privacy by randomization"))
    yield Table([say("column"), "ε"], [[name, value] for name, value in known.by_column.items()])


def _map(found: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the recipes that were considered, if there is a risk and a loss to map them by."""
    if found.comparison is None:
        return
    shown = found.comparison if edition == "internal" else found.comparison.public()
    if shown.of_kind("risk") and shown.of_kind("loss"):
        yield from map_blocks(shown)


def _methods(steps: tuple[Step, ...]) -> Iterator[Block]:
    yield Text("" if steps else say("Nothing is masked."), say("What was done"))
    for number, step in enumerate(steps, 1):
        entry = find(step.method)
        yield Text(f"{number}. {say(entry.title)}: {entry.summary}")
        rows = [[say("columns"), ", ".join(step.columns)]]
        rows += [[name, str(value)] for name, value in step.settings.items() if value is not None]
        yield Table([say("setting"), say("value")], rows)
        if entry.references:
            yield Text(entry.references)


def quantiles(values: Array, caption: str) -> Table:
    """Return how numbers spread over records or customers, and none of them by itself."""
    known = np.asarray(values, dtype=np.float64)
    shares = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1]
    marks = np.quantile(known[~np.isnan(known)], shares, method="inverted_cdf")  # may be infinite
    return Table(
        ["0 %", "25 %", "50 %", "75 %", "90 %", "99 %", "100 %"],
        [[float(mark) for mark in marks]],
        caption,
    )


def _appendix(found: "Publication") -> Iterator[Block]:
    yield Text(
        say(
            "The recipe below masks the original in the same way. With the seed, which the "
            "custodian keeps, it gives the same file."
        ),
        say("Appendix: how to replay it"),
    )
    yield Code(found.recipe.to_toml())
    made_with: Mapping[str, str] = found.ledger().content["made_with"]
    yield Table([say("part"), say("version")], [[name, text] for name, text in made_with.items()])
