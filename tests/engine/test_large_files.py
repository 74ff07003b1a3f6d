"""A file that is read in blocks gives what the same table in memory gives."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sudare
from sudare import catalog
from sudare.core import Masked, Masker, same_values
from sudare.core.draws import Draws
from sudare.core.errors import (
    ColumnError,
    InputError,
    MismatchError,
    OutputError,
    SettingError,
    TooLargeError,
)
from sudare.core.table.categorical import Categorical
from sudare.core.table.large import Extremes
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Role
from sudare.engine.counting.counts import group_sizes, groups
from sudare.engine.counting.packing import collapsed
from sudare.engine.counting.weighted_moments import moments
from sudare.engine.files import write_released
from sudare.engine.frames import ReadOptions
from sudare.engine.large.coding import Carried
from sudare.engine.large.file_sources import FileSource
from sudare.engine.large.file_table import FileTable
from sudare.engine.large.memory_budget import MemoryBudget, byte_count
from sudare.engine.large.survey import Kinds, KindTask, survey
from sudare.mask.microaggregation.in_parts import Loss, loss_of

ROLES: dict[str, Role] = {
    column.name: column.role for column in sudare.datasets.toy().columns if column.role != "other"
}
MASKERS = [e.name for e in catalog.METHODS if e.subject == "table" and e.family == "mask"]


def masker(name: str) -> Masker:
    masker = catalog.masker(name, {})
    assert isinstance(masker, Masker)
    return masker


LEAVING_OUT = {"RemoveRecords", "Subsample"}  # records, not values
WHOLE = {name for name in MASKERS if masker(name).works_on == "table"}


def small_blocks(table: FileTable, rows: int = 31) -> FileTable:
    assert isinstance(table.source, FileSource)
    return replace(table, source=replace(table.source, block_rows=rows))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The toy population in several row groups, with a category type and a few gaps."""
    table = pq.read_table(sudare.write(sudare.datasets.toy(), tmp_path / "toy.parquet"))
    position = table.column_names.index("education")
    table = table.set_column(position, "education", table["education"].dictionary_encode())
    pq.write_table(table, tmp_path / "toy.parquet", row_group_size=97)
    return tmp_path / "toy.parquet"


@pytest.fixture
def memory(path: Path) -> Microdata:
    return sudare.read(path, roles=ROLES)


@pytest.fixture
def table(path: Path) -> FileTable:
    return small_blocks(sudare.open(path, roles=ROLES))


def same_file(first: object, second: object, folder: Path) -> bool:
    written = [folder / "one.parquet", folder / "other.parquet"]
    for data, path in zip((first, second), written, strict=True):
        sudare.write(data, path, overwrite=True)  # type: ignore[arg-type]
    return bool(pq.read_table(written[0]).equals(pq.read_table(written[1])))


@pytest.mark.parametrize("name", [name for name in MASKERS if name not in WHOLE])
def test_same_seed_same_file(
    name: str, memory: Microdata, table: FileTable, tmp_path: Path
) -> None:
    whole, blocks = (sudare.apply(data, masker(name), seed=5) for data in (memory, table))
    assert same_file(whole.data, blocks.data, tmp_path)
    assert [step.columns for step in blocks.steps] == [step.columns for step in whole.steps]
    assert set(blocks.steps[0].public) == set(whole.steps[0].public)


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_what_needs_the_whole_table_offers_a_sample(name: str, table: FileTable) -> None:
    with pytest.raises(TooLargeError, match="sample"):
        sudare.apply(table, masker(name), seed=5)
    masked = sudare.apply(table.sample(200, seed=1), masker(name), seed=5).data
    assert masked.rows == 200 or name in LEAVING_OUT


def test_steps_follow_one_another(memory: Microdata, table: FileTable, tmp_path: Path) -> None:
    steps = [
        sudare.mask.Intervals(columns=("age",), classes=4),
        sudare.mask.Pram(columns=("age", "region"), invariant=True, weighted=True),
        sudare.mask.GlobalRecode(columns=("region", "occupation"), min_share=0.1),
        sudare.mask.Noise(columns=("income",)),
        sudare.mask.TopBottomCode(columns=("income",), top_share=0.05, beyond="mean"),
        sudare.mask.Mondrian(k=4, columns=("sex", "age", "region"), l=2, sensitive=("condition",)),
    ]
    whole, blocks = (sudare.apply(data, steps, seed=3) for data in (memory, table))
    assert same_file(whole.data, blocks.data, tmp_path)


