"""What a project file may hold, and what is refused."""

from pathlib import Path

import polars as pl
import pytest
import tomlkit

import sudare
from sudare.core import speaking
from sudare.core.errors import InputError, MismatchError, OutputError
from sudare.release.project.sections.versions import migrate

LEAST = 'version = 1\n[data]\nsource = "survey.csv"\n'


def opened(folder: Path, text: str) -> sudare.Project:
    path = folder / "survey.sudare.toml"
    path.write_text(text, encoding="utf-8")
    return sudare.Project.open(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as refused:
        opened(folder, text)
    return str(refused.value)


def test_the_least_project_reads_its_table(survey: Path) -> None:
    assert opened(survey.parent, LEAST).data().equals(sudare.read(survey))


def test_opening_and_saving_keeps_every_byte(project: sudare.Project) -> None:
    text = "# 確認済み\r\n" + project.text.replace("\n", "\r\n") + "\r\n# end\r\n"
    project.path.write_bytes(text.encode())
    sudare.Project.open(project.path).save()
    assert project.path.read_bytes() == text.encode()


def test_editing_keeps_comments_and_order(project: sudare.Project) -> None:
    lines = project.text.splitlines()
    changed = project.edited({"columns": {"age": {"role": "other"}}, "reviewed": True})
    kept = changed.text.splitlines()
    where = lines.index("[columns.age]")
    assert changed.sections.columns["age"].role == "other"
    assert (
        kept
        == [
            *(line.replace("reviewed = false", "reviewed = true") for line in lines[: where + 1]),
            'role = "other"',  # the reason of the proposal went with it
            *lines[where + 3 :],
        ]
    )


def test_a_new_column_of_an_edit_gets_a_section(project: sudare.Project) -> None:
    changed = project.edited({"columns": {"a.b 列": {"role": "key", "label": {"ja": "列"}}}})
    assert '[columns."a.b 列"]' in changed.text
    with speaking("ja"):
        assert changed.label("a.b 列") == "列"
    assert changed.label("a.b 列") == "a.b 列"
    gone = changed.edited({"columns": {"a.b 列": None}})
    assert "a.b 列" not in gone.sections.columns


def test_recipes_can_be_added_by_an_edit(project: sudare.Project) -> None:
    recipe = {"name": "coarse", "steps": [{"method": "global-recode", "min_share": 0.1}]}
    changed = project.edited({"recipes": [recipe]})
    assert changed.recipe().maskers == [sudare.mask.GlobalRecode(min_share=0.1)]
    assert tomlkit.parse(changed.text)["recipes"] == [recipe]


def test_an_unknown_entry_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    assert "[columns.age]: there is no entry 'rol'; did you mean 'role'?" in refusal(
        tmp_path, LEAST + '[columns.age]\nrol = "key"\n'
    )
    assert "did you mean 'limits'?" in refusal(tmp_path, "limit = {}\n" + LEAST)
    assert "there is no entry 'descrption'; did you mean 'description'?" in refusal(
        tmp_path, LEAST + '[[recipes]]\nname = "a"\ndescrption = "b"\n'
    )
    assert "[release.confirmations]" in refusal(
        tmp_path, LEAST + '[[release.confirmations]]\nkind = "order"\nwho = "A"\n'
    )


def test_a_wrong_value_is_told_with_its_section(tmp_path: Path) -> None:
    assert "[columns.age]: role must be 'identifier' or 'key'" in refusal(
        tmp_path, LEAST + '[columns.age]\nrole = "kye"\n'
    )
    assert "[columns] must be a table" not in refusal(tmp_path, LEAST + "columns = 3\n")
    assert "[columns.age] must be a table." in refusal(tmp_path, LEAST + "[columns]\nage = 3\n")
    assert "skip_rows must be at least 0" in refusal(tmp_path, LEAST + "skip_rows = -1\n")
    assert "[data] needs the entry 'source'." in refusal(tmp_path, "version = 1\n[data]\n")


def test_recipes_limits_and_measures_are_checked_on_opening(tmp_path: Path) -> None:
    step = '[[recipes]]\n[[recipes.steps]]\nmethod = "prams"\n'
    assert "did you mean 'pram'?" in refusal(tmp_path, LEAST + step)
    assert "the same name" in refusal(tmp_path, LEAST + '[[recipes]]\nname = "a"\n' * 2)
    assert "write a limit as" in refusal(tmp_path, LEAST + '[limits]\nkeep = ["k = 5"]\n')
    assert "'uniques' is not a measure of loss" in refusal(
        tmp_path, LEAST + '[measures]\nloss = ["uniques"]\n'
    )


def test_a_project_holds_no_seed(tmp_path: Path) -> None:
    assert "holds no seed" in refusal(tmp_path, "seed = 7\n" + LEAST)
    assert "holds no seed" in refusal(tmp_path, LEAST + "[release]\nseed = 7\n")
    step = '[[recipes]]\n[[recipes.steps]]\nmethod = "pram"\nseed = 7\n'
    assert "no setting 'seed'" in refusal(tmp_path, LEAST + step)


def test_a_newer_version_is_refused_and_an_absent_one(tmp_path: Path) -> None:
    newer = LEAST.replace("version = 1", "version = 2")
    assert "version 2, and this sudare knows versions up to 1" in refusal(tmp_path, newer)
    for text in ("", 'version = "1"\n', "version = 0\n", "version = true\n"):
        assert "version = 1" in refusal(tmp_path, LEAST.replace("version = 1\n", text))


def test_an_older_version_is_brought_up_to_date() -> None:
    content = {"version": 1, "a": 1}
    assert migrate(content, current=3, migrations={1: _rename("a", "b"), 2: _rename("b", "c")})
    assert content == {"version": 3, "c": 1}
    assert not migrate(content, current=3)


def _rename(old: str, new: str):  # type: ignore[no-untyped-def]
    def rename(content: dict[str, object]) -> None:
        content[new] = content.pop(old)

    return rename


def test_what_is_no_toml_or_not_utf8_is_refused(tmp_path: Path) -> None:
    assert "is not a TOML file" in refusal(tmp_path, "version = = 1")
    path = tmp_path / "survey.sudare.toml"
    path.write_bytes("version = 1 # 版".encode("cp932"))
    with pytest.raises(InputError, match="save it as UTF-8"):
        sudare.Project.open(path)
    with pytest.raises(InputError, match="there is no file"):
        sudare.Project.open(tmp_path / "no.sudare.toml")


def test_a_mark_at_the_start_of_the_file_does_not_matter(survey: Path) -> None:
    path = survey.parent / "survey.sudare.toml"
    path.write_bytes(LEAST.encode("utf-8-sig"))
    assert sudare.Project.open(path).sections.version == 1


def test_a_folder_opens_its_only_project(project: sudare.Project) -> None:
    assert sudare.Project.open(project.folder).text == project.text
    project.save(project.folder / "other.sudare.toml")
    with pytest.raises(InputError, match=r"other\.sudare\.toml, survey\.sudare\.toml"):
        sudare.Project.open(project.folder)


def test_a_table_that_is_gone_is_named(project: sudare.Project) -> None:
    (project.folder / "survey.csv").unlink()
    with pytest.raises(InputError, match=r"'survey\.csv' of project 'survey\.sudare\.toml'"):
        project.data()


def test_columns_that_changed_are_told_by_name(project: sudare.Project, survey: Path) -> None:
    frame = pl.read_csv(survey, infer_schema=False)
    frame.rename({"age": "years"}).write_csv(survey)
    with pytest.raises(MismatchError, match=r"gone: age; new: years"):
        project.data()
    frame.drop("age", "sex").write_csv(survey)
    with pytest.raises(MismatchError, match=r"no longer has columns .*: sex, age"):
        project.data()
    frame.with_columns(extra=1).write_csv(survey)
    with pytest.raises(MismatchError, match="does not know: extra"):
        project.data()
    frame.select(reversed(frame.columns)).write_csv(survey)
    assert project.data().rows == 400


def test_an_update_takes_new_columns_in_and_old_ones_out(
    project: sudare.Project, survey: Path
) -> None:
    reviewed = project.edited({"reviewed": True, "columns": {"sex": {"role": "other"}}})
    frame = pl.read_csv(survey, infer_schema=False)
    phone = pl.format("090-{}", pl.int_range(pl.len()) + 1000)
    frame.drop("age").with_columns(phone=phone).write_csv(survey)
    updated = reviewed.updated()
    assert set(updated.sections.columns) == {*frame.columns, "phone"} - {"age"}
    assert updated.sections.columns["phone"].role == "identifier"
    assert updated.sections.columns["sex"].role == "other"
    assert not updated.sections.reviewed
    assert updated.data().rows == 400
    frame.drop("age").write_csv(survey)
    assert reviewed.updated().sections.reviewed  # nothing was proposed


def test_files_outside_the_folder_are_refused(survey: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    outside = LEAST.replace("survey.csv", "../survey.csv")
    assert "the folder of the file that names it" in refusal(inner, outside)
    assert "the folder of the file that names it" in refusal(
        inner, LEAST.replace("survey.csv", str(survey))
    )
    (inner / "link.csv").symlink_to(survey)
    assert "the folder of the file that names it" in refusal(
        inner, LEAST.replace("survey.csv", "link.csv")
    )
    allowed = sudare.Project.open(inner, allow_paths=[survey])
    assert allowed.data().rows == 400
    (inner / "survey.sudare.toml").unlink()
    with pytest.raises(InputError, match="the folder of the file that names it"):
        sudare.Project.create(survey, inner / "x.sudare.toml")


def test_a_file_that_somebody_changed_is_not_overwritten(project: sudare.Project) -> None:
    mine = project.edited({"reviewed": True})
    project.path.write_text(project.text + "# theirs\n", encoding="utf-8")
    with pytest.raises(OutputError, match="is not what was opened"):
        mine.save()
    assert project.path.read_text(encoding="utf-8").endswith("# theirs\n")
    mine.save(overwrite=True)
    again = sudare.Project.open(project.path).edited({"report": {"title": "x"}}).save()
    assert again.edited({"report": {"title": "y"}}).save().sections.report.title == "y"


def test_repr_shows_counts_only(project: sudare.Project) -> None:
    assert repr(project) == "<Project survey.sudare.toml: 10 columns, 0 recipes, not reviewed>"
