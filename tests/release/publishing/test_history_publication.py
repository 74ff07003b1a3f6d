"""A release of a purchase history: published file, report, recipe, ledger, and no secret."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core.errors import OutputError
from sudare.core.messages import speaking
from sudare.release.inspection import history_gate
from sudare.release.publishing.history_publication import HistoryPublication
from sudare.release.publishing.ledger import Ledger
from sudare.release.report import Edition, release_report
from sudare.release.report.document import Chart, Table
from sudare.release.report.history_pictures import (
    alike,
    contents,
    errors_by_content,
    middles,
    month_shares,
)
from sudare.transactions import (
    CellError,
    CoarseDates,
    CustomerAnonymity,
    HistoryMasker,
    MaskedHistory,
    PriceBands,
    Pseudonyms,
    QuantityBands,
    RowDeletion,
    cell_errors,
    published,
    read_masked,
    utility,
)
from sudare.transactions.files.history_files import masked_lines

SEED = 73915502846613094428817
HISTORY = sudare.datasets.purchases_like(16, seed=4)
ALONE = "exact-numbers:date,item,price,quantity"
PAIRS = sudare.Recipe("pairs", [CustomerAnonymity(k=2)])
MEASURES = ["reidentification", "cell-error", "use-case-loss: samples = 1"]


@pytest.fixture(scope="module")
def publication() -> HistoryPublication:
    recipes = [PAIRS, sudare.Recipe("months", [CoarseDates(), Pseudonyms()])]
    measures = [sudare.transactions.Reidentification(), CellError()]
    comparison = sudare.compare(HISTORY, recipes, measures, seed=SEED)
    limits = ["reidentification < 1"]
    return sudare.publish(
        HISTORY, PAIRS, measures=MEASURES, limits=limits, comparison=comparison, seed=SEED
    )


def test_a_release_has_what_the_contest_publishes(
    publication: HistoryPublication, tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("ledger.json", "masked.csv"),
        *("recipe.toml", "report.html"),
    ]
    lines = (folder / "masked.csv").read_text(encoding="ascii").splitlines()
    assert lines == masked_lines(published(publication.masked))
    assert read_masked(folder / "masked.csv").rows == publication.released.rows < HISTORY.rows
    assert Ledger.read(folder / "ledger.json").seals(folder / "masked.csv")


def test_the_ledger_replays_the_release_with_the_seed(
    publication: HistoryPublication, tmp_path: Path
) -> None:
    ledger = Ledger.read(publication.write(tmp_path / "out") / "ledger.json")
    again = sudare.publish(HISTORY, ledger.recipe(), measures=(), seed=SEED)
    assert masked_lines(again.released) == masked_lines(publication.released)
    assert [step.method for step in ledger.steps()] == ["CustomerAnonymity"]
    assert ledger.content["original"]["customers"] == 16


def test_nothing_secret_leaves_with_a_release(
    publication: HistoryPublication, tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out", pdf=True)
    for path in folder.iterdir():
        content = path.read_bytes()
        assert str(SEED).encode() not in content
        assert HISTORY.fingerprint().encode() not in content
    for name in ("report.html", "ledger.json"):
        text = (folder / name).read_text(encoding="utf-8")
        text = re.sub(r"<script type=\"module\">.*?</script>", "", text, flags=re.DOTALL)
        numbers = set(re.findall(r"\d+", text))
        assert not numbers & set(HISTORY.customer_ids)
    ledger = json.loads((folder / "ledger.json").read_text(encoding="utf-8"))
    assert ledger["measures"] == []  # all of them look at the original
    assert ledger["limits"] == [{"limit": "reidentification < 1", "kept": True}]


def test_the_number_of_rows_before_stays_inside(
    publication: HistoryPublication, tmp_path: Path
) -> None:
    """Whoever knows the purchases of all customers but one would learn how many the last has."""
    folder = publication.write(tmp_path / "out")
    deleted = HISTORY.rows - publication.released.rows
    for name in ("report.html", "ledger.json", "recipe.toml"):
        text = (folder / name).read_text(encoding="utf-8")
        text = re.sub(r"<script type=\"module\">.*?</script>", "", text, flags=re.DOTALL)
        assert not {HISTORY.rows, deleted} & {int(n) for n in re.findall(r"(?<![\d.])\d+", text)}
        shares = {float(n) for n in re.findall(r"0\.\d+", text)}
        assert not [share for share in shares if abs(share - deleted / HISTORY.rows) < 1e-4]


def tables(publication: HistoryPublication, edition: Edition) -> list[Table]:
    return [b for b in release_report(publication, edition=edition).blocks if isinstance(b, Table)]


def test_how_many_were_named_and_rightly_stays_inside(publication: HistoryPublication) -> None:
    """Whoever repeats an attack would learn from the numbers how right he was, or a purchase."""
    headers = {
        e: {h for t in tables(publication, e) for h in t.header} for e in ("public", "internal")
    }
    counts = {"named", "right", "needed (contest)", "needed (tight)"}
    assert not {"attacker", "effective", *counts} & headers["public"]
    assert counts <= headers["internal"]
    cells = {
        str(cell) for table in tables(publication, "public") for row in table.rows for cell in row
    }
    assert not cells & {"Re-identification by attackers", "Mean error of the cells (U)"}


def test_only_the_internal_edition_shows_the_original(publication: HistoryPublication) -> None:
    for edition in ("public", "internal"):
        report = release_report(publication, edition=edition)
        charts = [b.figure for b in report.blocks if isinstance(b, Chart)]
        seen = {value.get("version") for c in charts for value in c["data"]["values"]}
        seen |= {row[1] for t in tables(publication, edition) if "sd" in t.header for row in t.rows}
        assert ("before" in seen) == (edition == "internal")
        assert ("Confidential" in report.html()) == (edition == "internal")
        titles = [chart["title"] for chart in charts]
        assert ("Risk–utility map" in titles) == (edition == "internal")  # its risk is confidential


def test_the_report_speaks_japanese(publication: HistoryPublication) -> None:
    with speaking("ja"):
        page = release_report(publication, edition="internal").html()
    assert "安全性" in page
    assert "セルの内容" in page
    assert "Safety" not in re.sub(r"<script type=\"module\">.*?</script>", "", page, flags=re.S)


@pytest.mark.parametrize("more", [(), (RowDeletion(share=0.05),)])
def test_customers_get_new_pseudonyms_though_the_recipe_forgot_them(
    more: tuple[RowDeletion, ...], tmp_path: Path
) -> None:
    months = sudare.Recipe("months", [CoarseDates(), *more])
    publication = sudare.publish(
        HISTORY, months, measures=["cell-error"], seed=SEED, confirmations=[ALONE]
    )
    assert publication.steps[-1].method == "Pseudonyms"
    assert len(publication.steps) == 2 + len(more)
    assert (publication.masked.pseudonyms != MaskedHistory.of(HISTORY).pseudonyms).any()
    folder = publication.write(tmp_path / "out")
    recipe = sudare.Recipe.read(folder / "recipe.toml")
    again = sudare.publish(HISTORY, recipe, measures=(), seed=SEED)
    assert masked_lines(again.released) == masked_lines(publication.released)


def test_a_release_that_is_hit_is_not_written(tmp_path: Path) -> None:
    months = sudare.Recipe("months", [CoarseDates()])
    publication = sudare.publish(HISTORY, months, limits=["reidentification < 1"], seed=SEED)
    assert not publication.keeps_limits
    with pytest.raises(OutputError, match="misses the limit reidentification < 1"):
        publication.write(tmp_path / "out")
    accepted = sudare.publish(HISTORY, months, seed=SEED, confirmations=[ALONE])
    with pytest.raises(OutputError, match="written as csv"):
        accepted.write(tmp_path / "out", kind="parquet")
    assert list(tmp_path.iterdir()) == []


def test_the_parts_of_a_picture_add_up_to_u() -> None:
    masked = RowDeletion(share=0.2).mask(CustomerAnonymity(k=3).mask(HISTORY, seed=1), seed=2)
    held = contents(masked)
    parts = errors_by_content(cell_errors(HISTORY, masked), held)
    assert np.mean([column.sum() for column in parts.values()]) == pytest.approx(
        utility(HISTORY, masked)
    )
    for name, codes in held.items():
        assert (codes == 0).sum() == masked.gone.sum(), name
        deleted = {"item": masked.items.deleted}.get(name)
        if deleted is not None:
            assert ((codes == 1) == (deleted & ~masked.gone)).all()


def test_pictures_count_customers_alike_and_months() -> None:
    masked = CustomerAnonymity(k=3).mask(HISTORY, seed=1)
    assert sorted(np.unique(alike(published(masked)))) == [3, 4]
    assert (alike(published(MaskedHistory.of(HISTORY))) == 1).all()
    shares = month_shares(middles(published(masked), "date"))
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares) == sorted(shares)
    assert month_shares(np.empty(0)) == {}


def test_the_gate_looks_at_a_history(tmp_path: Path) -> None:
    pairs = sudare.Recipe("pairs", [CustomerAnonymity(k=2)])
    trial = sudare.publish(HISTORY, pairs, measures=["cell-error"], seed=1)
    assert [finding.name for finding in trial.findings.stops] == ["guessable-seed"]
    with pytest.raises(OutputError, match="the gate stops the release"):
        trial.write(tmp_path / "out")
    plain = sudare.Recipe("plain", [Pseudonyms()])
    findings = sudare.publish(HISTORY, plain, measures=["cell-error"], seed=SEED).findings
    assert [finding.kind for finding in findings.stops] == ["nothing-masked"]
    assert findings.of_kind("exact-numbers")[0].count > 0.5 * HISTORY.rows
    repaired = {finding.kind for finding in findings.repaired}
    assert repaired == {"order", "outside-keys"}


@pytest.mark.parametrize(
    ("maskers", "stops"),
    [
        ([PriceBands(width=0.02)], [ALONE]),
        ([QuantityBands(width=2)], [ALONE]),
        ([RowDeletion(share=0.05), Pseudonyms()], [ALONE]),
        ([CustomerAnonymity(k=2)], []),
        ([CustomerAnonymity(k=5)], []),
    ],
)
def test_a_history_is_stopped_where_most_customers_stand_alone_by_what_is_published(
    maskers: list[HistoryMasker], stops: list[str]
) -> None:
    recipe = sudare.Recipe("r", maskers)
    findings = sudare.publish(HISTORY, recipe, measures=[], seed=SEED).findings
    assert [finding.name for finding in findings.stops] == stops
    accepted = sudare.publish(HISTORY, recipe, measures=[], seed=SEED, confirmations=stops)
    assert accepted.may_leave


def test_numbers_of_customers_in_the_order_of_the_original_stop_a_release() -> None:
    ordered = history_gate(HISTORY, MaskedHistory.of(HISTORY))
    assert ("outside-keys", True) in [(finding.kind, finding.stops) for finding in ordered]