@pytest.mark.parametrize("published", ["range", "mean", "median", "mode"])
@pytest.mark.parametrize("strict", [True, False])
def test_mondrian_from_counts_is_mondrian_from_records(
    *, published: str, strict: bool, memory: Microdata, table: FileTable, tmp_path: Path
) -> None:
    mondrian = sudare.mask.Mondrian(k=7, strict=strict, representative=published, t=0.4)  # type: ignore[arg-type]
    whole, blocks = (sudare.apply(data, mondrian) for data in (memory, table))
    assert same_file(whole.data, blocks.data, tmp_path)


def test_microaggregation_in_parts_keeps_groups_of_k(table: FileTable, tmp_path: Path) -> None:
    data = sudare.datasets.toy(5000, seed=2)
    path = sudare.write(data, tmp_path / "long.parquet")
    long = small_blocks(sudare.open(path, roles=ROLES), 700)
    grouping = sudare.mask.Microaggregation(
        k=5, columns=("age", "education", "weight"), strata=("sex",), exact_up_to=1000
    )
    masked = sudare.apply(long, grouping)
    after = masked.data.counted(("age", "education", "weight", "sex"))
    assert after.records == 5000
    assert min(group_sizes([after[n] for n in ("age", "education", "sex")])) >= 5
    whole = sudare.apply(sudare.read(path, roles=ROLES), grouping)
    ours, theirs = masked.steps[0].public["age"], whole.steps[0].public["age"]
    assert 0 < ours["sse_share"] < 2 * theirs["sse_share"] + 0.01


@pytest.mark.parametrize("strata", [(), ("sex",)])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_numbers_are_grouped_from_the_ends_of_equal_ones(
    k: int, strata: tuple[str, ...], tmp_path: Path
) -> None:
    path = sudare.write(sudare.datasets.toy(3000, seed=4), tmp_path / "long.parquet")
    long, roles = small_blocks(sudare.open(path, roles=ROLES), 400), ROLES
    grouping = sudare.mask.UnivariateMicroaggregation(
        k=k, columns=("age", "income", "household"), strata=strata
    )
    whole, blocks = (sudare.apply(d, grouping) for d in (sudare.read(path, roles=roles), long))
    assert same_file(whole.data, blocks.data, tmp_path)
    for name, facts in blocks.steps[0].public.items():
        assert facts == pytest.approx(whole.steps[0].public[name])


@pytest.mark.parametrize("power", [-1000, -700, 530, 996])
@pytest.mark.parametrize(
    "grouping",
    [
        sudare.mask.Microaggregation(scale="sd", exact_up_to=1000),
        sudare.mask.Microaggregation(scale="range", exact_up_to=1000),
        sudare.mask.Microaggregation(),
        sudare.mask.UnivariateMicroaggregation(),
    ],
    ids=["sd", "range", "in one part", "each by itself"],
)
def test_numbers_of_any_size_are_grouped_alike(
    power: int, grouping: Masker, tmp_path: Path
) -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 1500)).round(2)
    x[:9] = np.nan

    def release(unit: float) -> Masked[Any]:
        data = Microdata((Numeric("x", x * unit, role="key"), Numeric("y", y, role="key")))
        path = sudare.write(data, tmp_path / f"{unit}.parquet")
        table = sudare.open(path, roles={"x": "key", "y": "key"})
        return sudare.apply(small_blocks(table, 400), grouping)

    usual, far = release(1.0), release(2.0**power)
    expected, scaled = (r.data.counted(("x", "y")) for r in (usual, far))
    assert np.array_equal(expected["x"].values * 2.0**power, scaled["x"].values, equal_nan=True)
    assert np.array_equal(expected["y"].values, scaled["y"].values)
    assert far.steps[0].public == usual.steps[0].public
    assert far.steps[0].public["x"]["sse_share"] > 0


