"""l and t name what they are about, and do not hold where sensitive values decided what is seen."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import sudare
from sudare import mask
from sudare.release.inspection.release_guarantees.guarantees import Guarantee

SEED = 73915502846613094428817
RULE = mask.EditRules(rules=('illness == "cancer" implies region == "N"',))


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "region": rng.choice(list("NESW"), 600),
            "age": rng.integers(20, 60, 600),
            "illness": rng.choice(["flu", "cold", "cancer"], 600),
            "pain": rng.integers(0, 5, 600),
        }
    )


def promises(data: pl.DataFrame, *steps: Any, sensitive: str = "illness") -> dict[str, Guarantee]:
    table = sudare.read(data, roles={"region": "key", "age": "key", sensitive: "sensitive"})
    accepted = [f"absence:{sensitive}", "recipe-values:illness"]
    recipe = sudare.Recipe("r", list(steps))
    made = sudare.publish(table, recipe, measures=[], seed=SEED, confirmations=accepted)
    return {promise.name: promise for promise in made.guarantees}


def texts(promise: Guarantee) -> str:
    return " ".join(str(condition.text) for condition in promise.conditions)


@pytest.mark.parametrize(
    "steps",
    [
        (RULE, mask.Mondrian(k=5, l=2)),
        (mask.Mondrian(k=5, l=2, columns=("age",)), RULE),
        (mask.RemoveRecords(where={"illness": ("cancer",)}), mask.Mondrian(k=5, l=2)),
        (mask.RemoveRecords(rarest=0.1, columns=("age", "illness")), mask.Mondrian(k=5, l=2)),
        (mask.Subsample(share=0.5, strata=("illness",)), mask.Mondrian(k=5, l=2)),
        (
            mask.Microaggregation(k=20, columns=("age",), strata=("illness",)),
            mask.Mondrian(k=5, l=2),
        ),
    ],
)
def test_l_is_void_where_sensitive_values_chose_records_or_wrote_keys(
    patients: pl.DataFrame, steps: tuple[Any, ...]
) -> None:
    made = promises(patients, *steps)
    assert made["k-anonymity"].holds is None
    assert made["l-diversity"].holds is False


@pytest.mark.parametrize(
    "step", [mask.RemoveRecords(rarest=0.1), mask.Microaggregation(columns=("age",))]
)
def test_l_holds_where_other_columns_did(patients: pl.DataFrame, step: Any) -> None:
    made = promises(patients, step, mask.Mondrian(k=5, l=2))
    assert made["l-diversity"].holds is None
    assert "knows the keys of everybody" in texts(made["l-diversity"])


def test_whoever_knows_all_keys_is_a_condition_of_l_only_where_a_step_looked(
    patients: pl.DataFrame,
) -> None:
    table = sudare.read(patients, roles={"region": "key", "age": "key", "illness": "sensitive"})
    recipe = sudare.Recipe("r", [mask.Mondrian(k=5)])
    made = sudare.publish(table, recipe, measures=["l-diversity"], seed=SEED)
    told = {promise.name: texts(promise) for promise in made.guarantees}
    assert "keys of everybody" not in told["l-diversity"]


def test_l_is_that_of_the_columns_and_the_kind_that_was_asked_for(patients: pl.DataFrame) -> None:
    asked = mask.Mondrian(k=5, l=1.5, diversity="entropy", sensitive=("illness",))
    promise = promises(patients, asked, sensitive="pain")["l-diversity"]
    assert 1.5 <= promise.value <= 3
    assert "illness" in texts(promise)
    assert "entropy" in texts(promise)
    table = sudare.read(patients.drop("pain"), roles={"region": "key", "age": "key"})
    made = sudare.publish(table, sudare.Recipe("r", [asked]), measures=[], seed=SEED)
    assert [p.value for p in made.guarantees if p.name == "l-diversity"] == [promise.value]


def test_records_removed_by_a_sensitive_number_stop_the_release() -> None:
    data = sudare.datasets.toy()
    for where, stops in (({"income": ">= 500"}, True), ({"age": ">= 70"}, False)):
        recipe = sudare.Recipe("r", [mask.RemoveRecords(where=where), mask.Mondrian(k=3)])
        masked = recipe.apply(data, seed=1)
        absences = sudare.release.gate(data, masked.data, masked.steps).of_kind("absence")
        assert [finding.columns for finding in absences if finding.stops] == [("income",)] * stops


def test_epsilon_says_that_blanks_and_measures_are_not_covered(patients: pl.DataFrame) -> None:
    step = mask.RetentionReplacement(columns=("region",), domains={"region": tuple("NESW")})
    promise = promises(patients, step)["epsilon"]
    assert promise.holds is None
    assert "blanks stay as they are" in texts(promise)
    assert "add at most 1 to ε" in texts(promise)
