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
WRITTEN = """python -c "import sudare; sudare.write(sudare.datasets.{data}, 'survey.csv')\""""
HISTORY = (
    'python -c "import sudare; '
    "sudare.transactions.write_history(sudare.datasets.purchases_like(20, seed=1), 'T.csv')\""
)
ROLES = """--identifier id --household household --weights weight --key sex --key age \\
    --key region --key education --key occupation --sensitive income --sensitive condition \\
    --not-applicable "not applicable\""""
MASKED = f"sudare mask survey.csv --output masked.csv --internal --step pram \\\n    {ROLES}"
COHORT = "--key sex --key age --key region --sensitive state"


def public_name(entry: CatalogEntry) -> str:
    """Return the name of a method in Python, with its room."""
    room = "transactions" if entry.subject == "history" else entry.family
    return f"sudare.{room}.{entry.name}"


def python_example(entry: CatalogEntry) -> list[str]:
    """Return the lines of a script that uses a method on the toy data."""
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
    lines = [told("In Python:"), *fence("python", python_example(entry))]
    if entry.family == "reconstruct":
        return lines
    command = shell_example(entry)
    lines += [told("On the [command line](../guide/command-line.md):"), *fence("sh", command)]
    if entry.family == "mask":
        given = _shown_settings(entry.settings)
        recipe = ["[[steps]]", f'method = "{entry.slug}"']
        recipe += [f"{name} = {_toml(value)}" for name, value in given]
        lines += [told("In a [recipe](../guide/recipes.md):"), *fence("toml", recipe)]
    return lines


def shell_example(entry: CatalogEntry) -> list[str]:
    """Return the lines of a shell, in an empty folder, that use a method on made-up data."""
    given = _shown_settings(entry.settings)
    settings = ", ".join(f"{name} = {value!r}" for name, value in given)
    word = f'"{entry.slug}: {settings}"' if given else entry.slug
    toy = WRITTEN.format(data="toy()")
    if entry.subject == "history" and entry.family == "mask":
        return [HISTORY, f"sudare history mask T.csv --output A.csv --internal --step {word}"]
    if entry.subject == "history":
        recipe = "printf '[[steps]]\\nmethod = \"coarse-dates\"\\n' > months.toml"
        compare = f"sudare history compare T.csv --recipe months.toml --measure {word}"
        return [HISTORY, recipe, compare]
    if entry.family == "mask":
        return [toy, MASKED.replace("pram", word)]
    if entry.name in NEEDS_CONTROL:
        study = "sudare study membership survey.csv --rounds 4 --step sequential-synthesis"
        return [toy, f"{study} \\\n    {ROLES}"]
    if entry.name in STATED:
        word = f"'{entry.slug}: {STATED[entry.name]}'"
        toy = WRITTEN.format(data="cohort_like(300)")
    lines = [toy, MASKED, f"sudare measure survey.csv masked.csv --measure {word} \\\n    {ROLES}"]
    return [line.replace(ROLES, COHORT) for line in lines] if entry.name in STATED else lines


def _shown_settings(settings: tuple[Setting, ...]) -> list[tuple[str, object]]:
    """Return what an example sets: all that is required, else the first number or word."""
    shown: list[tuple[str, object]] = [
        (s.name, s.limit.low if s.limit else ...) for s in settings if s.required
    ]
    shown += [(s.name, s.default) for s in settings if type(s.default) in {int, float, str}]
    return shown[: max(1, sum(s.required for s in settings))]


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
