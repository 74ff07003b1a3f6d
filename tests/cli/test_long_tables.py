"""Tables of many lines are printed in plain columns, with all that short ones say."""

import pytest

from sudare.cli.output import print_rows


def test_a_long_table_is_aligned_and_complete(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"column": name, "count": number} for number, name in enumerate(["列", "age"] * 300)]
    print_rows(rows, title="600 rows")
    title, header, first, second, *others = capsys.readouterr().out.splitlines()
    assert (title, header) == ("600 rows", "column  count")
    assert first == "列          0"  # wide characters take two places
    assert second == "age         1"
    assert len(others) == 598
