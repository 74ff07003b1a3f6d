"""What was measured: risk before and after side by side, what was lost, and limits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sudare.core import Assessment, Kind, Percent, Result, say, shown
from sudare.release.method_words import measure_summary, measure_title
from sudare.release.publishing import EPSILON
from sudare.release.report.document import Block, Items, Table, Text

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

Edition = Literal["public", "internal"]
_NO_SHARES = {"TCloseness"}  # between 0 and 1, but not a share of anything
_PAIRS = 5  # combinations of columns that are listed


@dataclass(frozen=True)
class ReportedResult:
    """A measure with its result, and that of the original as if it were released.

    Attributes
    ----------
    before
        None for a loss, and where it was not measured.
    """

    measure: Assessment
    result: Result
    before: float | None

    @property
    def title(self) -> str:
        """What the measure is called."""
        return measure_title(self.measure)

    @property
    def meaning(self) -> str:
        """What it says, in a sentence."""
        return measure_summary(self.measure)

    @property
    def best_shown(self) -> float:
        """The best value possible, as a cell of a table."""
        return self._cell(float(self.result.best))

    @property
    def after_shown(self) -> float:
        """The value of the release, as a cell of a table."""
        return self._cell(float(self.result.value))

    @property
    def judged_shown(self) -> float:
        """The same for an attacker who knows what was suppressed, where that is worse."""
        return self._cell(float(self.result.judged))

    @property
    def before_shown(self) -> object:
        """The value of the original, as a cell of a table."""
        return "–" if self.before is None else self._cell(self.before)

    @property
    def interval_shown(self) -> str:
        """The interval, where the measure estimates."""
        if self.result.interval is None:
            return ""
        return " – ".join(shown(self._cell(float(end))) for end in self.result.interval)

    @property
    def informed_shown(self) -> tuple[str, ...]:
        """By which reading the value counts, where an attacker who knows more has another one."""
        text = self.result.judged_note(lambda value: shown(self._cell(value)))
        return () if text is None else (text,)

    def _cell(self, value: float) -> float:
        ends = {float(self.result.best), float(self.result.worst)}
        named = self.measure.kind == "risk" and self.result.measure not in _NO_SHARES
        return Percent(value) if named and ends == {0.0, 1.0} else value


def readings(publication: "Publication", edition: Edition) -> list[ReportedResult]:
    """Return what an edition may show; the public one has noise where it tells of the original."""
    if edition == "internal":
        before = {m: float(result.value) for m, result in publication.risks_before().items()}
    else:
        before = dict(publication.figures.before)
    return [
        ReportedResult(measure, result, before.get(measure))
        for measure, result in publication.shown_in(edition)
    ]


def risk_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the risks, before beside after."""
    risks = [each for each in readings(publication, edition) if each.measure.kind == "risk"]
    if not risks:
        yield Text(say("No risk was measured that this edition may show."))
        yield from _what_is_told(publication, edition, "risk")
        return
    compared = any(risk.before is not None for risk in risks)
    yield Table.of_filled(
        [
            *(say("measure"), say("before"), say("after")),
            *(say("interval"), say("best"), say("meaning")),
        ],
        [
            [
                risk.title,
                risk.before_shown if compared else "",
                risk.after_shown,
                risk.interval_shown,
                risk.best_shown,
                risk.meaning,
            ]
            for risk in risks
        ],
        say("Before: the original as if it were released as it is.") if compared else "",
    )
    yield from _what_is_told(publication, edition, "risk")
    yield from _notes(risks)


def loss_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield what was lost, by measure and by column."""
    losses = [each for each in readings(publication, edition) if each.measure.kind == "loss"]
    if not losses:
        yield Text(say("No loss was measured that this edition may show."))
        yield from _what_is_told(publication, edition, "loss")
        return
    yield Table(
        [say("measure"), say("value"), say("best"), say("worst"), say("meaning")],
        [
            [
                loss.title,
                loss.after_shown,
                float(loss.result.best),
                float(loss.result.worst),
                loss.meaning,
            ]
            for loss in losses
        ],
    )
    yield from _losses_by_part(losses)
    yield from _what_is_told(publication, edition, "loss")
    yield from _notes(losses)


def _what_is_told(publication: "Publication", edition: Edition, kind: Kind) -> Iterator[Block]:
    """Yield how far a public edition can be trusted, by whom, and what it leaves out."""
    if edition == "internal":
        return
    told = publication.figures.results
    if any(measure.kind == kind and not measure.of_release for measure in told):
        yield Text(
            say(
                "Figures that depend on the original carry noise, so that not even somebody who "
                "knows all records but one can find the last: taken together, they make no value "
                "of a record more than {ratio} times as likely as it was, compared with any "
                "other.",
                ratio=f"{math.exp(EPSILON):.2g}",
            )
        )
    untold = [
        measure_title(measure)
        for measure, _ in publication.measured
        if measure.kind == kind and measure not in told
    ]
    if untold:
        yield Text(
            say(
                "Measured, but shown to the custodian only, because the number may reveal single "
                "records: {measures}.",
                measures=say(", ").join(untold),
            )
        )


def _losses_by_part(losses: list[ReportedResult]) -> Iterator[Block]:
    """Yield the losses of single columns, and of the pairs of columns that lost most."""
    columns = [loss for loss in losses if any(map(_is_column, loss.result.parts))]
    names = dict.fromkeys(n for loss in columns for n in loss.result.parts if _is_column(n))
    if names:
        yield Table(
            [say("column"), *(loss.title for loss in columns)],
            [[name, *(loss.result.parts.get(name, "–") for loss in columns)] for name in names],
            say("Loss by column."),
        )
    for loss in losses:
        pairs = [part for part in loss.result.parts.items() if not _is_column(part[0])]
        pairs.sort(key=lambda part: -abs(part[1] - loss.result.best))
        if pairs:
            yield Table(
                [say("columns"), loss.title],
                pairs[:_PAIRS],
                say("The combinations of columns that lost most."),
            )


def _is_column(part: str) -> bool:
    return " × " not in part


def _notes(told: list[ReportedResult]) -> Iterator[Block]:
    notes = [
        f"{reading.title}: {note}"
        for reading in told
        for note in (*reading.informed_shown, *reading.result.notes)
    ]
    if notes:
        yield Items(notes)


def limit_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield every limit and whether it is kept."""
    if not publication.limits:
        yield Text(say("No limit was stated."))
        return
    yield Table(
        [say("limit"), say("kept")],
        [
            [limit.title, say("yes") if kept else say("no")]
            for limit, kept in publication.verdicts()
        ],
    )
    results = dict(publication.measured)
    for limit in publication.limits:
        if edition == "internal" and results[limit.measure].informed is not None:
            yield Text(limit.reading(limit.value_of(results[limit.measure])))
