"""What is released: a table masked, repaired by rule, and looked at by the gate."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np

from sudare.core import (
    Assessment,
    Draws,
    LargeTable,
    Masked,
    Microdata,
    OnProgress,
    Result,
    Seed,
    SettingError,
    apply,
    check_weights,
    draws_from,
    guessable,
    versions,
)
from sudare.engine import write_released
from sudare.engine.formats import ReleasedForm
from sudare.mask import Rounding
from sudare.release.inspection import (
    Confirmed,
    Finding,
    Findings,
    Guarantee,
    MaskedPair,
    NamedConfirmation,
    Promises,
    ReleasedTable,
    gate,
    order_draws,
    paired,
    promised_measures,
    weight_base,
)
from sudare.release.limits import Limit
from sudare.release.publishing.release_draws import release_draws, renumbering_households
from sudare.release.recipe import Recipe

Measured = Sequence[tuple[Assessment, Result]]
Table = TypeVar("Table", Microdata, LargeTable, Microdata | LargeTable)


@dataclass(frozen=True, kw_only=True)
class Outgoing(Generic[Table]):
    """A masked table before its release, and what the gate says about it.

    Attributes
    ----------
    recipe
        How it was masked, with the steps that every release gets.
    before
        The original. Confidential.
    versions
        The masked table, as often as its methods ask for, with records in the order of the
        original and with their identifiers. Confidential.
    findings
        What the gate found, and what a person has accepted of it.
    draws
        Secret, like the seed they come from.
    """

    recipe: Recipe
    before: Table = field(repr=False)
    versions: tuple[Masked[Table], ...] = field(repr=False)
    draws: Draws = field(repr=False)
    findings: Findings = field(default_factory=Findings)

    @property
    def masked(self) -> Masked[Table]:
        """The masked table; the first of several versions."""
        return self.versions[0]

    def order(self, version: int = 0) -> Draws | None:
        """Return the draws of a version's order; None where a person accepts the original's."""
        is_kept = any(finding.confirmed for finding in self.findings.of_kind("order"))
        return None if is_kept else order_draws(self.draws, version)

    def form(self, version: int = 0) -> ReleasedTable | LargeTable:
        """Return a version as it is released; a large table is shuffled when it is written."""
        before: Any = self.before
        masked: Any = self.versions[version].data
        kept = masked.without(masked.with_role("identifier"))
        if isinstance(kept, LargeTable):
            return kept
        return ReleasedTable.of(kept, before.still_in(kept), self.order(version))

    def rounded(self, rounding: Rounding) -> "Outgoing[Table]":
        """Return it with its weights rounded."""
        recipe = replace(self.recipe, maskers=[*self.recipe.maskers, rounding])
        made = tuple([_with(masked, rounding) for masked in self.versions])
        return replace(self, recipe=recipe, versions=made)

    def verdicts(self, limits: Iterable[Limit]) -> list[dict[str, Any]]:
        """Return every limit, its number and whether it is kept: in all versions, or where not."""
        judged = {
            limit: [
                limit.judged(limit.measure(self.before, masked.data, steps=masked.steps))
                for masked in self.versions
            ]
            for limit in limits
        }
        return [
            min(verdicts, key=lambda verdict: bool(verdict["kept"])) for verdicts in judged.values()
        ]

    def write(self, path: str | os.PathLike[str], *, version: int = 0, **how: Any) -> ReleasedForm:
        """Write a version, and return how; ``how`` has ``overwrite``, ``encoding``, ``on_records``.

        What is returned belongs into the recipe: it tells how the file is read back.
        """
        written = write_form(self.form(version), path, self.order(version), **how)
        return written.after(self.versions[version].steps)

    def guarantees(self, measured: Measured = ()) -> tuple[Guarantee, ...]:
        """Return what the release promises; k, l and t are measured where steps promise them."""
        before, after, steps = self.before, self.masked.data, self.masked.steps
        known = [measure for measure, _ in measured]
        promised = [measure for measure in promised_measures(steps) if measure not in known]
        more: Measured = [(m, m(before, after, steps=steps)) for m in promised]
        return Promises(before, after, steps, self.findings, [*measured, *more]).made()


def write_form(
    released: ReleasedTable | LargeTable,
    path: str | os.PathLike[str],
    order: Draws | None,
    **how: Any,
) -> ReleasedForm:
    """Write a table in the form in which it is released, and return how it was written.

    Parameters
    ----------
    released
        The table; one in memory has its order.
    path
        Where to.
    order
        The draws of the order; None where it is that of the original.
    how
        ``overwrite``, ``encoding`` and ``on_records`` of :func:`sudare.write`.
    """
    if isinstance(released, ReleasedTable):
        target = write_released(released.table, path, order=None, marked=released.marked, **how)
        worded = released.worded_in(target.suffix.lower().lstrip("."))
    else:
        target, worded = write_released(released, path, order=order, **how), ()
    encoding = how.get("encoding", "utf-8")
    return ReleasedForm.of(target, encoding=encoding, shuffled=order is not None, suppressed=worded)


def outgoing(
    data: Table,
    recipe: Recipe,
    *,
    seed: Seed,
    confirmations: Iterable[str | Confirmed] = (),
    file_format: str = "csv",
    limits: Sequence[Limit] = (),
    on_progress: OnProgress | None = None,
) -> Outgoing[Table]:
    """Mask a table for release, repair by rule what can be, and have the gate look at it.

    Households get new numbers, and weights by which records stand out are rounded; both become
    steps of the recipe, so that it replays to the same table.
    """
    accepted = accepted_findings(confirmations)
    before: Table = recipe.prepare(data)
    _check_weights(before)
    whole: Recipe = renumbering_households(recipe.complete(data), before)
    mask = partial(_masked, before, seed=draws_from(seed).seed, on_progress=on_progress)
    made: Outgoing[Table] = _settled(before, whole, mask)
    rounding = _rounding(made, accepted)
    if rounding is not None:
        made = made.rounded(rounding)
    findings_by_copy = [
        gate(
            before,
            masked.data,
            masked.steps,
            confirmations=accepted,
            file_format=file_format,
            guessable_seed=guessable(seed),
            seed=made.draws.of_release("gate").seed,
            limits=limits,
        )
        for masked in made.versions
    ]
    findings = _once(finding for findings in findings_by_copy for finding in findings)
    return replace(made, findings=findings)


def _masked(
    before: Any, recipe: Recipe, *, seed: int, on_progress: OnProgress | None
) -> Outgoing[Any]:
    draws = release_draws(before, recipe, seed)
    # A complete recipe has nothing to say about the table that is not said of it already.
    made = versions(before, recipe.maskers, seed=draws.seed, on_progress=on_progress)
    return Outgoing(recipe=recipe, before=before, versions=made, draws=draws)


def _settled(
    before: Microdata | LargeTable, recipe: Recipe, mask: Callable[[Recipe], Outgoing[Any]]
) -> Outgoing[Any]:
    """Return the table masked so that the recipe of the release gives the same again.

    Where the last step is the one by which a release without it would round its weights, it is
    that release. What a clock decides while a step is fitted becomes a setting of it.
    """
    last = recipe.maskers[-1] if recipe.maskers else None
    if isinstance(last, Rounding) and last.columns == before.with_role("weight"):
        made = mask(replace(recipe, maskers=recipe.maskers[:-1]))
        if _rounding(made, ()) == last:
            return made.rounded(last)
    made = mask(recipe)
    pairs = zip(recipe.maskers, made.masked.steps, strict=True)
    maskers = [masker.settled(step) for masker, step in pairs]
    if maskers == list(recipe.maskers):
        return made
    try:
        return mask(replace(recipe, maskers=maskers))
    except SettingError:  # behind a step that draws, other draws may need other settings
        return made


def as_released(recipe: Recipe, form: ReleasedForm, findings: Findings) -> Recipe:
    """Return a recipe that says how the released file was written, and what was accepted for it."""
    accepted = [finding.name for finding in findings.confirmed]
    return replace(recipe, released={**form.as_dict(), "confirmed": accepted})


def accepted_findings(given: Iterable[str | Confirmed]) -> tuple[Confirmed, ...]:
    """Return what a person has accepted; text such as "twin:code,region" is read."""
    return tuple(
        NamedConfirmation.parse(confirmation) if isinstance(confirmation, str) else confirmation
        for confirmation in given
    )


def _rounding(made: Outgoing[Any], accepted: Sequence[Confirmed]) -> Rounding | None:
    """Return the step that rounds weights by which records stand out, unless that is accepted."""
    kept = {
        name
        for confirmation in accepted
        if confirmation.kind == "weights"
        for name in confirmation.columns
    }
    masked = made.masked
    named = [name for name in masked.data.with_role("weight") if name not in kept]
    if not named:
        return None
    pair: MaskedPair = paired(
        made.before, masked.data, masked.steps, seed=made.draws.of_release("gate").seed
    )
    base = weight_base(pair, named[0])
    return None if base is None else Rounding(columns=(named[0],), base=base)


def _check_weights(before: Microdata | LargeTable) -> None:
    """Refuse weights below 0; a large table is looked at where it is read."""
    if isinstance(before, Microdata):
        for name in before.with_role("weight"):
            column = before[name]
            check_weights(column.take(np.flatnonzero(column.known)))


def _with(masked: Masked[Any], rounding: Rounding) -> Masked[Any]:
    rounded: Masked[Any] = apply(masked.data, rounding, seed=0)  # nothing is drawn
    return Masked(rounded.data, (*masked.steps, *rounded.steps))


def _once(findings: Iterable[Finding]) -> Findings:
    """Return what was found in any version of a table, each finding once."""
    by_what = {(f.kind, f.columns, f.severity, f.detail.template): f for f in findings}
    return Findings(by_what.values())
