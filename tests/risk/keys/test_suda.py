"""Special uniques: minimal uniques against the definition, scores against a published table."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import MISSING
from sudare.core.table.numeric import Numeric
from sudare.release.limits import Limit
from sudare.risk import Suda, Uniques
from sudare.risk.keys.minimal_uniques import minimal_uniques
from sudare.risk.keys.suda import contributions, dis_suda, intrusion_risk, suda_scores

LABELS = tuple("abcdef")
# Ten households of the SDC practice guide of the IHSN (Benschop, Machingauta and Welch), table 4.5.
RESIDENCE = "UUUURUUUUU"
GENDER = "FFFMFMFMFF"
EDUCATION = ("si", "si", "pi", "sc", "sc", "sc", "pc", "ps", "si", "si")
LABOR = ("e", "e", "n", "e", "u", "e", "n", "u", "n", "n")
WEIGHTS = (180, 180, 215, 76, 186, 76, 180, 215, 186, 76)

rows = st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=25)


def columns(records: list[list[int]]) -> list[Categorical]:
    values = np.array(records)
    return [
        Categorical(f"k{column}", codes, LABELS, role="key")
        for column, codes in enumerate(values.T)
    ]


def guide() -> sudare.Microdata:
    """The ten records of the guide, with their weights."""
    made = []
    for name, words in (
        ("residence", RESIDENCE),
        ("gender", GENDER),
        ("education", EDUCATION),
        ("labor", LABOR),
    ):
        labels = tuple(sorted(set(words)))
        codes = np.array([labels.index(word) for word in words])
        made.append(Categorical(name, codes, labels, role="key"))
    weight = Numeric("weight", np.array(WEIGHTS, float), role="weight")
    return sudare.Microdata((*made, weight))


def matches(
    record: list[int], other: list[int], chosen: tuple[int, ...], *, wildcard: bool
) -> bool:
    return all(
        record[c] == other[c] or (wildcard and MISSING in (record[c], other[c])) for c in chosen
    )


def twin(records: list[list[int]], max_size: int, *, wildcard: bool) -> set[tuple[int, int]]:
    """The definition: alone on the set, and on no part of it."""
    uniques: set[tuple[int, int]] = set()
    for row, record in enumerate(records):
        minimal: list[int] = []
        for size in range(1, max_size + 1):
            for chosen in combinations(range(len(record)), size):
                members = sum(1 << c for c in chosen)
                if any(part & ~members == 0 for part in minimal):
                    continue
                rivals = (
                    matches(record, other, chosen, wildcard=wildcard)
                    for number, other in enumerate(records)
                    if number != row
                )
                if not any(rivals):
                    minimal.append(members)
        uniques |= {(row, members) for members in minimal}
    return uniques


@given(rows, st.integers(1, 4), st.booleans())
def test_minimal_uniques_are_those_of_the_definition(
    records: list[list[int]], max_size: int, wildcard: bool
) -> None:
    uniques = minimal_uniques(columns(records), max_size, wildcard=wildcard)
    pairs = list(zip(uniques.record.tolist(), uniques.members.tolist(), strict=True))
    if len(records) == 1 and wildcard:  # nobody to match, not even for a missing key
        return
    assert len(set(pairs)) == len(pairs)
    assert set(pairs) == twin(records, max_size, wildcard=wildcard)


def test_any_number_of_minimal_uniques_finds_room() -> None:
    """Every record is alone on each of twelve columns: more than there is room for at first."""
    codes = np.arange(30)
    many = [Categorical(f"k{column}", codes, tuple(range(30)), role="key") for column in range(12)]
    uniques = minimal_uniques(many, 2)
    assert uniques.record.tolist() == np.repeat(codes, 12).tolist()
    assert set(uniques.sizes.tolist()) == {1}


@given(rows)
def test_a_record_has_a_score_exactly_if_it_is_alone(records: list[list[int]]) -> None:
    data = sudare.Microdata(tuple(columns(records)))
    attack = Suda(sampling_fraction=0.1)(data)
    alone = Uniques()(data)
    assert attack.by_record is not None
    assert alone.by_record is not None
    np.testing.assert_array_equal(attack.by_record > 0, alone.by_record)


@given(rows)
def test_a_census_has_a_risk_of_one_for_each_unique(records: list[list[int]]) -> None:
    data = sudare.Microdata(tuple(columns(records)))
    assert Suda()(data).value == pytest.approx(Uniques()(data).value)


@given(rows, st.permutations(range(4)))
def test_the_order_of_the_keys_is_irrelevant(records: list[list[int]], order: list[int]) -> None:
    data = sudare.Microdata(tuple(columns(records)))
    names = tuple(f"k{column}" for column in order)
    first, reordered = (Suda(columns=c, sampling_fraction=0.2)(data) for c in (None, names))
    assert reordered.value == pytest.approx(first.value)
    assert reordered.parts == pytest.approx(dict(first.parts))


def test_scores_are_those_of_the_practice_guide() -> None:
    data = guide()
    keys = [data[name] for name in data.keys]
    uniques = minimal_uniques(keys, 3)
    assert suda_scores(uniques, 10, 3, "elliot").tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]


def test_dis_scores_are_those_of_the_practice_guide() -> None:
    """The guide's DIS column goes with the IHSN scores and sdcMicro's sampling fraction of 0.01."""
    attack = Suda(scoring="ihsn", sampling_fraction=0.01)(guide())
    assert attack.by_record is not None
    assert attack.by_record.round(4).tolist() == [
        *(0, 0, 0.0051, 0, 0.0107),
        *(0, 0.0051, 0.0088, 0, 0),
    ]


def test_contributions_count_every_minimal_unique_with_the_column() -> None:
    data = guide()
    uniques = minimal_uniques([data[name] for name in data.keys], 3)
    # 34 in all: 6 {pi}; 6 {rural}, 2 {female, sc}, 2 {female, u}, 2 {sc, u}; 6 {pc}; 6 {ps},
    # 2 {urban, u}, 2 {male, u}. Of these 8 are with the residence and 22 with the education.
    shares = contributions(uniques, 3, "elliot")
    assert shares[0] == pytest.approx(8 / 34)
    assert shares[2] == pytest.approx((6 + 2 + 2 + 6 + 6) / 34)


def test_the_sampling_fraction_follows_from_the_weights() -> None:
    data = guide()
    fraction = 10 / sum(WEIGHTS)
    given_, followed = Suda(sampling_fraction=fraction)(data), Suda()(data)
    assert followed.value == pytest.approx(given_.value)


def test_a_missing_key_is_in_no_minimal_unique_and_matches_every_value() -> None:
    sex = Categorical("sex", np.array([0, 1, 1, -1]), ("f", "m"), role="key")
    data = sudare.Microdata((sex,))
    assert Suda(missing="wildcard")(data).value == 0
    assert Suda()(data).value == 0.5  # the only woman, and the only one without an answer


def test_without_uniques_nobody_is_at_risk() -> None:
    counts = np.array([2, 2, 3, 3, 3])
    assert intrusion_risk(counts, 0.1) == 0
    assert dis_suda(np.zeros(5), counts, 0.1, 3).tolist() == [0] * 5


def test_small_sets_are_found_where_the_largest_are_not_looked_for() -> None:
    data = sudare.datasets.toy()
    few, all_ = (Suda(max_size=size)(data) for size in (2, None))
    assert few.by_record is not None
    assert all_.by_record is not None
    assert ((few.by_record > 0) <= (all_.by_record > 0)).all()
    assert (few.by_record > 0).sum() < (all_.by_record > 0).sum()


def test_more_columns_than_bits_are_refused() -> None:
    many = [Categorical(f"k{column}", np.zeros(2), ("a",)) for column in range(61)]
    with pytest.raises(sudare.errors.SettingError, match="at most 60 key columns"):
        minimal_uniques(many, 1)


def test_wildcards_that_match_too_many_values_are_refused() -> None:
    pay = Numeric("pay", np.append(np.arange(20_000.0), np.full(10_000, np.nan)), role="key")
    area = Categorical("area", np.arange(30_000), tuple(range(30_000)), role="key")
    with pytest.raises(sudare.errors.SettingError, match="'pay' has 10000 missing values"):
        minimal_uniques([pay, area], 2, wildcard=True)


def test_suppressed_keys_do_not_lower_the_reading_for_an_informed_attacker() -> None:
    data = sudare.datasets.toy()
    keys = ("sex", "age", "region")
    suppressed = sudare.apply(data, sudare.mask.LocalSuppression(k=3, columns=keys), seed=2**90)
    result = Suda(columns=keys)(data, suppressed.data)
    assert result.value == 0
    assert result.informed is not None
    assert result.informed > 0
    limits = [Limit.parse("suda <= 0.001"), Limit.parse("suda <= 0.1")]
    assert [limit.met_by(result) for limit in limits] == [False, True]
