"""The gate: one door out, and what is looked at before anything passes it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sudare.core import LargeTable, Message, Microdata, Role, Seed, SettingError, Step
from sudare.release.inspection.derivable_values import (
    find_ineffective,
    find_telling_absence,
    find_telling_members,
    find_telling_removal,
    find_twins,
)
from sudare.release.inspection.findings import Confirmed, Finding, Findings
from sudare.release.inspection.identifiers import (
    find_headings,
    find_identifiers,
    find_old_numbers,
    note_new_numbers,
)
from sudare.release.inspection.masked_pair import MaskedPair
from sudare.release.inspection.numbers import (
    find_exact_numbers,
    find_exact_together,
    find_weights,
)
from sudare.release.inspection.order import find_order
from sudare.release.inspection.parameters import find_precise_parameters, find_told_labels
from sudare.release.inspection.release_form import find_form, metadata_of
from sudare.release.inspection.release_guarantees import (
    find_broken_promises,
    find_voided_promises,
)

if TYPE_CHECKING:
    from sudare.release.limits import Limit
    from sudare.release.project import Project

SAMPLE = 100_000  # records of a large table that are looked at


def gate(
    before: Microdata | LargeTable,
    after: Microdata | LargeTable,
    steps: Sequence[Step],
    project: "Project | None" = None,
    *,
    confirmations: Iterable[Confirmed] = (),
    keep_order: bool | None = None,
    file_format: str | None = None,
    guessable_seed: bool = False,
    seed: Seed = 0,
    limits: "Iterable[Limit]" = (),
) -> Findings:
    """Check a masked table before its release, and say what speaks against it.

    Whatever leaves by :func:`sudare.publish`, ``sudare mask`` or ``sudare report`` passes here. It
    compares the masked table with the original, record by record; columns with the role of an
    identifier are never released and do not count.

    Parameters
    ----------
    before, after
        The original and the masked table, with their records in the same order. Of large tables,
        100,000 records are looked at, and a finding says so.
    steps
        What was done.
    project
        What its section ``[release]`` says holds: format, ``keep_order``, and the findings that a
        person has accepted.
    confirmations
        More of those: anything with a ``kind`` and ``columns``.
    keep_order
        Whether the release keeps the order of the records; else it has another one.
    file_format
        In which the table is written: "csv", "parquet", "xlsx", "sav" or "dta".
    guessable_seed
        Whether the draws come from a seed that can be tried out.
    seed
        Of the records of large tables that are looked at; secret where findings are told.
    limits
        On k, l and t; what leaves less than they ask for stops the release.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.survey_like(2_000, seed=1)
    >>> recipe = sudare.Recipe("coarse", [sudare.mask.Pram(columns=("都道府県",))])
    >>> masked = recipe.apply(data, seed=1)
    >>> findings = sudare.release.gate(data, masked.data, masked.steps)
    >>> [finding.columns for finding in findings.of_kind("twin")]
    [('都道府県コード', '都道府県')]
    """
    accepted = (*(() if project is None else project.confirmations), *confirmations)
    keep = (
        any(confirmation.kind == "order" for confirmation in accepted)
        if keep_order is None
        else keep_order
    )
    form = file_format or ("csv" if project is None else project.sections.release.format)
    pair = paired(before, after, steps, seed=seed)
    findings = [] if _is_changed(before, after, pair) else [_unmasked(pair)]
    findings += [
        *_content(pair),
        *find_order(pair, keep=keep),
        *find_form(pair, form),
        *metadata_of(form),
    ]
    if pair.after.rows < after.records:
        findings.append(_sampled(pair.after.rows, after.records))
    told = {f.columns[0] for f in findings if f.kind == "twin" and f.severity == "stop"}
    promises = list(find_broken_promises(before, after, pair, limits))
    # What blanks tell is said once: who accepts that they break a promise has accepted it.
    blanks = [f for f in findings if f.kind == "absence"]
    said = [f for f in blanks if any(map(f.is_covered_by, promises))]
    findings = [f for f in findings if f not in said]
    for finding in promises:  # each column is told once
        if finding.kind != "twin" or finding.columns[0] not in told:
            findings.append(finding)
            told.update(finding.columns[:1] if finding.kind == "twin" else ())
    findings += [*find_voided_promises(before, steps), *find_precise_parameters(steps)]
    findings += find_telling_removal(before.sensitive, steps)
    original = before if isinstance(before, Microdata) else pair.before
    findings += find_told_labels(original, pair)
    if guessable_seed:
        findings.append(guessable_finding())
    return Findings(findings).confirmed_by(accepted)


def _content(pair: MaskedPair) -> Iterator[Finding]:
    """Yield what the values of the table say."""
    yield from find_headings(pair)
    suspected = list(find_identifiers(pair))
    yield from suspected
    yield from find_ineffective(pair)
    yield from find_twins(pair)
    yield from find_telling_members(pair)
    yield from find_old_numbers(pair)
    yield from note_new_numbers(pair)
    yield from find_weights(pair)
    named = {name for finding in suspected for name in finding.columns}
    exact = [f for f in find_exact_numbers(pair) if not named.intersection(f.columns)]
    yield from exact
    stopped = {name for finding in exact if finding.stops for name in finding.columns}
    yield from find_exact_together(pair, named | stopped)
    yield from find_telling_absence(pair)


def paired(
    before: Microdata | LargeTable,
    after: Microdata | LargeTable,
    steps: Sequence[Step],
    *,
    seed: Seed = 0,
) -> MaskedPair:
    """Return two tables side by side in memory: all records, or a sample of large tables."""
    if isinstance(before, LargeTable) and isinstance(after, LargeTable):
        rows = min(SAMPLE, before.records)
        hidden = before.with_role("identifier")
        original = before.without(hidden).sample(rows, seed=seed)
        masked = after.without(hidden).sample(rows, seed=seed)
        return MaskedPair(original, masked, tuple(steps), is_large=True)
    if isinstance(before, LargeTable) or isinstance(after, LargeTable):
        raise SettingError("the gate takes both tables in memory, or both as large tables.")
    kept = before.still_in(after)
    if kept.rows != after.rows:
        raise SettingError("the gate compares records: both tables must have the same ones.")
    released = after.without(after.with_role("identifier"))
    return MaskedPair(kept, released, tuple(steps), left_out=before.rows - kept.rows)


def _is_changed(
    before: Microdata | LargeTable, after: Microdata | LargeTable, pair: MaskedPair
) -> bool:
    """Return whether masking did anything; a large table is read until the first difference."""
    if pair.left_out or pair.masked:
        return True
    if not isinstance(before, LargeTable) or not isinstance(after, LargeTable):
        return False
    roles: tuple[Role, ...] = ("identifier", "household", "weight")  # changed by every release
    spared = {name for role in roles for name in before.with_role(role)}
    touched = {name for step in pair.steps for name in step.columns} - spared
    names = [name for name in after.names if name in touched]
    return bool(names) and not before.unchanged_in(after, names)


def _unmasked(pair: MaskedPair) -> Finding:
    detail = Message("The steps changed no value: the original would be released as it is.")
    remedy = Message("Choose a recipe that masks what others may know.")
    return Finding("nothing-masked", (), pair.after.rows, "stop", detail, remedy)


def _sampled(rows: int, records: int) -> Finding:
    detail = Message(
        "The checks looked at {rows} of {records} records, chosen at random.",
        rows=rows,
        records=records,
    )
    remedy = Message("Read the table into memory (--memory) to have all of them checked.")
    return Finding("not-checked", (), records - rows, "note", detail, remedy)


def guessable_finding() -> Finding:
    """Return that the draws of a release can be found by trying."""
    detail = Message("The draws come from a short seed, which can be found by trying all.")
    remedy = Message(
        "Leave --seed out, or keep a private file with it (a project has one; else --secret). "
        "This cannot be accepted: anyone who tries all seeds can undo the masking."
    )
    return Finding("guessable-seed", (), 0, "stop", detail, remedy)
