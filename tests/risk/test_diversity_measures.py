"""l-diversity and t-closeness: nine patients, as in the paper of Li, Li and Venkatasubramanian.

The paper prints 0.375, 0.167 and 0.167 for the salaries; the diseases are worked out here by hand.
"""

import numpy as np
import pytest

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.risk import LDiversity, TCloseness

SALARIES = np.array([3, 4, 5, 6, 11, 8, 7, 9, 10]) * 1000.0
DISEASES = (
    *("gastric ulcer", "gastritis", "stomach cancer", "gastritis", "flu"),
    *("bronchitis", "bronchitis", "pneumonia", "stomach cancer"),
)
TREE = {
    **dict.fromkeys(("flu", "pneumonia", "bronchitis"), "respiratory infection"),
    **dict.fromkeys(("pulmonary edema", "pulmonary embolism"), "vascular lung diseases"),
    **dict.fromkeys(("gastric ulcer", "stomach cancer", "gastritis"), "stomach diseases"),
    **dict.fromkeys(("colitis", "colon cancer"), "colon diseases"),
    **dict.fromkeys(("respiratory infection", "vascular lung diseases"), "respiratory"),
    **dict.fromkeys(("stomach diseases", "colon diseases"), "digestive"),
    **dict.fromkeys(("respiratory", "digestive"), "all"),
}


def patients(classes: list[int]) -> Microdata:
    labels = tuple(sorted(set(DISEASES)))
    codes = np.array([labels.index(disease) for disease in DISEASES])
    return Microdata(
        (
            Categorical("keys", np.array(classes), tuple("abc"), role="key"),
            Numeric("salary", SALARIES, role="sensitive"),
            Categorical("disease", codes, labels, role="sensitive"),
        )
    )


TABLE_3 = patients([0, 0, 0, 1, 1, 1, 2, 2, 2])
TABLE_5 = patients([0, 2, 0, 1, 1, 1, 2, 0, 2])


def test_salaries_are_compared_by_rank() -> None:
    result = TCloseness(sensitive=("salary",))(TABLE_3)
    assert result.by_record is not None
    assert result.by_record[:6].round(3).tolist() == [0.375] * 3 + [0.167] * 3
    assert TCloseness(sensitive=("salary",))(TABLE_5).value == pytest.approx(0.167, abs=5e-4)


def test_diseases_are_compared_along_the_tree() -> None:
    measure = TCloseness(
        sensitive=("disease",), distance="hierarchical", hierarchies={"disease": {"parents": TREE}}
    )
    # Gastritis, flu and bronchitis: 4/9 must move between leaves, 2/9 between groups of level 1
    # and the same 2/9 between those of level 2; each level is a third of the way to the root.
    assert measure(TABLE_5).value == pytest.approx((4 / 9 + 2 / 9 + 2 / 9) / 3)


def test_parts_are_by_sensitive_column_and_the_worst_is_the_value() -> None:
    result = TCloseness()(TABLE_3)
    assert set(result.parts) == {"salary", "disease"}
    assert result.value == max(result.parts.values())
    diverse = LDiversity()(TABLE_3)
    assert diverse.parts == {"salary": 3.0, "disease": 3.0}
    assert diverse.value == 3.0
    assert diverse.by_record is not None
    assert diverse.by_record.tolist() == [3.0] * 9


def test_a_class_of_one_value_has_diversity_1_of_every_kind() -> None:
    data = patients([0, 1, 1, 1, 1, 1, 1, 1, 1])
    for kind in ("distinct", "entropy", "recursive"):
        assert LDiversity(diversity=kind)(data).value == 1


def test_sensitive_columns_are_needed() -> None:
    with pytest.raises(sudare.errors.ColumnError, match="no sensitive column besides the keys"):
        LDiversity()(TABLE_3.assigning({"salary": "other", "disease": "other"}))
