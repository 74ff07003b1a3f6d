"""What the report of a released purchase history shows: safety, cells, what analysts see."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from sudare.catalog import find
from sudare.core import Floats, Numeric, Result, say
from sudare.release.report.document import Block, Chart, Table, Text
from sudare.release.report.history_pictures import (
    alike,
    contents,
    contents_figure,
    error_figure,
    errors_by_content,
    middles,
    month_shares,
)
from sudare.release.report.pictures import bars_side_by_side, distribution, size_classes
from sudare.release.report.sections import Edition
from sudare.release.report.table_pages import quantiles
from sudare.transactions import AMOUNTS, Amount, Attacks, MaskedHistory, UseCaseLoss, cell_errors
from sudare.transactions.attack import AttackOutcome
from sudare.transactions.loss import statistics

if TYPE_CHECKING:
    from sudare.release.publishing import HistoryPublication

_STATISTICS = ("mean", "sd", "min", "median", "max")
Row = dict[str, object]


def history_risks(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    """Yield what attackers reached, and who could be singled out."""
    if edition == "internal" and publication.attacks is not None:
        yield from _safety(publication.attacks)
    yield from _customers_alike(publication, edition)
    if edition == "internal" and publication.attacks is not None:
        yield Text(heading=say("How certain attackers were of a customer"))
        yield quantiles(publication.attacks.by_customer, say("Quantiles over the customers."))


def history_losses(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    """Yield errors and contents of the cells, and what analysts see of them."""
    yield from _cells(publication, edition)
    yield from _amounts(publication, edition)
    yield from _use_cases(publication, edition)
    if edition == "internal":
        yield from _customer_errors(publication)


def _safety(attacks: Attacks) -> Iterator[Block]:
    text = say(
        "Attackers who hold the original name customers of the published file. An attack is "
        "effective, and the file is unsafe, when enough of the names are right: by the "
        "contest's bound, or by the tight bound, the smallest that can be proven."
    )
    yield Text(text, say("Safety"))
    yield Table.of([attack_row(outcome) for outcome in attacks.outcomes])


def attack_row(outcome: AttackOutcome) -> Row:
    """Return what a table says of one attack: who aimed at what, named whom, needed how many."""
    score = outcome.score
    words = {"contest": say("contest"), "tight": say("tight")}
    return {
        say("attacker"): _attacker(type(outcome.attacker).__name__),
        say("one to one"): say("yes") if outcome.attacker.one_to_one else say("no"),
        say("aim"): words[outcome.aim],
        say("named"): score.named,
        say("right"): score.right,
        say("needed (contest)"): score.needed["contest"],
        say("needed (tight)"): score.needed["tight"],
        say("effective"): say(", ").join(words[b] for b in score.needed if score.effective(b))
        or say("no"),
    }


def _attacker(name: str) -> str:
    titles = {
        "RowCountAttacker": say("row counts"),
        "ItemSetAttacker": say("item sets"),
        "ContainmentAttacker": say("containment"),
        "LikelihoodAttacker": say("likelihood"),
        "DistanceAttacker": say("distances"),
        "AlikeAttacker": say("groups published alike"),
    }
    return titles[name]


def _customers_alike(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    files = _versions(publication, edition)
    yield Text(heading=say("Who could be singled out"))
    yield Chart(
        bars_side_by_side(
            {word: size_classes(alike(masked)) for word, masked in files.items()},
            say("Customers by how many publish the same rows"),
            say("group size"),
            say("share of the customers"),
        )
    )


def _versions(publication: "HistoryPublication", edition: Edition) -> Mapping[str, MaskedHistory]:
    after = {say("after"): publication.released}
    if edition == "public":
        return after
    return {say("before"): MaskedHistory.of(publication.before), **after}


def _cells(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    # How many rows were deleted would tell the last customer's number to whoever knows the others'.
    held = contents(publication.masked if edition == "internal" else publication.released)
    yield Text(heading=say("Cells"))
    if edition == "internal":
        errors = errors_by_content(cell_errors(publication.before, publication.masked), held)
        yield Chart(
            error_figure(errors),
            say("U is the mean of the four columns; the bars show what causes the error."),
        )
    yield Chart(contents_figure(held))


def _amounts(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    files = _versions(publication, edition)
    text = say("Ranges count by their middle; deleted cells are left out.")
    yield Text(text, say("Dates, prices and quantities"))
    months = {word: month_shares(middles(file, "date")) for word, file in files.items()}
    yield Chart(bars_side_by_side(months, say("date"), say("month"), say("share")))
    for name in ("price", "quantity"):
        numbers = {w: Numeric(say(name), middles(f, name)) for w, f in files.items()}
        yield Chart(distribution(numbers))
    yield Table.of([_statistics(n, w, middles(f, n)) for n in AMOUNTS for w, f in files.items()])


def _statistics(name: Amount, version: str, values: Floats) -> Row:
    by_statistic = statistics(values) if len(values) else dict.fromkeys(_STATISTICS, np.nan)
    row: Row = {say("column"): say(name), say("version"): version}
    for statistic, title in zip(_STATISTICS, _titles(), strict=True):
        number = by_statistic[statistic]
        dated = name == "date" and statistic != "sd" and not np.isnan(number)
        row[title] = str(np.datetime64(int(number), "D")) if dated else number
    return row


def _titles() -> tuple[str, ...]:
    return say("mean"), say("sd"), say("smallest"), say("median"), say("largest")


def use_case_rows(result: Result) -> list[Row]:
    """Return what a table says of the use cases: each analysis and its error."""
    titles = {
        "itemsets": say("frequent itemsets"),
        "rfm": say("RFM table"),
        "wholesale": say("similar items, wholesale"),
        "retail": say("similar items, retail"),
        "top": say("similar items, best-selling"),
    }
    return [{say("use case"): titles[n], say("error"): e} for n, e in result.parts.items()]


def _use_cases(publication: "HistoryPublication", edition: Edition) -> Iterator[Block]:
    for measure, result in publication.shown_in(edition):
        if isinstance(measure, UseCaseLoss):
            yield Text(
                find(result.measure, "history").summary, say(find(result.measure, "history").title)
            )
            yield Table.of(use_case_rows(result))


def _customer_errors(publication: "HistoryPublication") -> Iterator[Block]:
    """Yield how the error spreads over the customers; never a single one."""
    errors = np.mean(list(cell_errors(publication.before, publication.masked).values()), axis=0)
    by_customer = np.bincount(publication.before.customers, errors) / publication.before.row_counts
    yield Text(heading=say("U, by customer"))
    yield quantiles(by_customer, say("Quantiles over the customers."))
