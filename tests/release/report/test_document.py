import json
import re
from pathlib import Path

import pytest

import sudare
from sudare.core import Figure
from sudare.core.messages import speaking
from sudare.loss import TotalVariation
from sudare.mask import Pram
from sudare.release.report.comparison_pages import comparison_report
from sudare.release.report.document import Chart, Report, Table, Text, write_figure
from sudare.risk import Uniques


def page() -> str:
    comparison = sudare.compare(
        sudare.datasets.toy(),
        {"as it is": [], "<script>alert(1)</script>": Pram(retain=0.5)},
        [Uniques(), TotalVariation()],
        seed=424242,
    )
    return comparison_report(comparison, title="T").html()


def test_a_report_needs_no_network() -> None:
    text = re.sub(r"<script type=\"module\">.*?</script>", "", page(), flags=re.DOTALL)
    links = re.findall(r"(?:src|href)\s*=\s*[\"']?(?!#)([^\"'\s>]+)", text)
    assert links == []


def test_names_are_escaped() -> None:
    assert "<script>alert(1)" not in page()


def test_a_report_holds_no_seed() -> None:
    assert "424242" not in re.sub(
        r"<script type=\"module\">.*?</script>", "", page(), flags=re.DOTALL
    )


def test_charts_are_vega_lite_data() -> None:
    specs = re.findall(r'class="spec">(.*?)</script>', page(), flags=re.DOTALL)
    assert specs
    assert all("$schema" in json.loads(spec) for spec in specs)


def test_a_report_speaks_japanese() -> None:
    with speaking("ja"):
        text = page()
    assert '<html lang="ja">' in text
    assert "リスク" in text


def test_numbers_are_shown_with_four_digits() -> None:
    html = Report("T", [Table(["a"], [[0.123456], [20000.0]]), Text("body", "Head")]).html()
    assert ">0.1235<" in html
    assert ">20000<" in html
    assert "<h2>Head</h2>" in html


@pytest.mark.parametrize(
    ("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_charts_become_pictures(tmp_path: Path, ending: str, start: bytes) -> None:
    figure = Uniques()(sudare.datasets.toy()).figure()
    target = write_figure(figure, tmp_path / f"chart{ending}")
    assert target.read_bytes().startswith(start)


def test_a_report_without_charts_is_small() -> None:
    assert len(Report("T", [Text("x")]).html()) < 10_000
    assert Chart(Figure({"mark": "bar"})).spec.startswith('{"$schema"')
