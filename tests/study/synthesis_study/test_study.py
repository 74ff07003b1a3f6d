"""The synthesis study on data like the slides', at full size, and on anybody's."""

import json
from pathlib import Path

import pytest

import sudare
from sudare.core.errors import ColumnError, SettingError
from sudare.core.messages import speaking
from sudare.core.table.microdata import Microdata
from sudare.study import synthesis
from sudare.study.synthesis_study import slides
from sudare.study.synthesis_study.study import SynthesisStudy

pytestmark = pytest.mark.xdist_group("synthesis-study")  # one study for all


@pytest.fixture(scope="module")
def spending() -> SynthesisStudy:
    return synthesis(sudare.datasets.expenditure_like(), seed=1)


def test_the_slides_findings_hold(spending: SynthesisStudy) -> None:
    assert all(row["holds"] for row in spending.tables["findings"])
    outcomes = spending.outcomes
    assert outcomes["OT(0.01)"].risks[1] >= 0.95
    assert outcomes["OT(0.2)"].risks[1] <= 0.5
    for name in ("DRI", "SRI"):
        assert max(outcomes[name].risks.values()) <= 0.01


def test_errors_and_risks_are_near_those_of_the_slides(spending: SynthesisStudy) -> None:
    for name, outcome in spending.outcomes.items():
        assert outcome.error == pytest.approx(slides.ERROR[name], rel=0.15)
        for k, risk in outcome.risks.items():
            assert risk == pytest.approx(slides.RISK[k][name], abs=0.1)


def test_risk_grows_with_the_guesses(spending: SynthesisStudy) -> None:
    for outcome in spending.outcomes.values():
        risks = [outcome.risks[k] for k in (1, 3, 5)]
        assert risks == sorted(risks)
        assert outcome.interval[0] <= outcome.risk <= outcome.interval[1]


def test_the_slides_figures_stand_beside_ours(spending: SynthesisStudy) -> None:
    shown = spending.presented()
    assert [row["source"] for row in shown["table_1_error"]] == ["sudare", "slides"]
    assert [row["k"] for row in shown["table_2_risk"]] == [1, 1, 3, 3, 5, 5]
    assert shown["table_2_risk"][1]["OT(0.05)"] == 0.93
    html = spending.report().html()
    assert "Why our figures differ" in html
    assert html.count('class="chart"') == 1


def small() -> Microdata:
    return sudare.datasets.toy(300)


def test_other_data_have_no_slides_beside_them(tmp_path: Path) -> None:
    result = synthesis(small(), losses=[0.5], k=[2], seed=1)
    assert list(result.outcomes) == ["DRI", "SRI", "OT(0.5)"]
    assert "source" not in result.presented()["table_1_error"][0]
    result.save(tmp_path / "out")
    saved = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert saved["table_2_risk"][0]["k"] == 2


def test_the_report_speaks_japanese() -> None:
    with speaking("ja"):
        assert "リスクと誤差" in synthesis(small(), losses=[0.5], seed=1).report().html()


def test_the_same_seed_gives_the_same_tables() -> None:
    first, second = (synthesis(small(), seed=4).tables for _ in range(2))
    assert first == second


def test_progress_is_told() -> None:
    progress: list[tuple[int, int, str]] = []
    synthesis(small(), losses=[0.1], on_progress=lambda *what: progress.append(what))
    assert progress == [(0, 3, "DRI"), (1, 3, "SRI"), (2, 3, "OT(0.1)")]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"losses": [1.5]}, SettingError, "between 0 and 1"),
        ({"losses": []}, SettingError, "between 0 and 1"),
        ({"k": [0]}, SettingError, "1 or more"),
        ({"columns": ["age"]}, SettingError, "at least two different"),
        ({"columns": ["age", "sex"]}, ColumnError, "'sex' does not hold numbers"),
        ({"columns": ["age", "incom"]}, ColumnError, "did you mean 'income'"),
        ({"basis": "both"}, SettingError, "basis must be"),
        ({"scale": "log"}, SettingError, "scale must be"),
    ],
)
def test_bad_input_is_refused(
    settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        synthesis(small(), **settings)  # type: ignore[arg-type]


def test_the_fall_of_the_risk_depends_on_the_attackers_scale() -> None:
    data = sudare.datasets.expenditure_like()
    result = synthesis(data, losses=[0.2], k=[1], scale="sd", seed=1)
    assert result.outcomes["OT(0.2)"].risk > 0.98, "the docs say 99 %"
