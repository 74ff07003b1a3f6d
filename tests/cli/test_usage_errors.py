"""Mistakes on the line, in the language of the line."""

import pytest

from sudare.cli import main


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mask --nope", "オプション --nope はありません。"),
        ("mask survey.csv", "--output / -o がありません。"),
        ("nosuch", "コマンド「nosuch」はありません。"),
        ("compare a b c", "余分な指定があります: b c"),
        ("study recoding --rows x", "--rows の値が正しくありません: 整数にしてください。"),
        ("study recoding --rows 0", "--rows の値が正しくありません: 1 以上にしてください。"),
        ("mask survey.csv -o", "オプション -o には値が要ります。"),
    ],
)
def test_a_mistake_is_told_in_japanese_and_ends_with_2(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*line.split(), "--lang", "ja"])
    shown = capsys.readouterr().err
    assert ended.value.code == 2
    assert said in shown
    assert "Error" not in shown


def test_codes_of_commands_are_the_same_in_either_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for language in ("en", "ja"):
        for line, code in (("list --family mask", 0), ("--version", 0), ("measure none.csv", 2)):
            with pytest.raises(SystemExit) as ended:
                main([*line.split(), "--lang", language])
            assert ended.value.code == code
    capsys.readouterr()
