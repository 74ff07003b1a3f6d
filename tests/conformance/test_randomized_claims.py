"""No method of the catalog, before or after one that randomizes, leaves a claim that it breaks.

The attacker compares two tables that differ in the true value of one person, and in the columns
that follow from it. By ε, only this person's own randomized cell may differ in what is released of
them with the same draws: any other difference tells of the person beside it.
"""

from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog, mask
from sudare.core import Categorical, Masked, Masker, Microdata, Numeric, SudareError
from sudare.release.inspection.release_guarantees.guarantees import Guarantee

SEED = 73915502846613094428817
ROWS = 240
JOBS = tuple("abcd")
RANDOMIZERS: dict[str, tuple[str, Masker]] = {
    "RetentionReplacement": (
        "job",
        mask.RetentionReplacement(columns=("job",), retain=0.3, domains={"job": JOBS}),
    ),
    "PkAnonymization": (
        "job",
        mask.PkAnonymization(columns=("job",), k=20, domains={"job": JOBS}),
    ),
    "PkSampling": ("job", mask.PkSampling(columns=("job",), k=20, domains={"job": JOBS})),
    "BoundedLaplace": (
        "wage",
        mask.BoundedLaplace(columns=("wage",), scale_ratio=0.5, bounds={"wage": (0, 100)}),
    ),
}
TABLES = [
    entry.name for entry in catalog.METHODS if (entry.family, entry.subject) == ("mask", "table")
]
NEEDED: dict[str, dict[str, Any]] = {
    "SequentialSynthesis": {"given": ("job", "wage", "region", "area")},
    "MultipleImputation": {"given": ("job", "wage", "region", "area"), "m": 2},
    "RecordSwapping": {"geography": "area", "similar": ("region",), "columns": ("region", "job")},
    "Shuffling": {"given": ("job", "wage")},
}
NUMBERS = {"age": ("age",), "serial": ("age", "serial"), "wage": ("age", "wage")}
MORE: dict[str, list[dict[str, Any]]] = {
    "RemoveRecords": [
        {"where": {"serial": ">= 20000"}},
        {"where": {"job": ("a",)}},
        {"where": {"wage": ">= 60"}},
        {"rarest": 0.1, "columns": ("job", "region")},
    ],
    "Subsample": [
        {"share": 0.4},
        {"share": 0.4, "strata": ("serial",)},
        {"share": 0.4, "strata": ("job",)},
    ],
    "EditRules": [
        {"rules": ('job == "a" implies region == "N"',)},
        {"rules": ('serial >= 20000 implies job == "a"',)},
        {"rules": ("serial >= 20000 implies age == 30",)},
        {"rules": ("serial >= 20000 implies age == 30", 'age == 30 implies region == "N"')},
        {"rules": ("wage >= 60 implies age == 30",)},
        {"rules": ("serial >= 20000 implies wage == 60",)},
    ],
    "Mondrian": [{"k": 5, "l": 2, "sensitive": ("job",), "columns": ("age", "region")}],
    "FullDomain": [{"k": 5, "l": 2, "sensitive": ("wage",), "columns": ("region", "area")}],
    "UnivariateMicroaggregation": [{"columns": ("age",), "strata": ("job",)}],
}


def table(changed: int | None = None, column: str = "") -> Microdata:
    """Return people; one of them may have another job or wage, and what follows from it."""
    rng = np.random.default_rng(8)
    job, number = rng.integers(0, 4, ROWS), np.arange(ROWS)
    wage = rng.integers(1, 100, ROWS).astype(np.float64)
    region, area, age = (rng.integers(0, many, ROWS) for many in (3, 6, 12))
    if column == "job":
        job[changed] = (job[changed] + 2) % 4
    elif column == "wage":
        wage[changed] = (wage[changed] + 50) % 100
    return Microdata(
        (
            Numeric("serial", 10_000.0 * job + 100 * wage + number / 10, role="identifier"),
            Categorical("job", job, JOBS, role="key"),
            Numeric("wage", wage, role="sensitive", scale="ratio"),
            Categorical("region", region, ("N", "E", "S"), role="key"),
            Categorical("area", area, tuple("uvwxyz"), role="key", scale="ordinal"),
            Numeric("age", age * 5.0, role="key", scale="ratio"),
        )
    )


