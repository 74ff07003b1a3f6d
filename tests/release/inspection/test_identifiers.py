"""Texts that masking wrote are not texts in people's own words."""

import numpy as np

import sudare
from sudare.core import Categorical


def kinds(data: sudare.Microdata, *maskers: sudare.mask.Mondrian) -> set[tuple[str, str]]:
    masked = sudare.apply(data, maskers, seed=1)
    findings = sudare.release.gate(data, masked.data, masked.steps)
    return {(finding.kind, name) for finding in findings for name in finding.columns}


def test_ranges_and_sets_of_labels_are_not_free_text() -> None:
    rows = 300
    draws = np.random.default_rng(1)
    towns = tuple(f"town number {number:03d}" for number in range(150))
    town = Categorical("town", draws.integers(0, 150, rows).astype(np.int32), towns, role="key")
    data = sudare.Microdata((town,))
    findings = kinds(data, sudare.mask.Mondrian(k=3))
    assert ("free-text", "town") not in findings


def test_texts_that_were_there_before_are_free_text() -> None:
    texts = tuple(f"a remark of my own about case {number}, at length" for number in range(120))
    remark = Categorical("x", np.arange(120, dtype=np.int32), texts)
    key = Categorical(
        "key", np.repeat(np.arange(60, dtype=np.int32), 2), tuple(map(str, range(60))), role="key"
    )
    assert ("free-text", "x") in kinds(sudare.Microdata((remark, key)), sudare.mask.Mondrian(k=3))
