"""Figures are Vega-Lite data that draw, restyle and save themselves."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

import sudare
from sudare.core import Figure, MissingPartError, OutputError, SettingError, speaking

FIGURE = Figure({"title": "T", "data": {"values": [{"a": 1}]}, "mark": "bar", "encoding": {}})


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("svg", b"<svg"),
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF"),
        ("html", b"<!DOCTYPE"),
        ("json", b"{"),
    ],
)
def test_the_ending_chooses_the_format(tmp_path: Path, ending: str, start: bytes) -> None:
    target = FIGURE.save(tmp_path / f"chart.{ending}")
    assert target.read_bytes().lstrip().lower().startswith(start.lower())
    with pytest.raises(OutputError, match="exists"):
        FIGURE.save(target)
    FIGURE.save(target, overwrite=True)


def test_a_page_needs_no_network() -> None:
    page = FIGURE.render("html").decode()
    assert 'src="http' not in page


def test_an_unknown_ending_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"\.png"):
        FIGURE.save(tmp_path / "chart.bmp")
    with pytest.raises(OutputError):
        FIGURE.save(tmp_path / "nowhere" / "chart.json")


def test_a_figure_is_the_dictionary_that_scripts_know() -> None:
    assert json.loads(json.dumps(FIGURE)) == FIGURE
    assert FIGURE.spec["$schema"].endswith("v5.json")
    assert repr(FIGURE) == "<Figure: T>"


def test_restyling_keeps_the_rest_and_the_original() -> None:
    styled = FIGURE.restyle(axis={"grid": False}).restyle(axis={"labelFontSize": 9}, font="serif")
    assert styled["config"] == {"axis": {"grid": False, "labelFontSize": 9}, "font": "serif"}
    assert styled.spec["config"]["font"] == "serif"
    assert "config" not in FIGURE
    assert FIGURE.properties(width=99)["width"] == 99


def test_japanese_is_set_in_a_font_that_has_it() -> None:
    with speaking("ja"):
        assert "Noto Sans CJK JP" in FIGURE.spec["config"]["font"]


def test_notebooks_get_the_chart_and_a_picture_of_it() -> None:
    shown = FIGURE._repr_mimebundle_()
    assert shown["application/vnd.vegalite.v5+json"] == FIGURE.spec
    assert shown["image/svg+xml"].startswith("<svg")


@pytest.mark.skipif(find_spec("altair") is not None, reason="Altair is installed")
def test_without_altair_its_charts_are_refused() -> None:
    with pytest.raises(MissingPartError, match="altair"):
        FIGURE.altair()


def test_notebook_views_show_names_and_no_value() -> None:
    data = sudare.datasets.toy(60)
    masker = sudare.mask.GlobalRecode(min_share=0.1, columns=("region",))
    masked = sudare.apply(data, [masker], seed=1)
    views = [
        masked,
        masked.steps[0],
        masker.fit(data),
        sudare.describe.profile(data),
        sudare.describe.association(data),
    ]
    labels = {str(label) for label in data["region"].coded.labels}
    for view in views:
        page = view._repr_html_()  # type: ignore[attr-defined]
        assert "region" in page
        assert not any(f">{label}<" in page for label in labels)
