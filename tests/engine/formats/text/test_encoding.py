"""The encoding of a text file is found, or taken as given, or refused by line."""

from collections.abc import Callable
from pathlib import Path

import pytest

import sudare
from sudare.core.errors import InputError, OutputError, SettingError
from tests.engine.conftest import Save
from tests.engine.looking import table

JAPANESE = "都道府県,氏名,値\n東京都,ﾔﾏﾀﾞたろう,1\n大阪府,鈴木カナ,2\n"
EXPECTED = {"都道府県": ["東京都", "大阪府"], "氏名": ["ﾔﾏﾀﾞたろう", "鈴木カナ"], "値": [1.0, 2.0]}
Read = Callable[..., sudare.Microdata]


@pytest.mark.parametrize(
    "encoding",
    [
        "utf-8", "utf-8-sig", "cp932", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "euc_jp",
        "iso2022_jp_ext",
    ],
)  # fmt: skip
def test_japanese_encodings_are_found(save: Save, encoding: str) -> None:
    path = save(JAPANESE, encoding=encoding)
    assert table(sudare.read(path)) == EXPECTED
    assert table(sudare.open(path).sample(2, seed=1)).keys() == EXPECTED.keys()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["一\u3000,二\r\n一,一\r\n", "a,b\n1,2\n", "氏名\n山田\n", "é,b\nñ,1\n"]
)
def test_utf_16_needs_no_mark(save: Save, encoding: str, text: str) -> None:
    data = sudare.read(save(text, encoding=encoding))
    expected = [name.strip() for name in text.splitlines()[0].split(",")]
    assert list(data.names) == expected
    assert data.origin is not None
    (note,) = data.origin.notes
    assert encoding in note


@pytest.mark.parametrize("encoding", ["cp932", "Shift_JIS", "sjis", "utf-16-le", "euc-jp", "utf8"])
def test_an_encoding_that_is_given_is_used(save: Save, encoding: str) -> None:
    assert table(sudare.read(save(JAPANESE, encoding=encoding), encoding=encoding)) == EXPECTED


def test_shift_jis_means_what_windows_writes(save: Save) -> None:
    path = save("名,値\n髙橋①,1\n", encoding="cp932")
    assert table(sudare.read(path, encoding="shift_jis"))["名"] == ["髙橋①"]


@pytest.mark.parametrize("text", ["山田", "やまだ", "カタカナ", "東京都千代田区"])
@pytest.mark.parametrize("encoding", ["cp932", "euc_jp"])
def test_a_single_japanese_word_is_enough(save: Save, text: str, encoding: str) -> None:
    data = sudare.read(save(f"name,v\n{text},1\nx,2\n", encoding=encoding))
    assert table(data)["name"] == [text, "x"]


def test_half_width_kana_are_not_taken_for_euc(save: Save) -> None:
    data = sudare.read(save("name,v\nﾔﾏﾀﾞ,1\nｽｽﾞｷ,2\n", encoding="cp932"))
    assert table(data)["name"] == ["ﾔﾏﾀﾞ", "ｽｽﾞｷ"]


@pytest.mark.parametrize("text", ["José", "Zürich", "Chloë", "Ærø", "Åsa", "Straße"])
def test_western_letters_are_not_taken_for_japanese(save: Save, text: str) -> None:
    data = sudare.read(save(f"name,v\n{text},1\nsato,2\n", encoding="latin-1"))
    assert table(data)["name"] == [text, "sato"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1250", "Łódź,Kraków\nGdańsk,Wrocław\n"),
        ("cp1251", "Москва,Санкт-Петербург\nКазань,Томск\n"),
        ("gb18030", "姓名,城市\n张伟,北京\n王芳,上海\n"),
        ("cp949", "이름,도시\n김,서울\n"),
        ("gb18030", "性别,职业\n男性,农民\n女性,工人\n"),
        ("cp949", "성별,직업\n남자,공무원\n여자,회사원\n"),
    ],
)
def test_other_encodings_are_guessed(save: Save, encoding: str, text: str) -> None:
    header, row, *_ = text.splitlines()
    data = sudare.read(save(text, encoding=encoding))
    assert data.names == tuple(header.split(","))
    assert [cells[0] for cells in table(data).values()] == row.split(",")


def test_escapes_to_kanji_are_recognized_wherever_they_stand(save: Save) -> None:
    text = "name,v\n" + "a,1\n" * 300_000 + "山田,2\n"
    data = sudare.read(save(text, encoding="iso2022_jp"))
    assert table(data)["name"][-1] == "山田"
    assert data.origin is not None
    assert data.origin.notes == ("encoding assumed to be iso2022_jp_ext",)


@pytest.mark.parametrize("text", ["性別,職業\n男性,農業\n女性,会社員\n", "都道府県,値\n北海道,1\n"])
def test_kanji_alone_are_told_from_chinese_and_korean(save: Save, text: str) -> None:
    data = sudare.read(save(text, encoding="euc_jp"))
    assert data.names == tuple(text.splitlines()[0].split(","))


