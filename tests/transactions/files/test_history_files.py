"""Files of the contest: what is written is read back, and what is wrong is named."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.transactions import (
    History,
    MaskedHistory,
    check,
    published,
    read_guess,
    read_history,
    read_masked,
    write_guess,
    write_history,
    write_masked,
)
from sudare.transactions.files.checking import inspect_guess
from sudare.transactions.files.history_files import masked_lines, parse_masked
from sudare.transactions.files.notation import write_price
from tests.transactions.strategies import histories, masked_histories

T = "7,2010/12/1,22728,3.75,24\n7,2011/1/31,B2,10,1\n8,2010/12/1,B2,852.8,2\n"


@pytest.fixture
def history(tmp_path: Path) -> History:
    (tmp_path / "T.csv").write_text(T)
    return read_history(tmp_path / "T.csv")


def problems(history: History, text: str | bytes, folder: Path) -> list[str]:
    path = folder / "A.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [str(problem) for problem in check(history, path)]


def test_a_history_is_written_as_it_was_read(history: History, tmp_path: Path) -> None:
    write_history(history, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == T


@given(data=st.data(), history=histories())
def test_a_masked_file_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, history: History
) -> None:
    masked = data.draw(masked_histories(history))
    path = tmp_path_factory.mktemp("files") / "A.csv"
    write_masked(masked, path)
    assert check(history, path) == []
    assert check(history, masked) == []
    assert masked_lines(read_masked(path)) == masked_lines(masked)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert check(history, path) == []


@given(content=st.binary(max_size=300))
def test_the_parser_takes_any_bytes_and_says_what_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "A.csv"
    path.write_bytes(content)
    reading = parse_masked(path)
    if not reading.problems.count:
        assert reading.masked.rows == content.count(b"\n") + bool(content.split(b"\n")[-1])


CELLS = st.text(alphabet="0129/.,;*[]{}AZ\r\n -", max_size=12)


@given(cells=st.lists(st.lists(CELLS, min_size=4, max_size=6), max_size=4))
def test_the_parser_takes_anything_that_looks_like_a_file(
    tmp_path_factory: pytest.TempPathFactory, cells: list[list[str]]
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "A.csv"
    path.write_text("\n".join(",".join(row) for row in cells), newline="")
    reading = parse_masked(path)
    for problem in reading.problems.kept:
        assert str(problem)
    if not reading.problems.count:
        write_masked(reading.masked, path, overwrite=True)
        assert masked_lines(read_masked(path)) == masked_lines(reading.masked)


GOOD = ["1,2010/12/1,22728,3.75,24", "1,*,{22728;B2},[9;11.5],1", "*,*,*,*,*"]


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "01,2010/12/1,22728,3.75,24", "line 1, pseudonym: a pseudonym is a whole number"),
        (1, "1,2010/13/1,22728,3.75,24", "line 1, date: there is no such day"),
        (1, "1,2012/1/1,22728,3.75,24", "line 1, date: the date must lie between"),
        (1, "1,2010-12-01,22728,3.75,24", "line 1, date: a date is written"),
        (1, "1,[2011/1/2;2011/1/1],22728,3.75,24", "line 1, date: the ends of the range"),
        (1, "1,[2011/1/2;2011/1/3],22728,3.75,24", "line 1, date: the range does not contain"),
        (1, "1,[2011/1/2],22728,3.75,24", "line 1, date: a range is written"),
        (1, "1,2010/12/1,b,3.75,24", "line 1, item: an item is 1 to 9 capital"),
        (1, "1,2010/12/1,{B2;B2},3.75,24", "line 1, item: the set names an item twice"),
        (1, "1,2010/12/1,{B2},3.75,24", "line 1, item: the set does not contain the true item"),
        (1, "1,2010/12/1,{22728;B2,3.75,24", "line 1, item: a set is written {a;b}"),
        (1, "1,2010/12/1,C3,3.75,24", "line 1, item: an item is not in the history"),
        (1, "1,2010/12/1,22728,3.755,24", "line 1, price: a price is a number"),
        (1, "1,2010/12/1,22728,0,24", "line 1, price: the price must lie"),
        (1, "1,2010/12/1,22728,100000,24", "line 1, price: the price must lie"),
        (1, "1,2010/12/1,22728,[3.76;3.76],24", "line 1, price: the range does not contain"),
        (1, "1,2010/12/1,22728,3.75,0", "line 1, quantity: a quantity is a whole"),
        (1, "1,2010/12/1,22728,3.75,1000000", "line 1, quantity: the quantity must be at most"),
        (1, "1,2010/12/1,22728,3.75", "line 1: 4 cells instead of 5"),
        (1, "1,2010/12/1,22728,3.75,2é", "line 1: not plain text"),
        (1, "1,2010/12/1,22728,3.75,2\0", "line 1: not plain text"),
        (1, "1" * 8001, "line 1: longer than 8000 characters"),
        (2, "2,2011/1/31,B2,10,1", "line 2, pseudonym: the customer has another pseudonym"),
        (3, "1,2010/12/1,B2,852.8,2", "line 3, pseudonym: the pseudonym belongs to another"),
        (3, "*,2010/12/1,B2,852.8,2", "line 3: a row without a pseudonym is deleted whole"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_column(
    history: History, tmp_path: Path, line: int, text: str, said: str
) -> None:
    lines = GOOD.copy()
    lines[line - 1] = text
    reports = problems(history, "\n".join(lines), tmp_path)
    assert len(reports) == 1
    assert reports[0].startswith(said)


def test_a_file_in_order_has_no_problems(history: History, tmp_path: Path) -> None:
    assert problems(history, "\n".join(GOOD), tmp_path) == []
    assert problems(history, "\r\n".join(GOOD) + "\r\n", tmp_path) == []


def test_a_value_may_differ_from_the_true_one(history: History, tmp_path: Path) -> None:
    text = "\n".join(["1,2011/12/31,B2,3.7,23", *GOOD[1:]])
    assert problems(history, text, tmp_path) == []


def test_rows_that_lack_or_are_too_many_are_told(history: History, tmp_path: Path) -> None:
    assert problems(history, GOOD[0], tmp_path) == [
        "line 2: the file has 1 rows; the history has 3."
    ]
    text = "\n".join([*GOOD, GOOD[0]])
    assert problems(history, text, tmp_path) == ["line 4: more than 3 rows."]


def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    history: History, tmp_path: Path
) -> None:
    assert problems(history, b"1" * (1 << 22), tmp_path) == ["line 1: longer than 8000 characters."]


def test_a_set_of_more_than_a_hundred_is_refused(tmp_path: Path) -> None:
    history = sudare.datasets.purchases_like(5, seed=1)
    row = history.item_ids[:101]
    text = masked_lines(MaskedHistory.of(history))
    cells = text[0].split(",")
    text[0] = ",".join([*cells[:2], "{" + ";".join(row) + "}", *cells[3:]])
    assert problems(history, "\n".join(text), tmp_path) == [
        "line 1, item: a set has at most 100 items."
    ]


def test_reading_refuses_with_the_first_problem_and_their_number(tmp_path: Path) -> None:
    (tmp_path / "A.csv").write_text("x,2010/12/1,A,1,1\n1,2010/12/1,A,1,y\n")
    with pytest.raises(sudare.errors.InputError, match=r"line 1, pseudonym: .*2 problems in total"):
        read_masked(tmp_path / "A.csv")
    with pytest.raises(sudare.errors.InputError, match="there is no file"):
        read_masked(tmp_path / "absent.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(sudare.errors.InputError, match="at least one purchase"):
        read_history(tmp_path / "empty.csv")


def test_problems_are_counted_and_at_most_a_hundred_kept(tmp_path: Path) -> None:
    (tmp_path / "A.csv").write_text("x0,x,x,x,x\n" * 1000)
    noted = parse_masked(tmp_path / "A.csv").problems
    assert (noted.count, len(noted.kept)) == (5000, 100)


def test_problems_show_no_cell(history: History, tmp_path: Path) -> None:
    text = "\n".join(["zq9,zq9,zq9,zq9,zq9", *GOOD[1:]])
    assert "zq9" not in "".join(problems(history, text, tmp_path))


def test_what_is_published_has_no_deleted_rows_and_a_fixed_order() -> None:
    history = sudare.datasets.purchases_like(20, seed=2)
    masked = sudare.transactions.RowDeletion(share=0.3).mask(history, seed=1)
    shuffled = masked.take(np.random.default_rng(1).permutation(masked.rows))
    lines = masked_lines(published(masked))
    assert lines == masked_lines(published(shuffled))
    assert len(lines) == int((~masked.gone).sum())
    numbers = [int(line.split(",")[0]) for line in lines]
    assert numbers == sorted(numbers)


def test_a_guess_is_read_as_it_was_written(tmp_path: Path) -> None:
    guess = {3: "12346", 1: "12352"}
    write_guess(guess, tmp_path / "F.csv")
    assert read_guess(tmp_path / "F.csv") == guess
    (tmp_path / "F.csv").write_text("3,1\n3,2\n")
    with pytest.raises(sudare.errors.InputError, match="line 2, pseudonym: the pseudonym was"):
        read_guess(tmp_path / "F.csv")


@given(cents=st.integers(1, 9_999_999))
def test_prices_are_written_without_trailing_zeros(cents: int) -> None:
    text = write_price(cents)
    assert round(float(text) * 100) == cents
    assert not text.endswith(".")
    assert "." not in text or not text.endswith("0")


def test_the_history_of_the_final_is_derived_from_online_retail(real_data: Path) -> None:
    history = read_history(real_data / "pwscup2018_final_T.csv")
    assert (history.rows, len(history.customer_ids), len(history.item_ids)) == (89278, 1000, 3246)
    retail = sudare.datasets.online_retail(real_data / "online_retail.parquet")
    derived = sudare.transactions.history_from(retail, customers=history.customer_ids)
    lines = [masked_lines(MaskedHistory.of(h)) for h in (history, derived)]
    contents = [sorted(line.split(",", 1)[1] for line in text) for text in lines]
    assert contents[0] == contents[1]
    assert (history.row_counts == derived.row_counts).all()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"pseudonym,customer\n1,12346\n", "line 1: this looks like a line of column names"),
        (b"id,guess\n1,12346\n", "line 1: this looks like a line of column names"),
        (b"\xef\xbb\xbf1,12346\n", "line 1: the file begins with a byte order mark"),
        (b"", "the file names nobody"),
    ],
)
def test_a_guess_that_a_spreadsheet_spoiled_is_refused_with_the_way_out(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "F.csv"
    path.write_bytes(content)
    _, problems = inspect_guess(path, [1, 2], ["12346"])
    assert [str(problem).startswith(reason) for problem in problems.kept] == [True]
