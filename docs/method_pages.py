"""The pages of the methods, from the catalog: one for each, their index, and large tables."""

import inspect
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

from method_calls import calls, public_name
from page_writing import block, table, told

from sudare.catalog import METHODS, CatalogEntry
from sudare.core import AnyMasker, Assessment, Language, Masker, Measure, language, say, speaking
from sudare.core.settings import Setting, settings_of
from sudare.reconstruct.estimator import Estimator

EXPLANATIONS = Path(__file__).with_name("method_texts.ja.toml")
FAMILIES = {
    "mask": ("Masking", "These methods change the table so that records are harder to recognize."),
    "risk": (
        "Risk",
        "These measures say how much an attacker could learn from the released table.",
    ),
    "loss": ("Loss", "These measures say what an analyst loses with the released table."),
    "reconstruct": (
        "Reconstruction",
        "These estimators recover statistics of the true records from randomized ones.",
    ),
}
SUBJECTS = {"table": "tables of records", "history": "purchase histories"}
ESTIMATED = "the columns that the steps randomized, and the sensitive columns of categories"
DEFAULT_ROLES = "the columns with the role {roles} that hold {takes}"
TAKES = {
    "any": "numbers or categories",
    "numbers": "numbers",
    "categories": "categories",
    "ordered": "numbers or ordered categories",
}
TAKEN = "`{word}`: columns of {takes}"
WORKS_ON = {
    "rows": "each record by itself",
    "groups": "the records with equal keys together",
    "table": "the table as a whole",
}
NEEDS = {
    "counts": "counts of equal records",
    "moments": "sums over records",
    "records": "the records themselves",
}
PAIRS = {True: "must be the same ones in the same order", False: "may differ, also in number"}
SEED = {
    True: "yes: give a seed to repeat it, and keep the seed secret",
    False: "no: the seed makes no difference",
}
IN_MEMORY = "no: it says so and offers a sample"
LARGE = {
    "rows": "yes, block by block",
    "values": "yes, from counts",
    "parts": "yes, in parts",
    "counts": "yes, from counts",
    "moments": "yes, from sums over blocks",
}
LARGE_PAGE = """# Methods on large tables

A large table is not in memory: it is a file opened by `sudare.open`, or a frame on a cluster.
Whether a method can be used there depends on what it needs from the table; if it can, the result is
the same as in memory.

- A masking method that works on each record by itself, or on values that it learns from counts, is
  carried out block by block; microaggregation, in parts of neighboring records.
- A measure that needs counts sees each combination of values once, with the number of its records.
  Up to about 33 million combinations can be counted; beyond that, as with several columns of
  continuous numbers together, the measure says so. Round or recode such columns, name fewer, or use
  a sample.
- A measure that needs sums over records accepts any number of distinct values. So do
  `AssociationLoss`, and `DistanceLoss` with its default power of 2.
- There is no detail by record.
- A method that needs the whole table, or the records themselves, says so;
  `table.sample(rows, seed=seed)` then gives records that fit in memory.

[Large tables](../guide/large.md) shows how to use them.
"""


def index_page() -> str:
    """Return the table of all methods, by family."""
    lines = [told("# Methods"), "", told("Every method of this version, by what it is for."), ""]
    for family, (title, text) in FAMILIES.items():
        lines += [f"## {told(title)}", "", told(text), ""]
        rows = [
            [f"[{say(e.title)}]({file_of(e)})", f"`{public_name(e)}`", f"`{e.slug}`", e.summary]
            for e in METHODS
            if e.family == family
        ]
        lines += [*table(["method", "in Python", "in recipes", "what it does"], rows), ""]
    return "\n".join(lines)


def large_page() -> str:
    """Return the table of what can be used on tables that are not in memory."""
    lines = [told(LARGE_PAGE)]
    for family, (title, _) in FAMILIES.items():
        rows = [
            [
                f"[{say(entry.title)}]({file_of(entry)})",
                f"`{public_name(entry)}`",
                large_tables(entry),
            ]
            for entry in METHODS
            if entry.family == family and issubclass(entry.method, Masker | Measure)
        ]
        if rows:
            lines += [f"## {told(title)}", ""]
            lines += [*table(["method", "in Python", "large tables"], rows), ""]
    return "\n".join(lines)


def large_tables(entry: CatalogEntry) -> str:
    """Return whether a method can be used on tables that are not in memory, and how.

    Examples
    --------
    >>> [large_tables(e) for e in METHODS if e.name in {"Pram", "KAnonymity", "RecordLinkage"}]
    ['yes, block by block', 'yes, from counts', 'no: it says so and offers a sample']
    """
    method = entry.method
    if issubclass(method, Measure):
        return told(LARGE.get(method.needs, IN_MEMORY))
    if not issubclass(method, Masker):
        return told(IN_MEMORY)
    learns_otherwise = method.learn is not Masker.learn and not method.by_values
    how = "values" if method.by_values else "parts" if learns_otherwise else method.works_on
    return told(LARGE.get(how, IN_MEMORY))