def shown(masked: Masked[Microdata], randomized: str, person: int | None) -> Any:
    """Return what everybody sees, but for the randomized cell of a person, if one is named."""
    numbers = masked.data.record_numbers
    who = np.arange(ROWS) if numbers is None else np.asarray(numbers)
    others = who != person
    values = {}
    for column in masked.data.columns:
        labels = [str(label) for label in column.coded.labels] + ["blank", "none"]
        cells = [labels[code] for code in column.coded.codes]
        keep = others if column.name == randomized else np.ones(len(who), np.bool_)
        if column.role != "identifier":
            values[column.name] = [cell for cell, kept in zip(cells, keep, strict=True) if kept]
    return values, [repr(step.public) for step in masked.steps if randomized not in step.public]


def is_told(masker: Masker, drawn: Masker, column: str, *, first: bool) -> bool:
    """Return whether the release tells a person's true value by more than the randomized cell.

    What follows the randomization is compared where the same was drawn in both tables.
    """
    tables: dict[int | None, Microdata] = {None: table()}
    tables |= {who: table(who, column) for who in range(0, ROWS, 48)}
    if first:
        made = {who: sudare.apply(tables[who], [masker, drawn], seed=4) for who in tables}
    else:
        cells = sudare.apply(tables[None], drawn, seed=4).data[column]
        made = {
            who: sudare.apply(t.replacing([cells]), masker, seed=4) for who, t in tables.items()
        }
    return any(
        shown(made[None], column, who if first else None)
        != shown(made[who], column, who if first else None)
        for who in tables
        if who is not None
    )


def claims(maskers: list[Masker]) -> list[Guarantee]:
    made = sudare.publish(table(), sudare.Recipe("r", maskers), measures=[], seed=SEED)
    return [g for g in made.guarantees if g.name in ("epsilon", "Pk-anonymity")]


def variants(name: str) -> list[dict[str, Any]]:
    """Return settings of a method: as they are, on other columns alone, on what is derived."""
    needed = NEEDED.get(name, {})
    own: list[dict[str, Any]] = [
        {},
        *({"columns": columns} for columns in (("region", "area"), ("age",), ("area",))),
    ]
    own += [{"columns": columns} for columns in NUMBERS.values()]
    return [*({**needed, **settings} for settings in own), *MORE.get(name, [])]


@pytest.mark.parametrize("randomizer", RANDOMIZERS)
@pytest.mark.parametrize("name", TABLES)
def test_no_claim_holds_that_a_step_beside_the_randomization_breaks(
    name: str, randomizer: str
) -> None:
    column, drawn = RANDOMIZERS[randomizer]
    tried = 0
    for settings in variants(name):
        masker = catalog.masker(name, settings)
        assert isinstance(masker, Masker)
        for first in (True, False):
            try:
                told = is_told(masker, drawn, column, first=first)
                made = claims([masker, drawn] if first else [drawn, masker]) if told else []
            except SudareError:  # not for such columns
                continue
            tried += 1
            assert not [c.name for c in made if c.holds is not False], (settings, first)
    assert tried


MAPS = {"job": {"a": "ab", "b": "ab"}}
BY_JOB = [
    [mask.GlobalRecode(columns=("job",), maps=MAPS)],
    [mask.RemoveRecords(where={"job": ("a",)})],
    [mask.Subsample(share=0.5)],
    [mask.Subsample(share=0.5, strata=("job",))],
    [mask.EditRules(rules=('job == "a" implies region == "N"', "age from 5 to 40"))],
    [mask.Rounding(columns=("age",), base=10), mask.TopBottomCode(columns=("age",), top=40)],
    [mask.RemoveRecords(where={"job": ("a",)}), mask.Mondrian(columns=("job",), k=5)],
]


@pytest.mark.parametrize("later", BY_JOB, ids=lambda maskers: type(maskers[-1]).__name__)
def test_claims_hold_where_later_steps_read_what_was_randomized(later: list[Masker]) -> None:
    assert [c.holds for c in claims([RANDOMIZERS["RetentionReplacement"][1], *later])] == [None] * 2


def test_what_is_read_between_two_randomizations_counts_as_the_first() -> None:
    """The first one hides little, and an edit rule writes down what it drew."""
    drawn = RANDOMIZERS["RetentionReplacement"][1]
    first = mask.RetentionReplacement(columns=("job",), retain=0.99, domains={"job": JOBS})
    rule = mask.EditRules(rules=('job == "a" implies region == "N"',))
    assert [c.holds for c in claims([first, drawn])] == [None] * 2
    assert [c.holds for c in claims([first, rule, drawn])] == [False] * 2
