"""The gallery: every method with a picture of what it does, drawn while the site is built.

A masker is shown record by record, the value before against the value after; a measure by its
value before masking and after; an estimator by the shares it recovers. All data are made up.
"""

import csv
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from languages import language_of
from method_calls import python_example
from method_pages import FAMILIES, file_of
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from page_writing import told

from sudare import Microdata
from sudare.catalog import METHODS, CatalogEntry
from sudare.core import Column, Figure, Numeric, language, say, speaking
from sudare.transactions import write_history, write_masked

GALLERY = (
    "What every method does to made-up data, drawn when this site was built. Masking: the value of "
    "each record before (across) and after (up); on the diagonal nothing changed. Measures: their "
    "value for the table as it was and for a masked one. Estimators: true, randomized and "
    "recovered shares."
)
GREEN, ORANGE = "#3a6b5c", "#c9873c"
SHOWN_RECORDS = 300
CALLS = {  # where the example of the method's page leaves the made-up table as it is
    "GlobalRecode": "GlobalRecode(min_share=0.1)",
    "EditRules": "EditRules(rules=('age from 20 to 80',))",
    "TreeMicroaggregation": "TreeMicroaggregation(k=60, columns=('occupation',), trees=TREES)",
}
PARENTS = {"farming": "outdoor", "manual": "outdoor", "clerical": "office", "manager": "office"}
PARENTS |= {"sales": "service", "specialist": "office"}
TREES = {"occupation": PARENTS | dict.fromkeys(("outdoor", "office", "service"), "any")}
COLUMNS = ("customer", "date", "item", "price", "quantity")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page and its pictures."""
    with speaking(language_of(config)):
        files.append(File.generated(config, "methods/gallery.md", content=page()))
        for entry in METHODS:
            content = picture(entry, language())
            files.append(File.generated(config, f"methods/{picture_name(entry)}", content=content))
    return files


def picture_name(entry: CatalogEntry) -> str:
    """Return the file of a method's picture."""
    return file_of(entry).removesuffix(".md") + ".svg"


def page() -> str:
    """Return the page with all pictures.

    Examples
    --------
    >>> page().count(".svg") == len(METHODS)
    True
    """
    lines = [told("# Gallery"), "", told(GALLERY), ""]
    for family, (title, _) in FAMILIES.items():
        lines += [f"## {told(title)}", "", '<div class="gallery" markdown>', ""]
        for entry in METHODS:
            if entry.family == family:
                lines += [f"[![{say(entry.title)}]({picture_name(entry)})]({file_of(entry)})", ""]
                lines[-2] += f"<br>[{say(entry.title)}]({file_of(entry)})"
        lines += ["</div>", ""]
    return "\n".join(lines)


@cache
def shown(entry: CatalogEntry) -> dict[str, Any]:
    """Run the example of a method; return its names, with its value as ``value``."""
    names: dict[str, Any] = {"TREES": TREES}
    *lines, last = python_example(entry)
    if entry.name in CALLS:
        last = f"masked = sudare.apply(data, sudare.mask.{CALLS[entry.name]}, seed=7).data"
    exec("\n".join(lines), names)  # noqa: S102 - examples of our own
    if entry.family == "mask":
        exec(last, names)  # noqa: S102
    else:
        names["value"] = eval(last, names)  # noqa: S307
        if entry.family != "reconstruct":
            names["before"] = eval(last.replace("masked)", f"{_original(names)})"), names)  # noqa: S307
    return names


def _original(names: dict[str, Any]) -> str:
    return "members" if "members" in names else "data"


@cache
def picture(entry: CatalogEntry, _: str) -> str:
    """Return the picture of a method in the current language."""
    names = shown(entry)
    if entry.family == "mask" and entry.subject == "history":
        chart = _history_chart(names)
    elif entry.family == "mask":
        chart = _masking_chart(names["data"], names["masked"])
    elif entry.family == "reconstruct":
        chart = _shares_chart(names)
    else:
        values = {say("before"): names["before"], say("after"): names["value"]}
        chart = _bars([{"name": k, "value": v} for k, v in values.items()])
    return Figure({"width": 220, "height": 160, **chart}).render("svg").decode()