@pytest.mark.parametrize("unit", [2.0**-700, 2.0**700])
def test_without_scales_numbers_of_any_size_are_grouped(unit: float, tmp_path: Path) -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 1500))
    data = Microdata((Numeric("x", x * unit, role="key"), Numeric("y", y, role="key")))
    path = sudare.write(data, tmp_path / "long.parquet")
    table = sudare.open(path, roles={"x": "key", "y": "key"})
    grouping = sudare.mask.Microaggregation(scale="none", exact_up_to=1000)
    public = sudare.apply(table, grouping).steps[0].public
    large, small = ("x", "y") if unit > 1 else ("y", "x")
    assert 0 < public[large]["sse_share"] < 0.01 < public[small]["sse_share"] < 1


def test_numbers_too_far_apart_to_be_subtracted_are_refused(tmp_path: Path) -> None:
    data = Microdata((Numeric("x", np.linspace(-1, 1, 1500) * 1.7e308, role="key"),))
    table = sudare.open(sudare.write(data, tmp_path / "long.parquet"), roles={"x": "key"})
    with pytest.raises(ColumnError, match="column 'x': its numbers are too far apart"):
        sudare.apply(table, sudare.mask.Microaggregation(exact_up_to=1000))


def test_losses_of_parts_of_any_size_are_those_of_the_whole() -> None:
    values = np.array([0.0, 0, 0, 1e-200, 3e-200, 5e-200])
    before, after = Numeric("x", values), Numeric("x", np.repeat([0, 3e-200], 3))
    whole = loss_of(before, after).share()
    parts = [
        loss_of(before.take(rows), after.take(rows)) for rows in (np.arange(3), np.arange(3, 6))
    ]
    assert reduce(Loss.merged, parts).share() == pytest.approx(whole)
    assert reduce(Loss.merged, parts[::-1]).share() == pytest.approx(whole)
    assert whole["sse_share"] == 0.4  # 8 / 21.5 with one digit


def test_numbers_that_are_all_different_are_too_many_to_group(table: FileTable) -> None:
    narrow = replace(table, budget=MemoryBudget(1 << 30, threads=1 << 16))
    with pytest.raises(TooLargeError, match="sample"):
        sudare.apply(narrow, sudare.mask.UnivariateMicroaggregation(columns=("income",)))


def test_microaggregation_in_parts_sets_apart_who_lacks_values(tmp_path: Path) -> None:
    path = sudare.write(sudare.datasets.toy(4000, seed=2), tmp_path / "long.parquet")
    long = small_blocks(sudare.open(path, roles=ROLES), 700)
    grouping = sudare.mask.Microaggregation(k=3, columns=("age", "income"), exact_up_to=1000)
    masked = sudare.apply(long, grouping).data
    assert min(group_sizes([masked.counted(("age", "income"))[n] for n in ("age", "income")])) >= 3
    before, after = long.counted_with(masked, ("income",))
    assert (before["income"].known == after["income"].known).all()


@pytest.mark.parametrize("strata", [(), ("part",)])
def test_microaggregation_in_parts_suppresses_no_record_alone(
    strata: tuple[str, ...], tmp_path: Path
) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 4000))
    x[::401], y[5::97] = np.nan, np.nan
    data = Microdata(
        (
            Numeric("x", x, role="key", absent=np.arange(4000) % 802 == 0, absent_label="none"),
            Numeric("y", y, role="key"),
            Categorical("part", np.arange(4000) % 3, ("a", "b", "c")),
        )
    )
    path = sudare.write(data, tmp_path / "long.csv")
    long = sudare.open(path, roles={"x": "key", "y": "key"}, not_applicable=("none",))
    grouping = sudare.mask.Microaggregation(
        k=20, rare_absence="suppress", strata=strata, exact_up_to=1000
    )
    masked = sudare.apply(long, grouping).data.counted(("x", "y", "part"))
    copies = np.asarray(masked.copies)
    sizes = np.bincount(groups([masked[name] for name in ("x", "y", *strata)]).index, copies)
    assert sizes.min() >= 20
    assert not masked["x"].not_applicable.any()


