"""One rule finds the separator of every text file: data, trees, graphs and hierarchies."""

from pathlib import Path

import pytest

import sudare
from sudare.engine.formats import read_rows
from sudare.engine.formats.text.file_layout import find_separator

FILES = [
    ("age;class\n3;[0, 10[\n14;[10, 20[\n", ";"),
    ("code,group\na;1,A;1\nb;2,A;1\n", ","),
    ("name\tclass\nSmith,Ann\tA\nJones,Bob\tB\n", "\t"),
    ("x;y\n1,5;2\n2,5;3\n", ";"),
    ("1,5;A\n2,5;B\n", ";"),
    ("x, y\n1, A\n2, B\n", ","),
    ("x,y\n1,2\n3,4\n", ","),
    ("x|y\na|b\nc|d\n", "|"),
    ('x,y\n"a;b",c\n"d;e",f\n', ","),
]


@pytest.mark.parametrize(("text", "separator"), FILES)
def test_the_separator_of_data_and_of_trees_is_the_same(
    text: str, separator: str, tmp_path: Path
) -> None:
    assert find_separator(text.splitlines(keepends=True)) == separator
    path = tmp_path / "two.csv"
    path.write_text(text, encoding="utf-8")
    first = [field.strip() for field in text.split("\n", 1)[0].split(separator)]
    assert read_rows(path)[0] == first
    assert sudare.read(path, skip_rows=0).names == tuple(first)


def test_a_table_of_classes_is_not_cut_inside_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "classes.csv"
    path.write_text("[0, 10);young\n[10, 20);old\n", encoding="utf-8")
    assert len(sudare.read(path, skip_rows=0).names) == 2
    assert sudare.read(path, skip_rows=0).names[1] == "young"
