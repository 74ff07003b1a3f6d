"""Pages generated while the site is built: one per method of the catalog, and their index."""

import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from sudare.catalog import METHODS, CatalogEntry
from sudare.core import AnyMasker, Assessment, Masker, Measure, glossary
from sudare.core.messages import say, speaking
from sudare.core.settings import Checked, Setting, settings_of
from sudare.reconstruct.estimator import Estimator
from sudare.release.project import ProjectSections, project_schema

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
EXAMPLES = {
    "table": ("sudare.datasets.toy()", "sudare.mask.Pram()"),
    "history": (
        "sudare.datasets.purchases_like(20, seed=1)",
        "sudare.transactions.CoarseDates()",
    ),
}
NEEDS_CONTROL = {"MembershipInference"}
STATED = {"SurvivalOverlap": 'time="time", event="state", state="ill"'}
HELD_BACK = (
    "held = np.arange(data.rows) % 4 == 0  # records that are kept out of the release",
    'marks = sudare.core.Categorical("held", held.astype(int), (0, 1))',
    "original = sudare.Microdata((*data.columns, marks))",
    "members = data.take(np.flatnonzero(~held))",
    "masked = sudare.apply(members, sudare.mask.SequentialSynthesis(), seed=7).data",
)
COMMANDS = {
    ("table", "mask"): "sudare mask survey.csv --output masked.csv --key sex",
    ("table", "measure"): "sudare measure survey.csv masked.csv --key sex",
    ("history", "mask"): "sudare history mask T.csv --output A.csv",
    ("history", "measure"): "sudare history compare T.csv --recipe careful.toml",
}
ESTIMATED = "the columns that the steps randomized, and the sensitive columns of categories"
DEFAULT_ROLES = "the columns with the role {roles} that hold {takes}"
TAKES = {
    "any": "numbers or categories",
    "numbers": "numbers",
    "categories": "categories",
    "ordered": "numbers or ordered categories",
}
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


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the Methods part of the navigation from the catalog."""
    pages: list[Any] = ["methods/index.md", {"On large tables": "methods/large.md"}]
    for family, (title, _) in FAMILIES.items():
        pages.append({title: [{e.title: _path(e)} for e in METHODS if e.family == family]})
    for part in config.nav or []:
        if "Methods" in part:
            part["Methods"] = pages
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of every method, and their index."""
    made = {_path(entry): method_page(entry) for entry in METHODS}
    made["methods/index.md"] = index_page()
    made["methods/large.md"] = large_page()
    made["reference/project.md"] = project_page()
    made["reference/project.schema.json"] = json.dumps(project_schema(), indent=2)
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the terms into the page of the glossary."""
    return markdown.replace("<!-- terms -->", glossary_table())


def glossary_table() -> str:
    """Return the terms of both languages as a table.

    Examples
    --------
    >>> "| key | キー |" in glossary_table()
    True
    """
    rows = [
        [term.names["en"], term.names["ja"], term.meaning["en"], "、".join(term.avoided)]
        for term in glossary().values()
    ]
    return "\n".join(_table(["English", "日本語", "meaning", "not"], rows))


def index_page() -> str:
    """Return the table of all methods, by family."""
    lines = ["# Methods", "", "Every method of this version, by what it is for.", ""]
    for family, (title, text) in FAMILIES.items():
        lines += [f"## {title}", "", text, ""]
        rows = [
            [f"[{e.title}]({_page(e)})", f"`{_public_name(e)}`", f"`{e.slug}`", e.summary]
            for e in METHODS
            if e.family == family
        ]
        lines += [*_table(["method", "in Python", "in recipes", "what it does"], rows), ""]
    return "\n".join(lines)


def large_page() -> str:
    """Return the table of what can be used on tables that are not in memory."""
    lines = [LARGE_PAGE]
    for family, (title, _) in FAMILIES.items():
        rows = [
            [f"[{entry.title}]({_page(entry)})", f"`{_public_name(entry)}`", large_tables(entry)]
            for entry in METHODS
            if entry.family == family and issubclass(entry.method, Masker | Measure)
        ]
        if rows:
            lines += [f"## {title}", "", *_table(["method", "in Python", "large tables"], rows), ""]
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
        return LARGE.get(method.needs, IN_MEMORY)
    if not issubclass(method, Masker):
        return IN_MEMORY
    learns_otherwise = method.learn is not Masker.learn and not method.by_values
    how = "values" if method.by_values else "parts" if learns_otherwise else method.works_on
    return LARGE.get(how, IN_MEMORY)


def project_page() -> str:
    """Return the reference of the project file: its class, and every entry of every section.

    Examples
    --------
    >>> "`skip_rows`" in project_page()
    True
    """
    lines = [
        "# Project file",
        "",
        *_block("sudare.release.project.project.Project", inherited_members="true"),
    ]
    lines += ["## Entries", "", "The same as a [JSON Schema](project.schema.json).", ""]
    for heading, section in section_headings(ProjectSections):
        text = (section.__doc__ or "").splitlines()[0]
        rows = [
            [
                f"`{entry.name}`",
                entry.kind_words(),
                "*required*" if entry.required else f"`{entry.default!r}`",
                entry.help,
            ]
            for entry in settings_of(section)
            if not section_of(entry.kind)
        ]
        lines += [f"### `{heading}`", "", text, ""]
        lines += [*_table(["entry", "kind", "default", "meaning"], rows), ""]
    return "\n".join(lines)


def section_headings(section: type[Checked], name: str = "") -> Iterator[tuple[str, type[Checked]]]:
    """Yield a section and those inside it, each with its heading in the file."""
    yield (name and f"[{name}]") or "top of the file", section
    for entry in settings_of(section):
        inner = section_of(entry.kind)
        if inner is not None:
            path = f"{name}.{entry.name}" if name else entry.name
            path += {Mapping: ".<name>"}.get(get_origin(entry.kind), "")
            yield from section_headings(inner, path)


def section_of(kind: Any) -> type[Checked] | None:
    """Return the section that a kind of entry consists of, if it does."""
    for part in (kind, *get_args(kind)):
        if isinstance(part, type) and issubclass(part, Checked):
            return part
    return None


def method_page(entry: CatalogEntry) -> str:
    """Return the page of one method."""
    module = entry.method.__module__
    lines = [f"# {entry.title}", ""]
    with speaking("ja"):
        japanese = say(entry.title)
    if japanese != entry.title:
        lines += [f"*{japanese}*{{ lang=ja }}", ""]
    lines += _block(
        f"{module}.{entry.name}",
        members="false",
        show_root_heading="false",
        show_root_toc_entry="false",
    )
    lines += ["## Settings", "", *_settings(entry), "", "## Facts", "", *_facts(entry), ""]
    lines += ["## How to call it", "", *_calls(entry), ""]
    functions = list(_functions(module))
    if functions:
        lines += ["## Functions", "", "The formulas behind it, as plain functions of arrays.", ""]
        for name in functions:
            lines += _block(f"{module}.{name}", heading_level="3")
    return "\n".join(lines)


def _path(entry: CatalogEntry) -> str:
    return f"methods/{_page(entry)}"


def _page(entry: CatalogEntry) -> str:
    """Return the file of a method; histories have a name of their own where tables have it too."""
    shared = sum(other.slug == entry.slug for other in METHODS) > 1
    return f"{entry.subject}-{entry.slug}.md" if shared else f"{entry.slug}.md"


def _settings(entry: CatalogEntry) -> list[str]:
    rows = [
        [
            f"`{setting.name}`",
            setting.kind_words(),
            setting.limit.words() if setting.limit else "—",
            "*required*" if setting.required else f"`{setting.default!r}`",
            setting.help,
        ]
        for setting in _own_first(settings_of(entry.method))
    ]
    return _table(["setting", "kind", "limit", "default", "meaning"], rows)


def _own_first(settings: tuple[Setting, ...]) -> list[Setting]:
    return sorted(settings, key=lambda setting: setting.name == "columns")


def _facts(entry: CatalogEntry) -> list[str]:
    method = entry.method
    rows = [["is for", SUBJECTS[entry.subject]]]
    if issubclass(method, Assessment):
        rows += [["formula", entry.formula], ["records counted", entry.counted]]
        rows.append(["what would improve it", entry.improved_by])
    if issubclass(method, Estimator):
        rows.append(["works by default on", ESTIMATED])
    if issubclass(method, Masker | Measure):
        takes = TAKES[method.takes]
        roles = DEFAULT_ROLES.format(roles=" or ".join(method.roles), takes=takes)
        rows.append(["works by default on", roles])
        rows.append(["takes", f"`{method.takes}`: columns of {takes}"])
    if issubclass(method, Masker):
        rows.append(["works on", f"`{method.works_on}`: {WORKS_ON[method.works_on]}"])
    if issubclass(method, AnyMasker):
        seed = "yes: give a seed to repeat it, and keep the seed secret"
        rows.append(["random", seed if method.random else "no: the seed makes no difference"])
    if issubclass(method, Measure):
        rows.append(["needs", f"`{method.needs}`: {NEEDS[method.needs]}"])
        rows.append(["records before and after", PAIRS[method.pairs]])
    if issubclass(method, Masker | Measure):
        rows.append(["large tables", large_tables(entry)])
    return _table(["fact", "here"], rows)


def _public_name(entry: CatalogEntry) -> str:
    room = "transactions" if entry.subject == "history" else entry.family
    return f"sudare.{room}.{entry.name}"


def python_example(entry: CatalogEntry) -> list[str]:
    """Return the lines of a script that uses a method on the toy data.

    Examples
    --------
    >>> for entry in METHODS:
    ...     exec("\\n".join(python_example(entry)))
    """
    arguments = ", ".join(f"{name}={value!r}" for name, value in _shown_settings(entry.settings))
    call = f"{_public_name(entry)}({arguments})"
    data, mask = EXAMPLES[entry.subject]
    lines = ["import sudare", "", f"data = {data}"]
    if entry.family == "mask":
        return [*lines, f"masked = sudare.apply(data, {call}, seed=7).data"]
    if entry.family == "reconstruct":
        lines.append("masked = sudare.apply(data, sudare.mask.PkAnonymization(), seed=7)")
        columns = ', columns=("sex", "region")' if arguments else 'columns=("sex", "region")'
        call = f"{_public_name(entry)}({arguments}{columns})"
        return [*lines, f"{call}.fit(masked.data, masked.steps).weights"]
    if entry.name in NEEDS_CONTROL:
        call = f'{_public_name(entry)}(control="held")'
        return ["import numpy as np", *lines, *HELD_BACK, f"{call}(original, masked).value"]
    if entry.name in STATED:
        arguments = STATED[entry.name]
        lines[-1] = "data = sudare.datasets.cohort_like(300)"
        call = f"{_public_name(entry)}({arguments})"
    lines.append(f"masked = sudare.apply(data, {mask}, seed=7).data")
    return [*lines, f"{call}(data, masked).value"]


def _calls(entry: CatalogEntry) -> list[str]:
    told = _shown_settings(entry.settings)
    settings = ", ".join(f"{name} = {value!r}" for name, value in told)
    word = f"{entry.slug}: {settings}" if told else entry.slug
    recipe: list[str] = []
    if entry.family == "mask":
        command = [COMMANDS[entry.subject, "mask"] + " \\", f'    --step "{word}"']
        recipe = ["[[steps]]", f'method = "{entry.slug}"']
        recipe += [f"{name} = {_toml(value)}" for name, value in told]
    else:
        command = [COMMANDS[entry.subject, "measure"] + " \\", f'    --measure "{word}"']
    lines = ["In Python:", *_fence("python", python_example(entry))]
    if entry.family == "reconstruct":
        return lines
    lines += ["On the [command line](../guide/command-line.md):", *_fence("sh", command)]
    if recipe:
        lines += ["In a [recipe](../guide/recipes.md):", *_fence("toml", recipe)]
    return lines


def _fence(language: str, lines: list[str]) -> list[str]:
    return ["", f"```{language}", *lines, "```", ""]


def _shown_settings(settings: tuple[Setting, ...]) -> list[tuple[str, object]]:
    """Return what an example sets: all that is required, else the first number or word."""
    shown: list[tuple[str, object]] = [
        (s.name, s.limit.low if s.limit else ...) for s in settings if s.required
    ]
    shown += [(s.name, s.default) for s in settings if type(s.default) in {int, float, str}]
    return shown[: max(1, sum(s.required for s in settings))]


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _functions(module: str) -> Iterator[str]:
    """Yield the public functions that a module defines, in their order."""
    for name, value in vars(sys.modules[module]).items():
        if inspect.isfunction(value) and value.__module__ == module and not name.startswith("_"):
            yield name


def _block(name: str, **options: str) -> list[str]:
    lines = [f"::: {name}"]
    if options:
        lines += ["    options:", *(f"      {key}: {value}" for key, value in options.items())]
    return [*lines, ""]


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    cells = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in cells]
