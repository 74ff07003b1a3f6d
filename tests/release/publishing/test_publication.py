"""A release: whole or not at all, replayable, and without secrets."""

import json
from pathlib import Path

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Figure, Floats
from sudare.core.errors import InputError, MissingPartError, OutputError
from sudare.core.messages import speaking
from sudare.engine.counting.counts import groups
from sudare.release.publishing.ledger import Ledger
from sudare.release.publishing.table_publication import TablePublication
from sudare.release.report.document import Chart, Report
from sudare.release.report.pictures import distribution, size_classes
from sudare.release.report.release_pages import release_report

SEED = 73915502846613094428817  # long enough for a release
RECIPE = sudare.Recipe(
    "coarse",
    [
        sudare.mask.GlobalRecode(min_share=0.1),
        sudare.mask.Pram(retain=0.9, columns=("occupation",)),
        sudare.mask.Noise(sd_ratio=0.2, columns=("income",)),
    ],
)
MEASURES = ["k-anonymity", "uniques", "direct-comparison"]
ACCEPTED = ["exact-numbers:age"]


@pytest.fixture(scope="module")
def publication() -> TablePublication[sudare.Microdata]:
    return sudare.publish(
        sudare.datasets.toy(),
        RECIPE,
        measures=MEASURES,
        limits=["uniques <= 1"],
        seed=SEED,
        confirmations=ACCEPTED,
    )