ALONE = [
    ("euc_jp", "氏名,性別,年齢", "田中,男,20", "田中,女,31"),
    ("euc_jp", "世帯番号,性別,職業", "1,男,会社員", "2,女,無職"),
    ("euc_jp", "市区町村,性別,学歴", "奈良市,男,大卒", "京都市,女,高卒"),
    ("euc_jp", "id,性別", "1,男", "2,女"),
    ("euc_jp", "番号,喫煙", "1,有", "2,無"),
    ("cp932", "id,性別", "1,男", "2,女"),
    ("cp949", "이름,직업,학력", "김민수,회사원,대졸", "이영희,공무원,고졸"),
    ("cp949", "시도,값", "서울,1", "부산,2"),
    ("gb18030", "姓名,职业,学历", "张伟,农民,大学", "王芳,工人,高中"),
    ("gb18030", "性别,年龄", "男,20", "女,31"),
]


@pytest.mark.parametrize(("encoding", "header", "first", "second"), ALONE)
def test_kanji_that_stand_alone_do_not_hide_the_language(
    save: Save, encoding: str, header: str, first: str, second: str
) -> None:
    text = "\n".join([header, *[first, second] * 500, ""])
    assert sudare.read(save(text, encoding=encoding)).names == tuple(header.split(","))


def test_a_foreign_letter_far_down_is_found(save: Save) -> None:
    data = sudare.read(save("name,v\n" + "a,1\n" * 300_000 + "山田,2\n", encoding="cp932"))
    assert table(data)["name"][-1] == "山田"


def test_what_was_found_is_noted(save: Save) -> None:
    origin = sudare.read(save(JAPANESE, encoding="cp932")).origin
    assert origin is not None
    assert origin.notes == ("encoding assumed to be cp932",)


def test_lines_in_utf8_among_others_are_told(tmp_path: Path) -> None:
    path = tmp_path / "joined.csv"
    first = "名前,県\n" + "山田,東京\n" * 20
    path.write_bytes(first.encode("cp932") + ("佐藤,大阪\n" * 3).encode())
    origin = sudare.read(path).origin
    assert origin is not None
    assert any(note.startswith("3 lines are UTF-8") for note in origin.notes)


def test_a_mark_is_no_part_of_the_first_name(save: Save) -> None:
    path = save(JAPANESE, encoding="utf-8-sig")
    assert sudare.read(path, encoding="utf-8").names[0] == "都道府県"
    path = save(JAPANESE, encoding="utf-16")
    assert sudare.read(path, encoding="utf-16-le").names[0] == "都道府県"


@pytest.mark.parametrize(
    ("written", "given", "line"), [("cp932", "utf-8", 3), ("utf-8", "utf-16", 1)]
)
def test_a_wrong_encoding_is_refused_by_line(
    save: Save, written: str, given: str, line: int
) -> None:
    path = save("a,b\nx,1\n山田,2\n", encoding=written)
    with pytest.raises(InputError, match=f"^line {line} of .* is not valid {given}; give another"):
        sudare.read(path, encoding=given)


def test_a_wrong_byte_far_down_is_refused_by_its_line(save: Save) -> None:
    good = "値,b\n" + "あ,1\n" * 300_000
    path = save(good.encode() + b"\xff,2\n")
    with pytest.raises(InputError, match="line 300002 "):
        sudare.read(path, encoding="utf-8")


def test_bytes_of_no_encoding_are_refused(save: Save) -> None:
    with pytest.raises(InputError, match=r"line 2 .* is not valid utf-8; give another encoding"):
        sudare.read(save(b"a,b\n\xff\xfe\x81\xff\x80,1\n"), encoding="utf-8")


def test_an_encoding_that_does_not_exist_is_refused(read_text: Read, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no encoding 'klingon'"):
        read_text("a,b\n1,2\n", encoding="klingon")
    with pytest.raises(SettingError, match="there is no encoding 'klingon'"):
        sudare.write(read_text("a,b\n1,2\n"), tmp_path / "out.csv", encoding="klingon")


def test_a_nul_byte_is_refused_by_line(read_text: Read) -> None:
    with pytest.raises(InputError, match=r"line 3 .* NUL byte"):
        read_text(b"a,b\n1,2\n3,\0\n")
    with pytest.raises(InputError, match=r"line 1 .* NUL byte.*utf-16-le"):
        read_text("a,b\n1,2\n".encode("utf-16-le"), encoding="utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16", "euc_jp"])
def test_text_is_written_in_the_encoding_asked_for(
    read_text: Read, tmp_path: Path, encoding: str
) -> None:
    path = sudare.write(read_text(JAPANESE), tmp_path / "out.csv", encoding=encoding)
    assert path.read_text(encoding=encoding) == JAPANESE
    assert table(sudare.read(path)) == EXPECTED


def test_characters_that_an_encoding_lacks_are_refused_by_column(
    read_text: Read, tmp_path: Path
) -> None:
    data = read_text("名,town,値\nA,Zürich,1\n")
    with pytest.raises(OutputError, match="cp932 lacks characters that occur in: town; write"):
        sudare.write(data, tmp_path / "out.csv", encoding="cp932")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("cp932", ["18～64", "≧65"]), ("euc_jp", ["18〜64", "≧65"]), ("ascii", ["18-64", ">=65"])],
)
def test_labels_of_ranges_are_written_as_the_encoding_has_them(
    read_text: Read, tmp_path: Path, encoding: str, expected: list[str]
) -> None:
    data = read_text("age,sex\n18–64,f\n≥65,m\n")
    path = sudare.write(data, tmp_path / "out.csv", encoding=encoding)
    lines = path.read_text(encoding=encoding).splitlines()
    assert [line.partition(",")[0] for line in lines[1:]] == expected