def test_counts_are_those_of_the_table(memory: Microdata, table: FileTable) -> None:
    names = ("sex", "age", "income", "occupation")
    columns = [memory[name] for name in names]
    expected = collapsed(columns, np.ones(memory.rows, np.int64))
    counted = table.counted(names)
    assert counted.records == memory.rows
    assert Microdata(counted.columns[:4]).equals(Microdata(expected.columns))
    assert counted.copies is not None
    assert expected.copies is not None
    assert (counted.copies == expected.copies).all()
    assert counted.weights is not None
    assert memory.weights is not None
    assert (counted.weights * counted.copies).sum() == pytest.approx(memory.weights.sum())


def test_pairs_are_counted_across_two_files(path: Path, table: FileTable) -> None:
    masked = sudare.apply(table, sudare.mask.Pram(columns=("sex", "region")), seed=1).data
    written = sudare.write(masked, path.with_name("masked.parquet"))
    other = small_blocks(sudare.open(written, roles=ROLES), 50)
    names = ("sex", "region")
    for read, opened in zip(
        table.counted_with(masked, names), table.counted_with(other, names), strict=True
    ):
        assert Microdata(read.columns[:2]).equals(Microdata(opened.columns[:2]))
        assert np.array_equal(np.asarray(read.copies), np.asarray(opened.copies))
    short = sudare.write(sudare.datasets.toy(50), path.with_name("short.parquet"))
    with pytest.raises(MismatchError, match="correspond"):
        table.counted_with(sudare.open(short), names)


@pytest.mark.parametrize("weighted", [True, False])
def test_moments_are_the_same_to_the_last_digit(
    *, weighted: bool, memory: Microdata, table: FileTable
) -> None:
    names = ("age", "income", "household")
    numbers = [column for name in names if isinstance(column := memory[name], Numeric)]
    expected = moments(numbers, memory.weights if weighted else None)
    total = table.moments(names, weighted=weighted)
    assert (total.products == expected.products).all()
    assert (total.mean == expected.mean).all()


def test_outlines_have_the_values_of_each_column(memory: Microdata, table: FileTable) -> None:
    outline = table.outline()
    assert outline.records == memory.rows
    for column in memory.columns:
        expected = collapsed([column], np.ones(column.rows, np.int64)).columns[0]
        counted = outline[column.name]
        assert Microdata((counted,)).equals(Microdata((expected,)))
        assert counted.copies is not None
        assert expected.copies is not None
        assert (counted.copies == expected.copies).all()


def test_too_many_values_are_carried_but_not_counted(tmp_path: Path) -> None:
    rows = 1_050_000
    numbers = np.random.default_rng(1).normal(size=rows)
    frame = pa.table(
        {"id": pa.array(np.arange(rows)).cast(pa.string()), "x": numbers, "y": numbers.round(1)}
    )
    pq.write_table(frame, tmp_path / "long.parquet")
    table = sudare.open(tmp_path / "long.parquet", roles={"id": "identifier"})
    assert isinstance(table.outlined("x"), Extremes)
    noisy = sudare.apply(table, sudare.mask.Noise(columns=("x",)), seed=1).data
    sudare.write(noisy, tmp_path / "noisy.parquet")
    whole = sudare.apply(sudare.read(frame), sudare.mask.Noise(columns=("x",)), seed=1).data
    assert pq.read_table(tmp_path / "noisy.parquet").equals(whole.to_frame("pyarrow"))
    with pytest.raises(TooLargeError, match="distinct values"):
        sudare.apply(table, sudare.mask.TopBottomCode(columns=("x",), top_share=0.1))
    with pytest.raises(TooLargeError, match="labels"):
        sudare.apply(table, sudare.mask.Pram(columns=("id",)))
    bounded = sudare.mask.TopBottomCode(columns=("x",), top=1.0)
    outline = sudare.apply(table, bounded).data.outlined("x")
    assert isinstance(outline, Numeric)
    assert outline.values.max() == 1.0


