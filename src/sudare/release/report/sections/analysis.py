"""How to analyze the file: what each method did to statistics, the formula, and lines that run."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING

from sudare.catalog import find
from sudare.core import ColumnError, LargeTable, Microdata, Step, say
from sudare.reconstruct import channel_of
from sudare.release.report.document import Block, Code, Text

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

_MOST = 2  # columns that an estimate of a joint distribution names: cells multiply


def analysis_blocks(publication: "Publication", file: str) -> Iterator[Block]:
    """Yield what analysts must allow for; the code is run where the release is.

    Parameters
    ----------
    publication
        What is to be released.
    file
        Name of the masked file.
    """
    table = publication.table()
    blocks = [] if table is None else list(_advice(publication.steps, _Reading(table, file)))
    if not blocks:
        yield Text(
            say("Nothing was randomized: analyze the file as it is; categories may be coarser.")
        )
    yield from blocks


class _Reading:
    """How the released file is read in the lines of code."""

    def __init__(self, table: Microdata | LargeTable, file: str) -> None:
        self.table = table
        self.file = file

    def lines(self, names: Sequence[str]) -> str:
        """Return the lines that read the file, with the scales of some columns."""
        return (
            "import sudare\n\n"
            f"released = {self.call(repr(self.file), names)}\n"
            'steps = sudare.release.Ledger.read("ledger.json").steps()\n'
        )

    def call(self, path: str, names: Sequence[str]) -> str:
        """Return the call that reads a file, with the scales of some columns."""
        scales = {c.name: c.scale for c in self.table.columns if c.name in names}
        words = sorted({c.absent_label for c in self.table.columns if c.absent_label})
        absent = f", not_applicable={words!r}" if words else ""
        return f"sudare.read({path}, scales={scales!r}{absent})"


def _advice(steps: Sequence[Step], reading: _Reading) -> Iterator[Block]:
    names = [name for name in reading.table.names if _is_estimable(name, steps)]
    if names:
        yield from _channels(names, reading)
    for step in steps:
        left = [name for name in step.columns if name in reading.table]
        public = {name: step.public[name] for name in left if name in step.public}
        if any({"noise_sd", "noise_ratio"} & told.keys() for told in public.values()):
            yield from _noise(step, public, reading)
        elif any("factor_sd" in told for told in public.values()):
            yield from _factors(step, public, reading)
        elif any("sse_share" in told for told in public.values()):
            yield from _aggregation(step, public, reading)
        elif any("rule" in told for told in public.values()):
            yield from _synthesis(step, public, reading)
        elif step.method == "Subsample" and left:
            yield from _sample(step, reading)


def _is_estimable(column: str, steps: Sequence[Step]) -> bool:
    """Return whether the steps publish with which probabilities a column was randomized."""
    try:
        return channel_of("report", column, steps) is not None
    except ColumnError:  # masked again in a way that cannot be allowed for
        return False


def _heading(title: str, columns: Sequence[str]) -> str:
    return say("{method}: {columns}", method=title, columns=say(", ").join(columns))


def _channels(names: Sequence[str], reading: _Reading) -> Iterator[Block]:
    yield Text(
        say(
            "Values were exchanged with known probabilities. With p the true shares and R the "
            "matrix of probabilities in the ledger, the published shares have the expectation "
            "q = Rᵀp; the estimator finds the p that makes the file most likely. Cross tables are "
            "estimated alike, for few columns at a time."
        ),
        _heading(say("Randomized columns"), names),
        level=3,
    )
    some = tuple(names[:_MOST])
    yield Code(
        reading.lines(some)
        + f"estimate = sudare.reconstruct.IterativeBayes(columns={some!r}).fit(released, steps)\n"
        + f"print(estimate.shares({some[0]!r}))",
        "python",
    )


def _noise(
    step: Step, public: Mapping[str, Mapping[str, object]], reading: _Reading
) -> Iterator[Block]:
    name = next(iter(public))
    if step.method == "CorrelatedNoise":
        text = say(
            "Means and correlations keep their expectation. With c the ratio of the noise, all "
            "variances and covariances are (1 + c²) times those of the original: divide by it."
        )
        last = "variance = values.var(ddof=1) / (1 + step.settings['sd_ratio'] ** 2)"
    else:
        text = say(
            "Means and covariances keep their expectation. With σ the standard deviation of the "
            "noise, the variance is that of the original plus σ²; a slope of a regression on the "
            "column is too small by the factor 1 − σ²/s², s² being the published variance."
        )
        last = f"variance = values.var(ddof=1) - step.public[{name!r}]['noise_sd'] ** 2"
    yield Text(text, _heading(say(find(step.method).title), list(public)), level=3)
    yield _moments(step, name, last, reading)


def _factors(
    step: Step, public: Mapping[str, Mapping[str, object]], reading: _Reading
) -> Iterator[Block]:
    name = next(iter(public))
    text = say(
        "Means keep their expectation. With c the standard deviation of the factors, the mean of "
        "the squares is (1 + c²) times that of the original."
    )
    yield Text(text, _heading(say(find(step.method).title), list(public)), level=3)
    last = (
        f"factor_sd = step.public[{name!r}]['factor_sd']\n"
        "variance = (values**2).mean() / (1 + factor_sd**2) - values.mean() ** 2"
    )
    yield _moments(step, name, last, reading)


def _aggregation(
    step: Step, public: Mapping[str, Mapping[str, object]], reading: _Reading
) -> Iterator[Block]:
    name = next(name for name, told in public.items() if "sse_share" in told)
    text = say(
        "Records of a group have one value, so that means are kept and variances are too small. "
        "With L the share of the variance that was lost (sse_share in the ledger), divide the "
        "variance by 1 − L. Associations within groups are gone."
    )
    yield Text(text, _heading(say(find(step.method).title), list(public)), level=3)
    last = f"variance = values.var(ddof=1) / (1 - step.public[{name!r}]['sse_share'])"
    yield _moments(step, name, last, reading)


def _moments(step: Step, name: str, last: str, reading: _Reading) -> Code:
    """Return lines that estimate the mean and the variance of a column of numbers."""
    code = (
        reading.lines((name,))
        + f"step = next(step for step in steps if step.method == {step.method!r})\n"
        + f"column = released[{name!r}]\n"
        + "values = column.values[column.known]\n"
        + f"{last}\n"
        + "print(values.mean(), variance)"
    )
    return Code(code, "python")


def _synthesis(
    step: Step, public: Mapping[str, Mapping[str, object]], reading: _Reading
) -> Iterator[Block]:
    rule = next(str(told["rule"]) for told in public.values() if "rule" in told)
    text = _one_is_enough(rule) if rule in {"fitted", "proper"} else _several_are_needed(rule)
    yield Text(text, _heading(say(find(step.method).title), list(public)), level=3)
    numbers = [c.name for c in reading.table.columns if c.name in public and c.scale == "ratio"]
    numbers += [c.name for c in reading.table.columns if c.name in public and c.scale == "interval"]
    if numbers:
        yield Code(_combining(numbers[0], rule, reading), "python")


def _one_is_enough(rule: str) -> str:
    return say(
        "Values were drawn from a model of all columns. Estimate from each of the m versions, one "
        "of which is enough; with q̄ the mean of the estimates, v̄ the mean of their variances and k "
        "the size of a version as a multiple of the original's, the estimate is q̄ with the "
        "variance {formula}.",
        formula="T = v̄ (k + 1/m)" if rule == "fitted" else "T = v̄ (k + (1 + k)/m)",
    )


def _several_are_needed(rule: str) -> str:
    formulas = {
        "full": "T = (1 + 1/m) b − v̄",
        "partial": "T = b/m + v̄",
        "missing": "T = (1 + 1/m) b + v̄",
    }
    return say(
        "Values were drawn from a model. Estimate from each of the m versions; with q̄ and b the "
        "mean and the variance of the m estimates and v̄ the mean of their variances, the estimate "
        "is q̄ with the variance {formula}. A single version says nothing about b: ask the office "
        "for all of them before you give standard errors.",
        formula=formulas[rule],
    )


def _combining(name: str, rule: str, reading: _Reading) -> str:
    stem, _, ending = reading.file.rpartition(".")
    return dedent(
        f"""\
        from pathlib import Path

        import sudare

        paths = sorted(Path().glob("{stem}*.{ending}"))
        versions = [{reading.call("path", (name,))} for path in paths]
        values = [table[{name!r}].values[table[{name!r}].known] for table in versions]
        means = [version.mean() for version in values]
        variances = [version.var(ddof=1) / len(version) for version in values]
        if len(versions) > 1 or {rule!r} in ("fitted", "proper"):
            combined = sudare.reconstruct.combine(means, variances, rule={rule!r})
            print(combined.estimate, combined.interval())"""
    )


def _sample(step: Step, reading: _Reading) -> Iterator[Block]:
    weight = step.columns[0]
    yield Text(
        say(
            "The file is a sample. Use the weights w: Σ w y estimates a total, Σ w y / Σ w a mean."
        ),
        _heading(say(find(step.method).title), step.columns),
        level=3,
    )
    yield Code(
        "import sudare\n\n"
        f"released = sudare.read({reading.file!r}, weights={weight!r})\n"
        "print(released.weights.sum())",
        "python",
    )
