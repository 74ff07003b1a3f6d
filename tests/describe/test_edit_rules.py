"""Edit rules: parsed, never executed; what breaks them is put to the nearest valid value."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import AnyMasker, Categorical, ColumnError, Microdata, Numeric, SettingError
from sudare.describe import EditRule, edited
from sudare.loss import RuleViolations
from sudare.mask import EditRules, FullDomain, Mondrian, Noise, Suppression

RULES = (
    "age is whole",
    "age from 16 to 90",
    "start <= end",
    'state == "none" implies time == 10',
)


def table(rows: list[tuple[float, float, float, float, int]]) -> Microdata:
    age, start, end, time, state = (np.array(part) for part in zip(*rows, strict=True))
    return Microdata(
        (
            Numeric("age", age.astype(float), role="key"),
            Numeric("start", start.astype(float), role="key"),
            Numeric("end", end.astype(float), role="key"),
            Numeric("time", time.astype(float), role="sensitive"),
            Categorical("state", state, ("none", "ill"), role="sensitive"),
        )
    )


numbers = st.floats(-100, 100) | st.just(np.nan)
tables = st.lists(
    st.tuples(numbers, numbers, numbers, numbers, st.integers(-2, 1)), min_size=1, max_size=12
).map(table)


@given(tables)
def test_no_rule_is_broken_after_editing_and_what_was_valid_stays(data: Microdata) -> None:
    rules = [EditRule.parse(text) for text in RULES]
    made = edited(data, rules)
    broken = np.zeros(data.rows, bool)
    for rule in rules:
        assert not rule.broken(made).any()
        broken |= rule.broken(data)
    kept = np.flatnonzero(~broken)
    assert made.take(kept).equals(data.take(kept)) if len(kept) else True
    assert edited(made, rules).equals(made)


def test_by_hand() -> None:
    data = table([(41.3, 1, 2, 10, 0), (95.0, 5, 2, 3, 0), (np.nan, 0, 0, 4, 1)])
    made = edited(data, [EditRule.parse(text) for text in RULES])
    assert made["age"].values[:2].tolist() == [41, 90]  # type: ignore[attr-defined]
    assert made["age"].missing.tolist() == [False, False, True]
    assert made["start"].values.tolist() == [1, 2, 0]  # type: ignore[attr-defined]
    assert made["time"].values.tolist() == [10, 10, 4]  # type: ignore[attr-defined]


def test_categories_and_names_with_blanks() -> None:
    data = Microdata(
        (
            Numeric("age at visit", np.array([10.0, 30.0]), role="key"),
            Categorical("婚姻", np.array([1, 1]), ("single", "married"), role="key"),
        )
    )
    rule = EditRule.parse('`age at visit` < 15 implies 婚姻 == "single"')
    assert rule.broken(data).tolist() == [True, False]
    assert edited(data, [rule])["婚姻"].coded.codes.tolist() == [0, 1]


@pytest.mark.parametrize(
    "text", ["", "age", "age is", "age ~ 3", "a == 1 implies b == 2 implies c == 3", "f(x) == 1 y"]
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="cannot be read"):
        EditRule.parse(text)


@pytest.mark.parametrize("text", ['age == "x"', "state < 3", "state is whole", "state <= age"])
def test_what_cannot_be_compared_is_refused(text: str) -> None:
    with pytest.raises(ColumnError, match="edit rule"):
        EditRules(rules=(text,)).fit(table([(1, 1, 1, 1, 1)]))


def test_what_cannot_be_repaired_is_reported() -> None:
    data = table([(20, 1, 1, 1, 1), (30, 1, 2, 1, 1)])
    rules = ("start < end", "age is whole")
    made = sudare.apply(data, EditRules(rules=rules)).data
    result = RuleViolations(rules=rules)(data, made)
    assert result.value == 0.5
    assert dict(result.parts) == {"start < end": 0.5, "age is whole": 0.0}


def test_every_masker_of_a_recipe_ends_valid() -> None:
    data = sudare.datasets.toy()
    recipe = [Noise(columns=("age",)), EditRules(rules=("age is whole", "age from 0 to 120"))]
    masked = sudare.apply(data, recipe, seed=1)
    assert RuleViolations(rules=("age is whole", "age from 0 to 120"))(data, masked.data).value == 0
    assert masked.steps[1].columns == ("age",)


def test_a_rule_about_numbers_says_nothing_of_classes() -> None:
    data = sudare.datasets.toy()
    rules = ("age is whole", "age from 0 to 120", "income >= 0")
    recipe = [Mondrian(k=5, columns=("age",)), EditRules(rules=rules)]
    masked = sudare.apply(data, recipe, seed=1)
    assert masked.steps[1].columns == ("income",)
    result = RuleViolations(rules=rules)(data, masked.data)
    assert result.value == 0
    assert list(result.parts) == ["income >= 0"]
    assert [note.split(" is not judged")[0] for note in result.notes] == [
        "'age is whole'",
        "'age from 0 to 120'",
    ]


def test_a_recipe_without_numbers_left_is_not_changed_by_rules() -> None:
    data = sudare.datasets.toy()
    alone = sudare.apply(data, Mondrian(k=5, columns=("age",)), seed=1)
    recipe = [Mondrian(k=5, columns=("age",)), EditRules(rules=("age is whole",))]
    edited_too = sudare.apply(data, recipe, seed=1)
    assert edited_too.steps[1].columns == ("age",)
    codes = [made.data["age"].coded.codes.tolist() for made in (alone, edited_too)]
    assert codes[0] == codes[1]


@pytest.mark.parametrize(
    "masker", [FullDomain(k=300, columns=("age",)), Suppression(k=390, columns=("age",))]
)
def test_a_rule_says_nothing_of_a_column_that_masking_left_empty(masker: AnyMasker) -> None:
    data = sudare.datasets.toy()
    rules = ("age is whole", "age from 0 to 120", 'sex == "female" implies age >= 0')
    masked = sudare.apply(data, [masker, EditRules(rules=rules)], seed=1)
    alone = sudare.apply(data, masker, seed=1)
    assert masked.data["age"].coded.labels == alone.data["age"].coded.labels
    assert RuleViolations(rules=("income >= 0", *rules))(data, masked.data).value == 0
