"""The gate for purchase histories: what is checked before a masked file is released."""

from collections.abc import Iterable, Iterator

import numpy as np

from sudare.core import Flags, Message, label_codes
from sudare.release.inspection.all_checks import guessable_finding
from sudare.release.inspection.findings import Confirmed, Finding, Findings
from sudare.transactions import History, MaskedHistory

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
    """Look at a masked history that is to be published, and say what speaks against it.

    Parameters
    ----------
    history, masked
        The original and the masked file, with its rows.
    confirmations
        The findings that a person has accepted.
    guessable_seed
        Whether the draws come from a seed that can be tried out.
    """
    exact = _is_exact(history, masked)
    findings = [*_unmasked(exact), *_numbers(history, masked), _order(history.rows)]
    findings += _alone(history, exact)
    if guessable_seed:
        findings.append(guessable_finding())
    return Findings(findings).confirmed_by(confirmations)


def _is_exact(history: History, masked: MaskedHistory) -> Flags:
    """Return which rows are published with day, item, price and quantity of the original."""
    exact: Flags = ~masked.gone
    for ranges, own in (
        (masked.dates, history.dates),
        (masked.prices, history.prices),
        (masked.quantities, history.quantities),
    ):
        exact &= (ranges.low == own) & (ranges.high == own)
    items = masked.items
    single = (items.sizes == 1)[items.cells] & ~items.deleted
    member = items.members[np.minimum(items.starts[items.cells], len(items.members) - 1)]
    own_codes = label_codes(history.item_ids, items.item_ids)[history.items]
    exact &= single & (member == own_codes)
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
        remedy = Message("Who knows some purchases of a customer finds the others by it.")
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


def _alone(history: History, exact: Flags) -> Iterator[Finding]:
    """Yield how many purchases are published as they were and are like no other."""
    cells = np.stack([history.dates, history.items, history.prices, history.quantities])
    _, places, counts = np.unique(cells, axis=1, return_inverse=True, return_counts=True)
    count = int((exact & (counts[places.ravel()] == 1)).sum())
    if count:
        detail = Message(
            "{count} of {rows} purchases are published with the exact day, item, price and "
            "quantity, and no other purchase is like them.",
            count=count,
            rows=history.rows,
        )
        remedy = Message("Who saw such a purchase finds the customer: coarsen days or items.")
        yield Finding("exact-numbers", _CELLS, count, "note", detail, remedy)
