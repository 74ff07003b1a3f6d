"""Times, numbers, sizes and names of files as pages write them."""

import pytest

from sudare.web import shown_file_name


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\A.csv", "A.csv"),
        ("..", "file"),
        ("a\r\nSet-Cookie: x", "aSet-Cookie: x"),
        ("\u202egnp.exe", "gnp.exe"),
        ("x" * 500, "x" * 100),
    ],
)
def test_names_of_files_are_only_names(given: str, shown: str) -> None:
    assert shown_file_name(given) == shown
