"""The census-like data have the margins, the associations and the repeatability they promise."""

import math

import numpy as np
import pytest

from sudare.core.errors import SettingError
from sudare.core.table.microdata import Microdata
from sudare.core.types import Codes
from sudare.datasets.census_extract import census_like, margin, planned_pairs
from sudare.datasets.census_margins import (
    CHILDREN,
    DESIGN_SIZE,
    FAMILY,
    INDUSTRY,
    NATIONALITY,
    OCCUPATION,
    TYPICAL_CHILDREN,
    TYPICAL_NATIONALITIES,
    TYPICAL_OCCUPATIONS,
    Table,
    Typical,
)
from sudare.describe.associations import cramers_matrix
from sudare.mask.recode.global_recode import GlobalRecode

VARIABLES = {
    "industry": INDUSTRY,
    "occupation": OCCUPATION,
    "family": FAMILY,
    "nationality": NATIONALITY,
    "children": CHILDREN,
}
DEALT = [
    (OCCUPATION, INDUSTRY, TYPICAL_OCCUPATIONS),
    (CHILDREN, FAMILY, TYPICAL_CHILDREN),
    (NATIONALITY, FAMILY, TYPICAL_NATIONALITIES),
]
# Sano and Hattori, table 4: original, p = 0.01, 0.03, 0.05.
TABLE_4 = {
    "industry": (22, 17, 10, 7),
    "occupation": (13, 12, 9, 8),
    "family": (27, 16, 10, 7),
    "nationality": (52, 2, 1, 1),
    "children": (97, 29, 12, 8),
}
# Sano and Hattori, table 5, row by row.
TABLE_5 = (0.663, 0.050, 0.024, 0.055, 0.065, 0.027, 0.072, 0.023, 0.271, 0.020)
# census_like(6, seed=2010) as first released; users cite seeds.
FIRST_RECORDS = {
    "industry": [20, 20, 17, 9, 20, 4],
    "occupation": [12, 12, 2, 4, 12, 10],
    "family": [2, 10, 0, 11, 0, 21],
    "nationality": [0, 0, 0, 0, 0, 0],
    "children": [41, 95, 7, 95, 4, 95],
}
SEEDS = range(8)
SIZES = (1, 2, 50, 999, 18_326, 20_000, 128_279, DESIGN_SIZE, 300_001)


def codes_of(data: Microdata) -> dict[str, Codes]:
    return {column.name: column.coded.codes for column in data.columns}


@pytest.mark.parametrize("seed", SEEDS)
def test_recoding_leaves_the_numbers_of_categories_of_table_4(seed: int) -> None:
    data = census_like(seed=seed)
    counts_of = {name: [len(np.unique(codes))] for name, codes in codes_of(data).items()}
    for share in (0.01, 0.03, 0.05):
        masked = GlobalRecode(min_share=share).fit(data).transform(data)
        for column in masked.columns:
            counts_of[column.name].append(len(column.coded.labels))
    assert {name: tuple(counts) for name, counts in counts_of.items()} == TABLE_4


@pytest.mark.parametrize("seed", SEEDS)
def test_associations_are_those_of_table_5_within_two_hundredths(seed: int) -> None:
    associations = cramers_matrix([c.coded for c in census_like(seed=seed).columns])[
        np.triu_indices(5, 1)
    ]
    np.testing.assert_allclose(associations, TABLE_5, rtol=0, atol=0.02)


@pytest.mark.parametrize("n", SIZES)
def test_category_counts_are_the_design_shares_rounded_up_or_down_for_every_seed(n: int) -> None:
    for seed in (0, 1):
        for name, codes in codes_of(census_like(n, seed=seed)).items():
            counts = np.bincount(codes, minlength=len(VARIABLES[name]))
            exact = np.array([row.records for row in VARIABLES[name]]) * n / DESIGN_SIZE
            assert counts.sum() == n
            assert (np.abs(counts - exact) < 1).all()
            np.testing.assert_array_equal(counts, margin(VARIABLES[name], n))


@pytest.mark.parametrize("n", [18_326, 20_000, 50_000, 1_000_003])
def test_every_category_occurs_in_a_large_file(n: int) -> None:
    assert all(margin(table, n).min() >= 1 for table in VARIABLES.values())


@pytest.mark.parametrize("n", SIZES)
def test_blocks_never_mix(n: int) -> None:
    columns = codes_of(census_like(n, seed=3))
    for first, second in (("industry", "occupation"), ("family", "children")):
        expected, drawn = (
            np.array([row.block for row in VARIABLES[name]])[columns[name]]
            for name in (first, second)
        )
        np.testing.assert_array_equal(drawn, expected)


@pytest.mark.parametrize(("columns", "rows", "typical"), DEALT)
def test_typical_pairs_fit_into_both_margins(columns: Table, rows: Table, typical: Typical) -> None:
    for n in SIZES:
        planned = planned_pairs(columns, rows, typical, n)
        assert (planned.sum(axis=1) <= margin(rows, n)).all()
        assert (planned.sum(axis=0) <= margin(columns, n)).all()


def test_every_table_has_distinct_labels_in_block_order_and_sums_to_the_design_size() -> None:
    for table in VARIABLES.values():
        assert len({row.label for row in table}) == len(table)
        assert sum(row.records for row in table) == DESIGN_SIZE
        assert [row.block for row in table] == sorted(row.block for row in table)


def test_the_same_seed_gives_the_same_file_and_another_seed_another() -> None:
    first, again, other = (census_like(5_000, seed=seed) for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


def test_the_file_of_a_seed_never_changes() -> None:
    first_records = {
        name: codes.tolist() for name, codes in codes_of(census_like(6, seed=2010)).items()
    }
    assert first_records == FIRST_RECORDS


def test_records_come_in_random_order() -> None:
    half = DESIGN_SIZE // 2
    for name, codes in codes_of(census_like(seed=5)).items():
        size = len(VARIABLES[name])
        first, second = (np.bincount(part, minlength=size) for part in (codes[:half], codes[half:]))
        chi_square = ((first - second) ** 2 / (first + second)).sum()
        assert chi_square < size - 1 + 5 * math.sqrt(2 * (size - 1))


def test_labels_stay_for_a_small_file() -> None:
    for column in census_like(10, seed=1).columns:
        assert len(column.coded.labels) == TABLE_4[column.name][0]


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(SettingError, match="n must be at least 1"):
        census_like(0)
