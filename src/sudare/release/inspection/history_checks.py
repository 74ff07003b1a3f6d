"""The gate for purchase histories: what is checked before a masked file is released."""

from collections.abc import Iterable, Iterator

import numpy as np

from sudare.core import Flags, Integers, Message
from sudare.release.inspection.all_checks import guessable_finding
from sudare.release.inspection.findings import Confirmed, Finding, Findings, Severity
from sudare.release.inspection.history_twins import find_history_twins
from sudare.transactions import History, MaskedHistory, Ranges
from sudare.transactions.loss import contains

_MANY = 0.5  # share of the rows with the number of the original, from which customers keep it
_FEWEST = 10  # customers, from which the order of their numbers is looked at
_ORDERED = 0.9  # correlation of the new numbers with the order of the original
_CELLS = ("date", "item", "price", "quantity")


def history_gate(
    history: History,
    masked: MaskedHistory,
    *,
    confirmations: Iterable[Confirmed] = (),
    guessable_seed: bool = False,
) -> Findings:
    """Check a masked history before it is published, and say what speaks against it.

    Parameters
    ----------
    history, masked
        The original and the masked file, with its rows.
    confirmations
        The findings that a person has accepted.
    guessable_seed
        Whether the draws come from a seed that can be tried out.
    """
    unmasked = list(_unmasked(_is_exact(history, masked)))
    findings = [*unmasked, *_numbers(history, masked), _order(history.rows)]
    findings += _alone(history, masked, stopped=bool(unmasked))
    findings += find_history_twins(history, masked)
    if guessable_seed:
        findings.append(guessable_finding())
    return Findings(findings).confirmed_by(confirmations)


def _is_exact(history: History, masked: MaskedHistory) -> Flags:
    """Return which rows are published with day, item, price and quantity of the original."""
    exact: Flags = ~masked.gone
    for ranges, own in _amounts(history, masked):
        exact &= (ranges.low == own) & (ranges.high == own)
    single = np.append(masked.items.sizes == 1, False)[masked.items.cells]  # -1 is deleted
    exact &= single & contains(history, masked.items)
    return exact


def _unmasked(exact: Flags) -> Iterator[Finding]:
    if exact.all():
        detail = Message("Only the customers have new numbers: every purchase is as it was.")
        remedy = Message("Choose a recipe that masks what others may know.")
        yield Finding("nothing-masked", (), len(exact), "stop", detail, remedy)


def _numbers(history: History, masked: MaskedHistory) -> Iterator[Finding]:
    """Yield whether the numbers of customers are those of the original, or in their order."""
    kept = ~masked.gone
    names = np.array([name.lstrip("0") for name in history.customer_ids])[history.customers]
    same = int((names[kept] == masked.pseudonyms[kept].astype(str)).sum())
    rows = int(kept.sum())
    if same > _MANY * rows or _follows(history, masked, kept):
        detail = Message("The numbers of customers are those of the original, or in its order.")
        remedy = Message("Give customers new numbers: the step pseudonyms.")
        yield Finding("outside-keys", ("customer",), rows, "stop", detail, remedy)
    else:
        detail = Message("Customers have new numbers, drawn with the secret seed.")
        remedy = Message("Anyone who knows some purchases of a customer finds the others.")
        yield Finding("outside-keys", ("customer",), rows, "repaired", detail, remedy)


def _follows(history: History, masked: MaskedHistory, kept: Flags) -> bool:
    """Return whether new numbers go with the order of the names, or of first purchases."""
    _, first = np.unique(masked.pseudonyms[kept], return_index=True)
    rows = np.flatnonzero(kept)[first]
    if len(rows) < _FEWEST:
        return False
    by_name = np.corrcoef(history.customers[rows].argsort().argsort(), np.arange(len(rows)))[0, 1]
    by_row = np.corrcoef(rows.argsort().argsort(), np.arange(len(rows)))[0, 1]
    return bool(max(abs(by_name), abs(by_row)) > _ORDERED)


def _order(rows: int) -> Finding:
    detail = Message("The order of the records is that of the original.")
    remedy = Message("The release has the rows sorted by their new numbers and cells.")
    return Finding("order", (), rows, "repaired", detail, remedy)


def _alone(history: History, masked: MaskedHistory, *, stopped: bool) -> Iterator[Finding]:
    """Yield how many purchases are published so that they are true and like no other customer's.

    It stops a release where most customers have most of their purchases in this way: who saw one
    of them finds the others; not where it is ``stopped`` already as nothing is masked. Bands count
    as bands: a purchase in one is true where the band has its value.
    """
    alone = _stands_alone(masked) & _is_true(history, masked)
    count = int(alone.sum())
    if not count:
        return
    kept = ~masked.gone
    bought = np.bincount(history.customers[kept], minlength=len(history.customer_ids))
    standing_out = np.bincount(history.customers[alone], minlength=len(history.customer_ids))
    customers = int((standing_out > bought / 2).sum())
    detail = Message(
        "{count} of {rows} purchases are published so that no purchase of another customer looks "
        "like them, with all that is published of day, item, price and quantity; {customers} of "
        "{all} customers have more than half of their purchases in this way.",
        count=count,
        rows=int(kept.sum()),
        customers=customers,
        all=int((bought > 0).sum()),
    )
    remedy = Message("Anyone who saw such a purchase finds the customer: coarsen days or items.")
    severity: Severity = (
        "stop" if not stopped and customers > _MANY * (bought > 0).sum() else "note"
    )
    yield Finding("exact-numbers", _CELLS, count, severity, detail, remedy)


def _stands_alone(masked: MaskedHistory) -> Flags:
    """Return which rows are published with cells that rows of one customer alone have."""
    cells = [masked.items.cells]
    for ranges in (masked.dates, masked.prices, masked.quantities):
        cells += [np.where(ranges.deleted, 1, ranges.low), np.where(ranges.deleted, 0, ranges.high)]
    kept = np.flatnonzero(~masked.gone)
    _, alike = np.unique(np.stack(cells)[:, kept], axis=1, return_inverse=True)
    alike = alike.ravel()
    pairs = np.unique(np.stack([alike, masked.pseudonyms[kept]]), axis=1)
    alone = np.zeros(len(masked.gone), np.bool_)
    alone[kept] = np.bincount(pairs[0])[alike] == 1
    return alone


def _is_true(history: History, masked: MaskedHistory) -> Flags:
    """Return which rows are published with cells that hold the values of the original."""
    true: Flags = ~masked.gone
    for ranges, own in _amounts(history, masked):
        true &= ((ranges.low <= own) & (own <= ranges.high)) | ranges.deleted
    true &= contains(history, masked.items) | masked.items.deleted
    return true


def _amounts(history: History, masked: MaskedHistory) -> Iterator[tuple[Ranges, Integers]]:
    """Yield the published and the original days, prices and quantities."""
    yield masked.dates, history.dates
    yield masked.prices, history.prices
    yield masked.quantities, history.quantities
