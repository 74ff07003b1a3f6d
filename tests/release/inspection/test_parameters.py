"""What the published recipe names: labels that few had, or that were taken out."""

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Masker, Microdata
from sudare.release import Findings

SIZES = {"none": 300, "common": 200, "frequent": 90, "rare": 3}
FAITH = Categorical(
    "faith", np.repeat(np.arange(4), list(SIZES.values())), tuple(SIZES), role="sensitive"
)


def findings_of(masker: Masker, *confirmations: str) -> Findings:
    recipe = sudare.Recipe("r", [masker])
    data = Microdata((FAITH,))
    publication = sudare.publish(data, recipe, measures=[], confirmations=confirmations, seed=2**90)
    return publication.findings


def merged(*labels: str) -> Masker:
    new = dict.fromkeys(labels, "other")
    return sudare.mask.GlobalRecode(columns=("faith",), maps={"faith": new})


@pytest.mark.parametrize(
    ("masker", "counts"),
    [
        (merged("rare", "frequent"), [3]),
        (merged("common", "frequent"), []),
        (sudare.mask.RemoveRecords(where={"faith": ("frequent",)}), [90]),
        (sudare.mask.GlobalRecode(columns=("faith",), min_share=0.05), []),
    ],
)
def test_labels_that_a_recipe_gives_away_stop_a_release(masker: Masker, counts: list[int]) -> None:
    findings = findings_of(masker).of_kind("recipe-values")
    assert [(finding.count, finding.stops) for finding in findings] == [(n, True) for n in counts]
    assert not any(label in str(f.detail) for f in findings for label in ("rare", "frequent"))


def test_they_are_accepted_by_name() -> None:
    findings = findings_of(merged("rare", "frequent"), "recipe-values:faith")
    assert [finding.confirmed for finding in findings.of_kind("recipe-values")] == [True]
