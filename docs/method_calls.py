"""How a method is called: in Python, on the command line, in a recipe."""

from page_writing import fence, told

from sudare.catalog import CatalogEntry
from sudare.core.settings import Setting

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
    ("history", "mask"): "sudare history mask T.csv --output A.csv --internal",
    ("history", "measure"): "sudare history compare T.csv --recipe careful.toml",
}


def public_name(entry: CatalogEntry) -> str:
    """Return the name of a method in Python, with its room."""
    room = "transactions" if entry.subject == "history" else entry.family
    return f"sudare.{room}.{entry.name}"


def python_example(entry: CatalogEntry) -> list[str]:
    """Return the lines of a script that uses a method on the toy data.

    Examples
    --------
    >>> from sudare.catalog import METHODS
    >>> for entry in METHODS:
    ...     exec("\\n".join(python_example(entry)))
    """
    arguments = ", ".join(f"{name}={value!r}" for name, value in _shown_settings(entry.settings))
    call = f"{public_name(entry)}({arguments})"
    data, mask = EXAMPLES[entry.subject]
    lines = ["import sudare", "", f"data = {data}"]
    if entry.family == "mask":
        return [*lines, f"masked = sudare.apply(data, {call}, seed=7).data"]
    if entry.family == "reconstruct":
        lines.append("masked = sudare.apply(data, sudare.mask.PkAnonymization(), seed=7)")
        columns = ', columns=("sex", "region")' if arguments else 'columns=("sex", "region")'
        call = f"{public_name(entry)}({arguments}{columns})"
        return [*lines, f"{call}.fit(masked.data, masked.steps).weights"]
    if entry.name in NEEDS_CONTROL:
        call = f'{public_name(entry)}(control="held")'
        return ["import numpy as np", *lines, *HELD_BACK, f"{call}(original, masked).value"]
    if entry.name in STATED:
        arguments = STATED[entry.name]
        lines[-1] = "data = sudare.datasets.cohort_like(300)"
        call = f"{public_name(entry)}({arguments})"
    lines.append(f"masked = sudare.apply(data, {mask}, seed=7).data")
    return [*lines, f"{call}(data, masked).value"]


def calls(entry: CatalogEntry) -> list[str]:
    """Return the lines that show every way to call a method."""
    given = _shown_settings(entry.settings)
    settings = ", ".join(f"{name} = {value!r}" for name, value in given)
    word = f"{entry.slug}: {settings}" if given else entry.slug
    recipe: list[str] = []
    if entry.family == "mask":
        command = [COMMANDS[entry.subject, "mask"] + " \\", f'    --step "{word}"']
        recipe = ["[[steps]]", f'method = "{entry.slug}"']
        recipe += [f"{name} = {_toml(value)}" for name, value in given]
    else:
        command = [COMMANDS[entry.subject, "measure"] + " \\", f'    --measure "{word}"']
    lines = [told("In Python:"), *fence("python", python_example(entry))]
    if entry.family == "reconstruct":
        return lines
    lines += [told("On the [command line](../guide/command-line.md):"), *fence("sh", command)]
    if recipe:
        lines += [told("In a [recipe](../guide/recipes.md):"), *fence("toml", recipe)]
    return lines


def _shown_settings(settings: tuple[Setting, ...]) -> list[tuple[str, object]]:
    """Return what an example sets: all that is required, else the first number or word."""
    shown: list[tuple[str, object]] = [
        (s.name, s.limit.low if s.limit else ...) for s in settings if s.required
    ]
    shown += [(s.name, s.default) for s in settings if type(s.default) in {int, float, str}]
    return shown[: max(1, sum(s.required for s in settings))]


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
