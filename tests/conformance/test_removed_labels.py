"""A label whose last record was removed comes back by no later step, nor in what is released."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudare
from sudare import catalog, mask
from sudare.core import Categorical, Masked, Masker, Microdata, Numeric, Role, Step
from sudare.core.methods.applying import LabelPlan
from sudare.release import Recipe

GONE = "astronaut"  # one record's
KEYS = ("job", "grade")
ROLES: dict[str, Role] = {"job": "key", "grade": "key", "age": "key", "pay": "sensitive"}
TABLES = [
    entry.name for entry in catalog.METHODS if (entry.family, entry.subject) == ("mask", "table")
]
REMOVING: dict[str, Masker] = {
    "RemoveRecords": mask.RemoveRecords(rarest=0.02, columns=KEYS),
    "Subsample": mask.Subsample(share=0.5),
    "LocalSuppression": mask.LocalSuppression(k=3, missing="category", columns=KEYS),
    "Suppression": mask.Suppression(k=3, columns=KEYS),
    "FullDomain": mask.FullDomain(
        k=3, suppression_limit=1, levels=dict.fromkeys(KEYS, 0), columns=KEYS
    ),
    "Microaggregation": mask.Microaggregation(k=5, columns=KEYS),
    "GlobalRecode": mask.GlobalRecode(maps={name: {GONE: "j1"} for name in KEYS}),
    "EditRules": mask.EditRules(
        rules=tuple(f'{name} == "{GONE}" implies {name} == "j1"' for name in KEYS)
    ),
    "TopBottomCode": mask.TopBottomCode(top="j4", columns=("grade",)),
}
IN_BLOCKS = ("LocalSuppression", "Suppression", "FullDomain", "EditRules")
NAMING = [
    mask.Pram(columns=KEYS),
    mask.Pram(invariant=True, columns=KEYS),
    mask.RetentionReplacement(columns=KEYS),
    mask.PkAnonymization(k=2, columns=KEYS),
    mask.GlobalRecode(min_share=0.2, columns=KEYS),
]


def table(position: int) -> Microdata:
    """One record has a label of its own, somewhere on the list."""
    rng = np.random.default_rng(1)
    labels = [f"j{number}" for number in range(5)]
    labels.insert(position, GONE)
    others = [code for code in range(6) if code != position]
    codes = np.append(position, rng.choice(others, 99))
    grades = np.append(position, rng.choice(others, 99))
    return Microdata(
        (
            Categorical("job", codes, tuple(labels), role="key"),
            Categorical("grade", grades, tuple(labels), role="key", scale="ordinal"),
            Numeric("age", rng.integers(20, 80, 100).astype(float), role="key", scale="ratio"),
            Numeric("pay", rng.normal(300, 30, 100).round(), role="sensitive", scale="ratio"),
            Numeric("home", np.arange(100) // 2 * 1.0, role="household"),
        )
    )


def told(masked: Masked[Microdata], columns: tuple[str, ...] = KEYS) -> bool:
    """Return whether the values, the lists of labels or what is published has the label."""
    lists = [masked.data[name].coded.labels for name in columns]
    public = [step.public.get(name) for step in masked.steps for name in columns]
    return GONE in repr([lists, public])


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("removing", REMOVING)
def test_no_later_step_names_a_label_that_no_record_has(removing: str, name: str) -> None:
    data, first = table(5 if removing == "TopBottomCode" else 2), REMOVING[removing]
    columns = ("grade",) if removing == "TopBottomCode" else KEYS
    seed = next(s for s in range(9) if not told(sudare.apply(data, first, seed=s), columns))
    assert not told(sudare.apply(data, [first, catalog.masker(name, {})], seed=seed), columns)


@pytest.mark.parametrize("removing", IN_BLOCKS)
def test_tables_in_blocks_are_masked_alike(removing: str, tmp_path: Path) -> None:
    data, first = table(5), REMOVING[removing]
    path = sudare.write(data, tmp_path / "people.parquet")
    read, opened = sudare.read(path, roles=ROLES), sudare.open(path, roles=ROLES)
    for naming in NAMING:
        masked = sudare.apply(read, [first, naming], seed=3)
        large = sudare.apply(opened, [first, naming], seed=3)
        one_by_one = sudare.apply(sudare.apply(opened, first, seed=3).data, naming, seed=3)
        frames: list[Any] = [t.data.to_frame("pyarrow") for t in (masked, large)]
        assert frames[0].select(KEYS).equals(frames[1].select(KEYS))
        said = [[t.steps[-1].public[name] for name in KEYS] for t in (masked, large, one_by_one)]
        assert GONE not in repr([frames[0].to_pydict(), said])


@pytest.mark.parametrize("naming", NAMING, ids=lambda naming: type(naming).__name__)
@pytest.mark.parametrize("is_stated", [False, True])
def test_labels_that_records_never_had_must_be_stated(
    naming: Masker, is_stated: bool, tmp_path: Path
) -> None:
    frame: Any = sudare.to_frame(table(5), "pandas")
    frame = frame.astype(dict.fromkeys(KEYS, "category"))
    frame = frame[(frame["job"] != GONE) & (frame["grade"] != GONE)]
    order = dict.fromkeys(KEYS, (*map("j{}".format, range(5)), GONE))
    reading: Any = {"roles": ROLES, **({"orders": order} if is_stated else {})}
    frame.to_parquet(tmp_path / "people.parquet")
    read = sudare.read(frame, **reading)
    tables = (read, sudare.open(tmp_path / "people.parquet", **reading))
    masked = [sudare.apply(data, naming, seed=3) for data in tables]
    public: Any = [[m.steps[0].public.get(name) for name in KEYS] for m in masked]
    frames = [m.data.to_frame("pyarrow").select(KEYS) for m in masked]
    assert GONE in read["job"].coded.labels  # what masks nothing takes nothing from a type
    assert frames[0].to_pydict() == frames[1].to_pydict()
    assert repr(public[0]) == repr(public[1])
    assert is_stated or not (told(masked[0]) or GONE in repr(public))
    if is_stated and isinstance(naming, mask.Pram):
        assert public[0][0]["labels"] == order["job"]


def test_the_list_of_a_column_built_by_hand_is_a_statement() -> None:
    """Else the published list would tell a person who has a label alone."""
    data = sudare.datasets.toy(60)
    region = data["region"].coded
    assert len(region.labels_that_occur()) < len(region.labels)
    (step,) = sudare.apply(data, mask.Pram(columns=("region",)), seed=3).steps
    assert step.public["region"]["labels"] == region.labels


def test_plans_that_shorten_lists_keep_values() -> None:
    column = table(2)["job"].coded.take(np.arange(1, 100))
    plan = LabelPlan(Step("", ("job",)), {"job": column.labels_that_occur()})
    masked = plan.transform(Microdata((column,)))["job"].coded
    assert GONE not in masked.labels
    assert [masked.labels[c] for c in masked.codes] == [column.labels[c] for c in column.codes]


@pytest.mark.parametrize("naming", NAMING[1:4], ids=["Pram", "RetentionReplacement", "Pk"])
def test_a_released_folder_does_not_name_it(naming: Masker, tmp_path: Path) -> None:
    recipe = Recipe("drawn", [REMOVING["LocalSuppression"], naming])
    seed = 73915502846613094428817  # the findings are those of a draw
    findings = sudare.publish(table(2), recipe, measures=(), seed=seed).findings
    stops = [finding.name for finding in findings if finding.severity == "stop"]
    release = sudare.publish(table(2), recipe, measures=(), confirmations=stops, seed=seed)
    for kind in ("csv", "parquet", "sav", "dta"):
        for path in release.write(tmp_path / kind, kind=kind).iterdir():
            assert GONE.encode() not in path.read_bytes()