def test_a_release_has_table_report_recipe_and_ledger(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("codebook.xml", "ledger.json", "masked.csv"),
        *("recipe.toml", "report.html"),
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    released = sudare.read(folder / "masked.csv", not_applicable=["not applicable"])
    assert released.rows == publication.before.rows
    assert not set(publication.before.with_role("identifier")) & set(released.names)
    assert Ledger.read(folder / "ledger.json").seals(folder / "masked.csv")


def test_the_ledger_replays_the_release_with_the_seed(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    ledger = Ledger.read(publication.write(tmp_path / "out") / "ledger.json")
    again = sudare.publish(sudare.datasets.toy(), ledger.recipe(), measures=[], seed=SEED)
    assert again.released.equals(publication.released)
    methods = [step.method for step in ledger.steps()]
    assert methods == ["GlobalRecode", "Pram", "Noise", "HouseholdNumbers", "Rounding"]
    matrix = np.array(ledger.steps()[1].public["occupation"]["matrix"])
    np.testing.assert_allclose(matrix.sum(axis=1), 1)


def test_the_recipe_of_a_release_needs_no_roles_beside_it(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    data = sudare.datasets.toy()
    bare = data.assigning(roles=dict.fromkeys(data.names, "other"))
    recipe = sudare.Recipe.read(publication.write(tmp_path / "out") / "recipe.toml")
    again = sudare.publish(bare, recipe, measures=[], seed=SEED)
    assert again.released.equals(publication.released)


def test_households_are_released_under_other_numbers(
    publication: TablePublication[sudare.Microdata],
) -> None:
    before, after = publication.before["household"].coded, publication.masked["household"].coded
    assert not {*map(str, before.labels)} & {*map(str, after.labels)}
    pairs = set(zip(before.codes.tolist(), after.codes.tolist(), strict=True))
    assert len(pairs) == len(before.labels) == len(after.labels)


def test_nothing_secret_leaves_with_a_release(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out", pdf=True)
    for path in folder.iterdir():
        content = path.read_bytes()
        assert str(SEED).encode() not in content
        assert publication.before.fingerprint().encode() not in content
    ledger = json.loads((folder / "ledger.json").read_text(encoding="utf-8"))
    assert "by_record" not in json.dumps(ledger)
    page = (folder / "report.html").read_text(encoding="utf-8")
    rare = set(map(str, publication.before["occupation"].labels)) - set(  # type: ignore[attr-defined]
        map(str, publication.released["occupation"].labels)  # type: ignore[attr-defined]
    )
    for label in rare:
        assert f'"label": "{label}"' not in page


def test_a_release_that_misses_a_limit_is_not_written(tmp_path: Path) -> None:
    publication = sudare.publish(
        sudare.datasets.toy(), RECIPE, limits=["k-anonymity >= 50"], seed=1
    )
    assert not publication.keeps_limits
    with pytest.raises(OutputError, match=r"misses the limit k-anonymity >= 50"):
        publication.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_for_review_names_nobody_whom_the_gate_keeps_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    names = tuple(f"Yamada Taro{number}" for number in range(200))
    data = sudare.Microdata(
        (
            Categorical("who", rng.permutation(200).astype(np.int32), names),
            Categorical("area", rng.integers(0, 3, 200), ("N", "S", "E"), role="key"),
        )
    )
    publication = sudare.publish(data, sudare.Recipe("coarse", [sudare.mask.Mondrian(k=5)]))
    assert publication.findings.stops
    folder = publication.write_review(tmp_path / "review")
    assert {path.name for path in folder.iterdir()} == {"recipe.toml", "report.html"}
    assert not any(b"Yamada" in path.read_bytes() for path in folder.iterdir())


def test_an_old_release_stays_until_a_new_one_stands(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    publication.write(tmp_path / "out")
    with pytest.raises(OutputError, match="exists; choose another name"):
        publication.write(tmp_path / "out")
    publication.write(tmp_path / "out", kind="parquet", overwrite=True)
    assert (tmp_path / "out" / "masked.parquet").exists()
    assert not (tmp_path / "out" / "masked.csv").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_internal_edition_shows_the_original_and_says_so(
    publication: TablePublication[sudare.Microdata],
) -> None:
    public, internal = (release_report(publication, edition=e) for e in ("public", "internal"))
    assert "Confidential" in internal.html()
    assert "Confidential" not in public.html()
    assert len(internal.blocks) > len(public.blocks)
    figures = [block.figure for block in public.blocks if block.kind == "chart"]  # type: ignore[union-attr]
    drawn = [part for figure in figures for part in figure.get("hconcat", [figure])]
    for figure in drawn:
        versions = {value.get("version") for value in figure["data"]["values"]}
        assert "before" not in versions


def test_the_report_speaks_japanese(publication: TablePublication[sudare.Microdata]) -> None:
    with speaking("ja"):
        page = release_report(publication).html()
    assert "公開" in page
    assert "リスク" in page


def test_a_report_becomes_a_pdf(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    report = release_report(publication)
    report.write(tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_a_pdf_in_japanese_is_set_in_a_japanese_font(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    from pypdf import PdfReader

    with speaking("ja"):
        try:
            path = release_report(publication, edition="internal").write(tmp_path / "report.pdf")
        except MissingPartError:
            pytest.skip("no Japanese font: install the extra japanese, or a font of the system")
    pages = PdfReader(path).pages
    text = "".join(page.extract_text() for page in pages)
    for words in ("公開データの報告書", "加工前後のリスク", "決裁", "部外秘"):
        assert words in text
    fonts = {
        str(font.get_object()["/BaseFont"])
        for page in pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }
    assert any(name in font for font in fonts for name in ("CJK", "NotoSansJP", "IPA", "Gothic"))
    assert not any("Libertinus" in font for font in fonts)  # it has no Japanese


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(InputError, match="is not a ledger"):
        Ledger.read(tmp_path / "a.json")
    with pytest.raises(InputError, match="there is no file"):
        Ledger.read(tmp_path / "b.json")


def test_shares_in_a_picture_add_up(publication: TablePublication[sudare.Microdata]) -> None:
    for name in ("occupation", "income"):
        figure = distribution(
            {"before": publication.before[name], "after": publication.released[name]}
        )
        for version in ("before", "after"):
            assert _shares(figure, version).sum() == pytest.approx(1)


def test_ranges_of_numbers_are_drawn_like_numbers() -> None:
    data = sudare.datasets.toy(2000)
    masked = sudare.apply(data, sudare.mask.Mondrian(k=3, columns=("age", "region"))).data
    figure = distribution({"before": data["age"], "after": masked["age"]})
    assert figure["mark"]["type"] == "line"
    before, after = (_shares(figure, version) for version in ("before", "after"))
    assert before.sum() == pytest.approx(1)
    assert after.sum() == pytest.approx(1)
    assert np.abs(np.cumsum(after - before)).max() < 0.05


def _shares(figure: Figure, version: str) -> Floats:
    """Return the shares of a picture, without the point that ends the last step."""
    drawn = [bar for bar in figure["data"]["values"] if bar["version"] == version]
    return np.array([bar["share"] for bar in drawn if bar.get("low") != bar.get("high", 0)])


def test_classes_of_group_sizes_hold_every_record() -> None:
    data = sudare.datasets.toy()
    together = groups([data[name] for name in data.keys])
    classes = size_classes(together.sizes, members=together.sizes)
    assert sum(classes.values()) == pytest.approx(1)
    assert classes["1"] == (together.size_of_record == 1).mean()
    assert classes == pytest.approx(size_classes(together.size_of_record))


def test_notebooks_show_no_value(publication: TablePublication[sudare.Microdata]) -> None:
    data = sudare.datasets.toy()
    shown = [data._repr_html_(), publication.measured[0][1]._repr_html_()]
    comparison = sudare.compare(data, {"as it is": []}, [sudare.risk.Uniques()])
    shown.append(comparison._repr_html_())
    for text in shown:
        assert text.startswith("<table>")
        for label in data["occupation"].labels:  # type: ignore[attr-defined]
            assert f">{label}<" not in text
    assert release_report(publication)._repr_html_().startswith("<iframe")


@pytest.fixture(scope="module")
def mapped() -> TablePublication[sudare.Microdata]:
    data = sudare.datasets.toy()
    recipes = [RECIPE, sudare.Recipe("as it is", []), sudare.Recipe("noise", [sudare.mask.Noise()])]
    measures = [sudare.risk.Uniques(), sudare.loss.DirectComparison()]
    comparison = sudare.compare(data, recipes, measures, seed=SEED, repeats=3)
    return sudare.publish(data, RECIPE, measures=MEASURES, comparison=comparison, seed=SEED)


def points(report: Report) -> list[dict[str, object]]:
    maps = [
        block.figure["data"]["values"]
        for block in report.blocks
        if isinstance(block, Chart) and block.figure["title"] == "Risk–utility map"
    ]
    return [point for values in maps for point in values]


def test_the_report_maps_the_recipes_that_were_considered(
    mapped: TablePublication[sudare.Microdata],
) -> None:
    assert mapped.comparison is not None
    internal = points(release_report(mapped, edition="internal"))
    assert {point["recipe"] for point in internal} == {"coarse", "as it is", "noise"}
    for point in internal:
        results = mapped.comparison[str(point["recipe"])].results
        assert point["risk"] == results["Uniques"].value
        assert point["loss"] == results["DirectComparison"].value


def test_the_public_edition_has_no_map(mapped: TablePublication[sudare.Microdata]) -> None:
    assert points(release_report(mapped)) == []


def test_a_report_without_other_recipes_has_no_map(
    publication: TablePublication[sudare.Microdata],
) -> None:
    assert points(release_report(publication, edition="internal")) == []


def test_what_was_randomized_is_told_and_reconstructed_from_the_files_alone(tmp_path: Path) -> None:
    data = sudare.datasets.toy(2000)
    recipe = sudare.Recipe(
        "random",
        [
            sudare.mask.Pram(columns=("occupation",)),
            sudare.mask.PkAnonymization(
                k=5, columns=("age", "region"), weights={"age": 0.0, "region": 1.0}
            ),
        ],
    )
    publication = sudare.publish(
        data, recipe, seed=SEED, confirmations=["twin:household,region", "exact-numbers:income"]
    )
    assert ["'age'" in text for text in publication.cautions()] == [True]
    folder = publication.write(tmp_path / "out")
    text = (folder / "ledger.json").read_text()
    ledger = json.loads(text, parse_constant=lambda _: pytest.fail("no JSON"))
    (promised,) = (g for g in ledger["guarantees"] if g["name"] == "Pk-anonymity")
    assert ledger["privacy"]["k"] == pytest.approx(promised["value"])
    assert "ε" in release_report(publication).html()
    released = sudare.read(folder / "masked.csv", not_applicable=["not applicable"])
    estimators = (
        sudare.reconstruct.IterativeBayes(columns=("region", "occupation")),
        sudare.reconstruct.LinearDensityRatio(columns=("age", "region", "occupation")),
    )
    for estimator in estimators:
        read = estimator.fit(released, Ledger.read(folder / "ledger.json").steps())
        np.testing.assert_allclose(read.weights, estimator.fit(released, publication.steps).weights)


def test_a_ledger_keeps_endless_numbers_and_labels_that_look_like_them(tmp_path: Path) -> None:
    public = {"epsilon": np.inf, "least": [-np.inf], "labels": ["Infinity", "a"]}
    given = {**public, "epsilon": np.float64(np.inf)}
    step = {"method": "Pram", "columns": ["a"], "settings": {}, "public": given}
    Ledger({"recipe": "", "steps": [step]}).write(tmp_path / "ledger.json")
    [kept] = Ledger.read(tmp_path / "ledger.json").steps()
    assert kept.public == public


def test_a_folder_with_other_files_is_never_replaced(
    publication: TablePublication[sudare.Microdata], tmp_path: Path
) -> None:
    folder = publication.write(tmp_path / "out")
    assert publication.write(folder, overwrite=True) == folder
    thesis = folder / "thesis.txt"
    thesis.write_text("ten years of work")
    with pytest.raises(OutputError, match="holds other files, which would be lost"):
        publication.write(folder, overwrite=True)
    assert thesis.read_text() == "ten years of work"