def _masking_chart(before: Microdata, after: Microdata) -> dict[str, Any]:
    """Return the values of the first column that changed, record by record."""
    if before.rows != after.rows:
        return _bars(
            [
                {"name": say("before"), "value": before.rows},
                {"name": say("after"), "value": after.rows},
            ]
        )
    name = next(
        c.name
        for c in before.columns
        if c.name in after.names and _cells(c) != _cells(after[c.name])
    )
    pairs = list(zip(_cells(before[name]), _cells(after[name]), strict=True))[:SHOWN_RECORDS]
    numbers = [isinstance(table[name], Numeric) for table in (before, after)]
    axes = {
        axis: {
            "field": axis,
            "type": "quantitative" if numeric else "nominal",
            "title": f"{name}, {say(when)}",
        }
        for axis, numeric, when in zip("xy", numbers, ("before", "after"), strict=True)
    }
    if all(numbers):
        points = [{"x": x, "y": y} for x, y in pairs if x is not None and y is not None]
        mark = {"type": "point", "filled": True, "size": 14, "opacity": 0.5, "color": GREEN}
        return {"data": {"values": points}, "mark": mark, "encoding": axes}
    counts = [{"x": x, "y": y, "n": n} for (x, y), n in Counter(pairs).items()]
    size = {"field": "n", "type": "quantitative", "legend": None}
    mark = {"type": "circle", "color": GREEN, "opacity": 0.7}
    return {"data": {"values": counts}, "mark": mark, "encoding": {**axes, "size": size}}


def _cells(column: Column) -> list[Any]:
    if isinstance(column, Numeric):
        return [
            value if known else None
            for value, known in zip(column.values.tolist(), column.known, strict=True)
        ]
    coded = column.coded
    labels = [*map(str, coded.labels), "–", "–"]  # codes -1 and -2
    return [labels[code] for code in coded.codes.tolist()]


def _history_chart(names: dict[str, Any]) -> dict[str, Any]:
    """Return how many different values each column has, before and after."""
    folder = Path(tempfile.mkdtemp())
    write_history(names["data"], folder / "before.csv")
    write_masked(names["masked"], folder / "after.csv")
    rows = []
    for when in ("before", "after"):
        with (folder / f"{when}.csv").open(encoding="utf-8", newline="") as file:
            columns = zip(*csv.reader(file), strict=True)
            rows += [
                {"name": column, "value": len(set(cells)), "when": say(when)}
                for column, cells in zip(COLUMNS, columns, strict=True)
            ]
    return _bars(rows, [say("before"), say("after")])


def _shares_chart(names: dict[str, Any]) -> dict[str, Any]:
    """Return the shares of a column: true, randomized, recovered."""
    masked, weights = names["masked"].data["region"], names["value"]
    kinds = [told("true"), told("randomized"), told("recovered")]
    ones = [1.0] * masked.rows
    columns = [(names["data"]["region"], ones), (masked, ones), (masked, list(weights))]
    rows = []
    for kind, (column, each) in zip(kinds, columns, strict=True):
        totals: Counter[str] = Counter()
        for label, weight in zip(_cells(column), each, strict=True):
            totals[label] += weight
        whole = sum(totals.values())
        rows += [{"name": label, "value": n / whole, "when": kind} for label, n in totals.items()]
    return _bars(rows, kinds)


def _bars(rows: list[dict[str, Any]], kinds: list[str] | None = None) -> dict[str, Any]:
    x = {
        "field": "name",
        "type": "nominal",
        "title": None,
        "sort": None,
        "axis": {"labelAngle": -30},
    }
    encoding: dict[str, Any] = {
        "x": x,
        "y": {"field": "value", "type": "quantitative", "title": None},
    }
    if kinds:
        colors = {"domain": kinds, "range": [GREEN, ORANGE, "#8a8a8a"][: len(kinds)]}
        encoding["color"] = {"field": "when", "type": "nominal", "title": None, "scale": colors}
        encoding["xOffset"] = {"field": "when", "sort": kinds}
    return {"data": {"values": rows}, "mark": {"type": "bar", "color": GREEN}, "encoding": encoding}
