"""Attackers on a history of 1000 customers, against one sparse product of customers × items."""

import numpy as np
from scipy.sparse import csr_array

from benchmarks.timing import best_of
from sudare.datasets import purchases_like
from sudare.transactions import (
    ATTACKERS,
    CoarseDates,
    History,
    ItemFamilies,
    MaskedHistory,
    PriceBands,
    Pseudonyms,
    published,
)
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.methods import HistoryMasker


def product(history: History) -> object:
    """Customers × items times its transpose: what comparing items alone costs at least."""
    ones = np.ones(history.rows, np.float32)
    table = csr_array((ones, (history.customers, history.items)))
    return table @ table.T


def main(customers: int = 1000, rounds: int = 3) -> None:
    history = purchases_like(customers)
    maskers: dict[str, tuple[HistoryMasker, ...]] = {
        "nothing masked": (),
        "months, bands, families": (CoarseDates(), PriceBands(), ItemFamilies(prefix=4)),
    }
    for name, steps in maskers.items():
        masked: MaskedHistory = Pseudonyms().mask(history, seed=1)
        for step in steps:
            masked = step.mask(masked)
        seen = published(masked)
        for attacker in ATTACKERS:
            attacker.suspect(Evidence(history, seen))  # compile
        bare, *times = best_of(
            lambda: product(history),
            *(lambda a=a, s=seen: a.suspect(Evidence(history, s)) for a in ATTACKERS),
            rounds=rounds,
        )
        print(f"{history.rows} rows, {name}: one sparse product {bare:.3f} s")
        for attacker, seconds in zip(ATTACKERS, times, strict=True):
            print(f"  {attacker.label()}: {seconds:.2f} s, {seconds / bare:.1f} sparse products")


if __name__ == "__main__":
    main()