def method_page(entry: CatalogEntry) -> str:
    """Return the page of one method.

    Examples
    --------
    >>> with speaking("ja"):  # a word without a translation is an error
    ...     "## 設定" in "".join(method_page(entry) for entry in METHODS) + large_page()
    True
    """
    module = entry.method.__module__
    lines = [f"# {say(entry.title)}", "", *_other_name(entry)]
    lines += [*_explanation(entry), *_picture(entry)]
    lines += [told("## Settings"), "", *_settings(entry), ""]
    lines += [told("## Facts"), "", *_facts(entry), ""]
    lines += [told("## How to call it"), "", *calls(entry), ""]
    functions = _functions(entry)
    if functions:
        said = told("The formulas behind it, as plain functions of arrays.")
        lines += [told("## Functions"), "", said, ""]
        for name in functions:
            lines += block(f"{module}.{name}", heading_level="3")
    return "\n".join(lines)


def _picture(entry: CatalogEntry) -> list[str]:
    """Return the line with the picture that the gallery has of a method."""
    return [f"![{say(entry.title)}]({file_of(entry).removesuffix('.md')}.svg){{ .drawn }}", ""]


def _other_name(entry: CatalogEntry) -> list[str]:
    """Return the line with the name in the other language."""
    other: Language = "en" if language() == "ja" else "ja"
    with speaking(other):
        name = say(entry.title)
    return [] if name == say(entry.title) else [f"*{name}*{{ lang={other} }}", ""]


def _explanation(entry: CatalogEntry) -> list[str]:
    """Return what the docstring says; in Japanese, its translation with the English folded away."""
    docstring = block(
        f"{entry.method.__module__}.{entry.name}",
        members="false",
        show_root_heading="false",
        show_root_toc_entry="false",
    )
    if language() == "en":
        return docstring
    text = explanations()[f"{entry.subject}-{entry.slug}"]
    folded = [f"    {line}".rstrip() for line in docstring]
    return [text, "", '??? abstract "英語の説明、実行例、文献"', "", *folded, ""]


@cache
def explanations() -> dict[str, str]:
    """Return what the methods do in Japanese, by their subject and name."""
    return tomllib.loads(EXPLANATIONS.read_text(encoding="utf-8"))


def path_of(entry: CatalogEntry) -> str:
    return f"methods/{file_of(entry)}"


@cache
def file_of(entry: CatalogEntry) -> str:
    """Return the file of a method; histories have a name of their own where tables have it too."""
    shared = sum(other.slug == entry.slug for other in METHODS) > 1
    return f"{entry.subject}-{entry.slug}.md" if shared else f"{entry.slug}.md"


def _settings(entry: CatalogEntry) -> list[str]:
    rows = [
        [
            f"`{setting.name}`",
            setting.kind_words(),
            setting.limit.words() if setting.limit else "—",
            told("*required*") if setting.required else f"`{setting.default!r}`",
            say(setting.help),
        ]
        for setting in _own_first(settings_of(entry.method))
    ]
    return table(["setting", "kind", "limit", "default", "meaning"], rows)


def _own_first(settings: tuple[Setting, ...]) -> list[Setting]:
    return sorted(settings, key=lambda setting: setting.name == "columns")


def _facts(entry: CatalogEntry) -> list[str]:
    method = entry.method
    rows = [["is for", told(SUBJECTS[entry.subject])]]
    if issubclass(method, Assessment):
        rows += [["formula", entry.formula], ["records counted", entry.counted]]
        rows.append(["what would improve it", entry.improved_by])
    if issubclass(method, Estimator):
        rows.append(["works by default on", told(ESTIMATED)])
    if issubclass(method, Masker | Measure):
        takes = told(TAKES[method.takes])
        roles = told(" or ").join(method.roles)
        rows.append(["works by default on", told(DEFAULT_ROLES).format(roles=roles, takes=takes)])
        rows.append(["takes", told(TAKEN).format(word=method.takes, takes=takes)])
    if issubclass(method, Masker):
        rows.append(["works on", f"`{method.works_on}`: {told(WORKS_ON[method.works_on])}"])
    if issubclass(method, AnyMasker):
        rows.append(["random", told(SEED[bool(method.random)])])
    if issubclass(method, Measure):
        rows.append(["needs", f"`{method.needs}`: {told(NEEDS[method.needs])}"])
        rows.append(["records before and after", told(PAIRS[method.pairs])])
    if issubclass(method, Masker | Measure):
        rows.append(["large tables", large_tables(entry)])
    return table(["fact", "here"], [[told(fact), here] for fact, here in rows])


@cache
def _functions(entry: CatalogEntry) -> tuple[str, ...]:
    """Return the public functions of a method's module, but those of its other methods, in order.

    Examples
    --------
    >>> [_functions(e) for e in METHODS if e.name in {"CoarseDates", "PriceBands"}]
    [('period_of',), ()]
    """
    module = entry.method.__module__
    own = inspect.getsource(entry.method)
    others = [
        inspect.getsource(e.method)
        for e in METHODS
        if e.method.__module__ == module and e is not entry
    ]

    def is_named(name: str) -> bool:
        named = re.compile(rf"\b{name}\b").search
        return bool(named(own)) or not any(map(named, others))

    return tuple(
        name
        for name, value in vars(sys.modules[module]).items()
        if inspect.isfunction(value) and value.__module__ == module and not name.startswith("_")
        if is_named(name)
    )