def test_columns_of_a_masked_table_are_counted_together_once(path: Path, memory: Microdata) -> None:
    """The second question counts all of them; another mask is counted again."""
    pram, keys = sudare.mask.Pram(retain=0.7), ["region", "sex", "education"]
    whole, table = memory, small_blocks(sudare.open(path, roles=ROLES))
    for seed in (1, 2):
        whole, table = (sudare.apply(data, pram, seed=seed).data for data in (whole, table))
        assert not table.tallied
        for names in (["sex"], keys, ["education", "sex"], ["sex", "region"]):
            (sizes,) = table.group_sizes([names])
            counted = groups([whole[name] for name in names]).sizes
            assert list(map(list, sizes)) == list(map(list, np.unique_counts(counted)))
            assert sorted(table.counted(names).columns[0].copies) == sorted(counted)
        assert {*keys} <= {*table.tallied[0].names}
        outline = table.outlined("region")
        assert sorted(outline.copies) == sorted(groups([whole["region"]]).sizes)


def test_counted_pairs_tell_the_columns_of_the_masked_table(
    path: Path, memory: Microdata, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, pram = ["region", "sex", "education"], sudare.mask.Pram(retain=0.7)
    memory = memory.without(["weight"])
    table = small_blocks(sudare.open(path, roles=ROLES)).without(["weight"])
    whole, masked = (sudare.apply(data, pram, seed=1).data for data in (memory, table))
    table.counted_with(masked, keys)
    monkeypatch.setattr(FileSource, "blocks", None)  # the file is not read again
    monkeypatch.setattr(FileSource, "gathered", None)
    for names in (["sex"], keys, ["education", "sex"]):
        (sizes,) = masked.group_sizes([names])
        counted = groups([whole[name] for name in names]).sizes
        assert list(map(list, sizes)) == list(map(list, np.unique_counts(counted)))
    loss = sudare.loss.DistanceLoss(columns=tuple(keys))
    assert loss(table, masked).value == pytest.approx(loss(memory, whole).value, rel=1e-12)


def test_the_same_records_are_sampled_before_and_after_in_one_pass(
    path: Path, memory: Microdata, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the records of the sample are masked, with the draws that they have in the table."""
    table = small_blocks(sudare.open(path, roles=ROLES))
    steps = sudare.mask.Pram(retain=0.7), sudare.mask.Noise(columns=("age",), sd_ratio=0.3)
    recipe = sudare.Recipe("drawn", steps)
    whole, masked = (recipe.apply(data, seed=1).data for data in (memory, table))
    assert table.sample(90, seed=4).rows == 90
    monkeypatch.setattr(FileSource, "gathered", None)  # the file is not read again
    after = masked.sample(90, seed=4)
    chosen = np.sort(np.random.default_rng(4).choice(400, 90, replace=False, shuffle=False))
    for column in after.columns:
        assert same_values(column, whole.take(chosen)[column.name])


def test_every_column_is_compared_in_few_passes(
    path: Path, memory: Microdata, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns that were not compared yet come along, those that were do not."""
    monkeypatch.setattr("sudare.core.methods.table_pair._FEW_CELLS", 4000)
    table = small_blocks(sudare.open(path, roles=ROLES))
    names = tuple(c.name for c in memory.columns if isinstance(c, Categorical))
    pram, loss = (
        sudare.mask.Pram(retain=0.7, columns=names),
        sudare.loss.DistanceLoss(columns=names),
    )
    whole, masked = (sudare.apply(data, pram, seed=1) for data in (memory, table))
    passes: list[tuple[str, ...]] = []
    counted_with = FileTable.counted_with

    def noted(self: FileTable, after: FileTable, names: tuple[str, ...], *rest: Any) -> Any:
        passes.append(names)
        return counted_with(self, after, names, *rest)

    monkeypatch.setattr(FileTable, "counted_with", noted)
    value = loss(table, masked.data, steps=masked.steps).value
    assert value == pytest.approx(loss(memory, whole.data, steps=whole.steps).value)
    first, *others = passes
    assert others
    assert {*first}.isdisjoint(others[0])


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("labels", [3, 200])
def test_a_shuffled_file_has_the_records_in_the_order_of_their_draws(
    kind: str, labels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few labels wait on disk as codes; later blocks have more of them, and wider numbers."""
    monkeypatch.setattr("sudare.engine.large.output._MOST_TOGETHER", 150)
    monkeypatch.setattr("sudare.engine.large.output.MOST_SHORT", 20)
    monkeypatch.setattr("sudare.engine.frames.arrow_out.MOST_SHORT", 20)
    rng = np.random.default_rng(1)
    words = [f"w{row % (2 if row < 200 else labels)}" for row in range(600)]
    raw = pa.table(
        {
            "word": [None if row % 50 == 7 else word for row, word in enumerate(words)],
            "kind": pa.array([f"k{row % 3}" for row in range(600)]).dictionary_encode(),
            "number": [0] * 300 + [7] * 300,
            "size": rng.random(600),
        }
    )
    pq.write_table(raw, tmp_path / "x.parquet", row_group_size=100)
    table = small_blocks(sudare.open(tmp_path / "x.parquet"))
    noise = sudare.mask.MultiplicativeNoise(columns=("number",))
    masked = sudare.apply(table, noise, seed=2).data
    order = Draws(5)
    plain, shuffled = tmp_path / f"plain.{kind}", tmp_path / f"shuffled.{kind}"
    write_released(masked, plain, order=None)
    write_released(masked, shuffled, order=order)
    rows = np.argsort(order.uniform("", 600), kind="stable")
    if kind == "parquet":
        assert pq.read_table(shuffled).equals(pq.read_table(plain).take(rows))
    else:
        head, *lines = plain.read_text().splitlines()
        assert shuffled.read_text().splitlines() == [head, *(lines[row] for row in rows)]
    assert {path.name for path in tmp_path.iterdir()} == {"x.parquet", plain.name, shuffled.name}


def test_two_masks_of_a_table_are_counted_side_by_side(path: Path) -> None:
    table, pram = sudare.open(path, roles=ROLES), sudare.mask.Pram(retain=0.7)
    first, second = (sudare.apply(table, pram, seed=seed).data for seed in (1, 2))
    assert {*first.counted_with(first, ["sex"])[0]["sex"].coded.codes} == {0, 1}
    before, after = first.counted_with(second, ["sex"])
    assert {*zip(before["sex"].coded.codes, after["sex"].coded.codes, strict=True)} == {
        *((a, b) for a in (0, 1) for b in (0, 1))
    }


def test_a_type_widens_where_a_later_block_needs_it(tmp_path: Path) -> None:
    numbers = pa.table({"x": pa.array([0] * 300 + [7] * 100, pa.int8())})
    pq.write_table(numbers, tmp_path / "x.parquet")
    table = small_blocks(sudare.open(tmp_path / "x.parquet"))
    noise = sudare.mask.MultiplicativeNoise(columns=("x",))
    whole, blocks = (sudare.apply(d, noise, seed=2).data for d in (sudare.read(numbers), table))
    assert same_file(whole, blocks, tmp_path)
    for data, name in ((whole, "one.csv"), (blocks, "other.csv")):
        sudare.write(data, tmp_path / name)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    assert blocks.to_frame("pyarrow").schema.field("x").type == pa.float64()


def test_texts_that_differ_are_not_coded_and_come_back_the_same(tmp_path: Path) -> None:
    rows = 6000
    amounts, codes = (np.random.default_rng(1).permutation(rows) / 4 for _ in range(2))
    words = [f"w{row % 3}" if row < 5000 else f"v{row}" for row in range(rows)]
    columns = [[f"{number}" for number in amounts], [f"ID{code}" for code in codes], words]
    lines = ["amount,id,word", *(",".join(cells) for cells in zip(*columns, strict=True))]
    (tmp_path / "x.csv").write_text("\n".join(lines))
    table = sudare.open(tmp_path / "x.csv", memory="1GB")
    assert isinstance(table, FileTable)
    (_, block), *_ = table.source.blocks(["amount", "id", "word"])
    assert [pa.types.is_dictionary(column.type) for column in block.columns] == [False, False, True]
    frame: Any = table.to_frame("pyarrow")
    assert frame.equals(sudare.read(tmp_path / "x.csv").to_frame("pyarrow"))
    (sizes,) = table.group_sizes([["amount", "word"]])
    assert list(map(list, sizes)) == [[1], [rows]]


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_text_files_are_typed_as_a_whole(tmp_path: Path, encoding: str) -> None:
    lines = ["市,数,日,番号,答"]
    lines += [f"京都,{n},2020-01-{n % 28 + 1:02d},{n:04d},{n % 3}" for n in range(300)]
    lines += ["奈良,1.5,2020-02-01,9999,無回答", ",,,,非該当"]
    path = tmp_path / "towns.csv"
    path.write_text("\n".join(lines), encoding=encoding)
    words = {"missing": ["無回答"], "not_applicable": ["非該当"]}
    whole = sudare.read(path, **words)  # type: ignore[arg-type]
    table = small_blocks(sudare.open(path, **words))  # type: ignore[call-overload]
    assert table.notes == whole.notes
    assert [type(column) for column in table.columns] == [type(column) for column in whole.columns]
    assert table.sample(302, seed=1).equals(Microdata(whole.columns))
    for data, name in ((whole, "one.csv"), (table, "other.csv")):
        sudare.write(data, tmp_path / name, encoding=encoding)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


@pytest.mark.parametrize("longest", [1, 3 << 20], ids=["short", "longer than a piece"])
def test_text_of_several_pieces_is_the_whole_file(tmp_path: Path, longest: int) -> None:
    """The total above is in the first piece, the notes below in the last, and no row in two."""
    rows = [f"{n % 7},p{n % 300},{n}" for n in range(1 << 17)]
    rows[5] = f'1,"{"a, b" * (longest // 4)}\n",5'
    path = tmp_path / "pieces.csv"
    path.write_text(
        "\n".join(["k,town,n", "合計,,1", *rows, "Note: made up", ",,", "Source: us,,"])
    )
    whole, table = sudare.read(path), sudare.open(path)
    assert len(table.source.piece_rows) > 1
    assert table.notes == whole.notes
    assert table.sample(whole.rows, seed=1).equals(Microdata(whole.columns))


def test_scales_and_orders_are_those_of_the_reader(path: Path) -> None:
    about = {
        "roles": ROLES,
        "scales": {"age": "ordinal", "household": "nominal"},
        "orders": {"condition": ("none", "chronic")},
    }
    table = small_blocks(sudare.open(path, **about))  # type: ignore[call-overload]
    whole = sudare.read(path, **about)  # type: ignore[arg-type]
    assert table.sample(400, seed=1).equals(Microdata(whole.columns))
    later = small_blocks(sudare.open(path, roles=ROLES)).assigning(scales={"age": "ordinal"})
    assert isinstance(later.head["age"], Categorical)


def test_a_sample_is_some_of_the_records(memory: Microdata, table: FileTable) -> None:
    chosen = table.sample(50, seed=4)
    assert chosen.equals(table.sample(50, seed=4))
    identifiers = chosen["id"]
    assert isinstance(identifiers, Numeric)
    rows = identifiers.values.astype(int) - 1
    assert (np.diff(rows) > 0).all()
    assert chosen.equals(Microdata(memory.take(rows).columns))
    with pytest.raises(SettingError, match="between 1 and 400"):
        table.sample(401)


def test_a_sample_has_only_its_own_of_more_labels_than_are_counted(tmp_path: Path) -> None:
    towns = [f"town {n}" for n in range(300)]
    path = tmp_path / "towns.parquet"
    pq.write_table(pa.table({"town": [*towns, None], "n": range(301)}), path)
    table = small_blocks(sudare.open(path))
    carried = Carried(None, pa.field("town", pa.string()), table.options)
    chosen = replace(table, codings={"town": carried}).sample(40, seed=4)
    column = chosen["town"]
    assert isinstance(column, Categorical)
    assert set(column.labels) == set(column.labels_that_occur())
    labels = np.array([*column.labels, None])[column.codes]
    numbers = chosen["n"].numeric.values.astype(int)
    assert labels.tolist() == [[*towns, None][number] for number in numbers]


def test_repr_shows_no_value(table: FileTable) -> None:
    assert repr(table).startswith("<FileTable 400 rows × 10 columns: 1 identifier, 5 key")


def test_refusals(path: Path, tmp_path: Path, table: FileTable) -> None:
    with pytest.raises(InputError, match="no file"):
        sudare.open(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        sudare.open(tmp_path / "bad.parquet")
    (tmp_path / "table.xlsx").write_bytes(b"")
    with pytest.raises(InputError, match="in blocks"):
        sudare.open(tmp_path / "table.xlsx")
    with pytest.raises(SettingError, match="8GB"):
        sudare.open(path, memory="much")
    with pytest.raises(SettingError, match="Parquet or text"):
        sudare.write(table, tmp_path / "x.xlsx")
    with pytest.raises(OutputError, match="exists"):
        sudare.write(table, path)
    masked = sudare.apply(table, sudare.mask.Noise(), seed=1).data
    with pytest.raises(SettingError, match="before it is masked"):
        masked.assigning({"sex": "other"})
    assert byte_count("500 MB") == 500 * 2**20


def test_a_large_table_as_a_frame_has_all_its_records(path: Path) -> None:
    whole, large = sudare.read(path, roles=ROLES), sudare.open(path, roles=ROLES)
    assert sudare.to_frame(large, "pyarrow") == sudare.to_frame(whole, "pyarrow")


def test_a_broken_file_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    table = sudare.open(path, roles=ROLES)
    assert table.head.rows == 0
    content = path.read_bytes()
    path.write_bytes(content[:100] + bytes(len(content) - 200) + content[-100:])
    with pytest.raises((InputError, SettingError)):
        sudare.write(table, tmp_path / "after.parquet")
    assert not list(tmp_path.glob("after*"))
    assert not list(tmp_path.glob(".*"))


def test_text_of_any_arrow_type_is_opened(tmp_path: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        table = pa.table({"x": [1.0, 2.0] * 50, "c": pa.array(["a", "b"] * 50, kind)})
        pq.write_table(table, tmp_path / "text.parquet", row_group_size=30)
        opened = sudare.open(tmp_path / "text.parquet", roles={"c": "key"})
        assert sudare.risk.KAnonymity()(opened).value == 50


@pytest.mark.parametrize(
    ("blocks", "differ"),
    [
        ((["12人", "3人"], ["4人", "5"]), False),
        ((["12人", "3人"], ["4世帯"]), True),
        ((["12％", "3%"], ["4", "5"]), True),
        ((["¥12"], ["4円"]), False),
        ((["3万"], ["30000"]), True),
    ],
)
def test_units_of_different_blocks_are_told_apart(
    blocks: tuple[list[str], ...], *, differ: bool
) -> None:
    options = ReadOptions(types={"a": "number"})
    task = KindTask((pa.field("a", pa.string()),), options)
    kinds = Kinds()
    for texts in blocks:
        table = pa.table({"a": texts})
        kinds.merge(task(iter([(0, table)]))[0])
    assert kinds.units.differ is differ


@pytest.mark.parametrize(
    ("blocks", "unclear"),
    [
        ((["1,234", "5"], ["1.234"]), True),
        ((["1,234"], ["1.234", "2.5"]), False),
        ((["1,234.5"], ["1.234"]), False),
        ((["1,234", "7,000"], ["8", "9"]), False),
    ],
)
def test_a_mark_that_may_mean_either_is_found_across_blocks(
    blocks: tuple[list[str], ...], *, unclear: bool
) -> None:
    def gather(work: Callable[..., Any], _: object) -> list[Any]:
        return [work(iter([(0, pa.table({"a": texts}))])) for texts in blocks]

    fields = [pa.field("a", pa.string())]
    options = ReadOptions(types={"a": "number"}, text=frozenset({"a"}))
    refusal: Any = pytest.raises(ColumnError, match="parts a comma") if unclear else nullcontext()
    with refusal:
        survey(fields, options, gather, most=0)
