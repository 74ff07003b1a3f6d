"""Tables on the terminal: long ones in plain columns, and headings as they are."""

from pathlib import Path

import pytest

from sudare.cli import main
from sudare.cli.output import print_rows


def test_a_long_table_is_aligned_and_complete(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"column": name, "count": number} for number, name in enumerate(["列", "age"] * 300)]
    print_rows(rows, title="600 rows")
    title, header, first, second, *others = capsys.readouterr().out.splitlines()
    assert (title, header) == ("600 rows", "column  count")
    assert first == "列          0"  # wide characters take two places
    assert second == "age         1"
    assert len(others) == 598


@pytest.mark.parametrize("heading", ["sex[/]", "height[cm]", "[x]", "name [kana]", "a\\[b"])
def test_brackets_in_headings_are_no_markup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], heading: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{heading},age\n" + "a,1\nb,2\n" * 20, encoding="utf-8")
    for command in ("init", "describe"):
        with pytest.raises(SystemExit) as ended:
            main([command, str(path)])
        assert ended.value.code == 0
        assert heading in capsys.readouterr().out
    print_rows([{heading: heading}], title=heading)
    assert capsys.readouterr().out.count(heading) == 3
