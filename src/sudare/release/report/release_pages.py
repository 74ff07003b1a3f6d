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


def release_report(publication: "Publication", *, edition: Edition = "public") -> Report:
    """Return the report of a release.

    The public edition shows the released file and what was measured. The internal one also shows
    the original as well, how the measures spread over records or customers, and what only the
    custodian may know; it is confidential. Both map the recipes that were considered, the public
    one without confidential measures and with two digits only.

    Parameters
    ----------
    publication
        What is to be released.
    edition
        "public" or "internal".
    """
    blocks: list[Block] = [*_texts(publication), Text(publication.summary())]
    blocks += [
        *_summary(publication, edition),
        *_methods(publication.steps),
        *publication.blocks(edition),
        *_map(publication, edition),
    ]
    blocks += _appendix(publication)
    warning = say("Confidential: this edition shows the original. Do not release it.")
    footer = warning if edition == "internal" else ""
    title = publication.texts.get("title") or say("Report on a release")
    return Report(title, blocks, footer=footer, confidential=edition == "internal")


def _texts(publication: "Publication") -> Iterator[Block]:
    """Yield who releases the table, when, what for, and who decided, as far as that is stated."""
    titles = {
        "office": say("office"),
        "contact": say("contact"),
        "date": say("date"),
        "purpose": say("purpose"),
        "decision": say("decision"),
    }
    stated = [
        [title, publication.texts[name]]
        for name, title in titles.items()
        if publication.texts.get(name)
    ]
    if stated:
        yield Table([say("about this release"), ""], stated)


def _summary(publication: "Publication", edition: Edition) -> Iterator[Block]:
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
            for measure, result in publication.shown_in(edition)
        ],
    )
    for _, result in publication.shown_in(edition):
        for note in result.notes:
            yield Text(f"{say(find(result.measure).title)}: {note}")
    if publication.limits:
        yield Table(
            [say("limit"), say("kept")],
            [
                [str(limit), say("yes") if kept else say("no")]
                for limit, kept in publication.verdicts()
            ],
        )


def privacy_blocks(steps: tuple[Step, ...], records: int) -> Iterator[Block]:
    """Yield k and ε of the columns that were randomized with known probabilities, if any were."""
    known = privacy(steps, rows=records)
    if not known.by_column:
        return
    sentence = say(
        "These columns were randomized with known probabilities: by them, nobody can be matched "
        "with a record with a probability above 1/{k} (Pk-anonymity; ε per record {epsilon}). "
        "Measures that count equal keys do not reflect this.",
        k=f"{known.k:.4g}",
        epsilon=f"{known.epsilon:.4g}",
    )
    yield Text(sentence, say("Privacy by randomization"))
    yield Table([say("column"), "ε"], [[name, value] for name, value in known.by_column.items()])


def _map(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the recipes that were considered, if there is a risk and a loss to map them by."""
    if publication.comparison is None:
        return
    shown = publication.comparison if edition == "internal" else publication.comparison.public()
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


def _appendix(publication: "Publication") -> Iterator[Block]:
    yield Text(
        say(
            "The recipe below masks the original in the same way. With the seed, which the "
            "custodian keeps, it gives the same file."
        ),
        say("Appendix: how to replay it"),
    )
    yield Code(publication.recipe.to_toml())
    made_with: Mapping[str, str] = publication.ledger().content["made_with"]
    yield Table([say("part"), say("version")], [[name, text] for name, text in made_with.items()])
