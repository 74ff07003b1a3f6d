"""Publish: mask a table or a purchase history by a recipe and measure it, ready for release."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack, overload

from sudare.core import (
    Assessment,
    LargeTable,
    Microdata,
    OnProgress,
    Result,
    Seed,
    SettingError,
    check_table,
    guessable,
)
from sudare.release.comparing import Comparison
from sudare.release.default_measures import FOR_HISTORIES, FOR_TABLES
from sudare.release.inspection import Confirmed, Findings, history_gate, limit_by_wildcards
from sudare.release.library_versions import library_versions
from sudare.release.limits import Limit
from sudare.release.method_words import measures_from, subject_of
from sudare.release.publishing.effect import refuse_empty
from sudare.release.publishing.history_publication import HistoryPublication
from sudare.release.publishing.leaving import Outgoing, accepted_findings, outgoing
from sudare.release.publishing.publication import Publication
from sudare.release.publishing.release_draws import draws_for, renumbering_customers
from sudare.release.publishing.report_texts import ReportTexts
from sudare.release.publishing.seeding import release_seed
from sudare.release.publishing.table_publication import Table, TablePublication
from sudare.release.recipe import Recipe
from sudare.risk import KAnonymity
from sudare.transactions import Attacks, History, MaskedHistory, Reidentification, published


class _Publishing(TypedDict, total=False):
    """What may be said about a publication; see :func:`publish`."""

    measures: Sequence[str | Assessment] | None
    limits: Sequence[str | Limit]
    comparison: Comparison | None
    texts: Mapping[str, str] | ReportTexts | None
    seed: Seed
    secret: str | os.PathLike[str] | None
    confirmations: Sequence[str | Confirmed]
    on_progress: OnProgress | None


@overload
def publish(data: Table, recipe: Recipe, **how: Unpack[_Publishing]) -> TablePublication[Table]: ...


@overload
def publish(data: History, recipe: Recipe, **how: Unpack[_Publishing]) -> HistoryPublication: ...


def publish(
    data: Microdata | LargeTable | History,
    recipe: Recipe,
    *,
    measures: Sequence[str | Assessment] | None = None,
    limits: Sequence[str | Limit] = (),
    comparison: Comparison | None = None,
    texts: Mapping[str, str] | ReportTexts | None = None,
    seed: Seed = None,
    secret: str | os.PathLike[str] | None = None,
    confirmations: Sequence[str | Confirmed] = (),
    on_progress: OnProgress | None = None,
) -> Publication:
    """Mask a table or a purchase history by a recipe and measure it, ready to be released.

    The identifiers of a table are left out. Households get new numbers, and the customers of a
    history new pseudonyms: a recipe that does not deal them out gets a last step that does. The
    recipe that is released says all roles and scales. Weights by which records stand out are
    rounded. A table then passes the gate (:func:`sudare.release.gate`), and its records are put in
    another order; what the gate finds is in ``findings``, and a release with a finding that stops
    it cannot be written.

    Parameters
    ----------
    data
        The original.
    recipe
        How to mask it.
    measures
        What the report tells. By default re-identification, k-anonymity, the distance-based loss
        over all columns and the total variation of all pairs of columns of a table;
        re-identification and the mean error of the cells of a history.
    limits
        What must be kept; a release that misses one cannot be written.
    comparison
        The recipes that were considered; the report maps them.
    texts
        What the report says beside the numbers, as in the section ``[report]`` of a project:
        "title", "office", "contact", "date", "population", "audience", "purpose" and "decision".
        With legal profiles and labels of columns: :class:`sudare.release.ReportTexts`.
    seed
        Same seed, same release. It is kept nowhere; keep it as secret as the data. One of fewer
        than 64 bits, or with digits that follow from one another, makes a trial, unless there is a
        secret: anybody could find it by trying.
    secret
        The private file that the seed is stretched with; it is made where it is not there yet.
        Same seed and same file, same release.
    confirmations
        The findings of the gate that a person has accepted, such as "twin:code,region", or as in
        the section ``[release]`` of a project. "order" keeps the order of the records.
    on_progress
        Called before each step with (done, in all, name).

    Examples
    --------
    >>> import sudare
    >>> recipe = sudare.Recipe("coarse", [sudare.mask.GlobalRecode(min_share=0.2)])
    >>> release = publish(sudare.datasets.toy(), recipe, limits=["uniques < 1"], seed=1)
    >>> release.keeps_limits
    True
    >>> history = sudare.datasets.purchases_like(20, seed=1)
    >>> pairs = sudare.Recipe("pairs", [sudare.transactions.CustomerAnonymity(k=2)])
    >>> release = publish(history, pairs, limits=["reidentification < 1"], seed=1)
    >>> release.keeps_limits
    True
    """
    if not isinstance(recipe, Recipe):
        raise SettingError("publish takes a recipe: sudare.Recipe(name, maskers).")
    subject = subject_of(data)
    if subject == "table" and not isinstance(data, LargeTable):
        check_table("publish", data)
    stated = Limit.all_of(limits, subject)
    if measures is None:
        measures = FOR_HISTORIES if subject == "history" else FOR_TABLES
    wanted = measures_from(measures, subject)
    wanted += [limit.measure for limit in stated if limit.measure not in wanted]
    request = _PublicationRequest(
        recipe,
        wanted,
        stated,
        comparison,
        ReportTexts.of(texts),
        release_seed(seed, secret),
        accepted_findings(confirmations),
        on_progress,
    )
    return request.of_history(data) if isinstance(data, History) else request.of_table(data)


@dataclass(frozen=True)
class _PublicationRequest:
    """What will be published, whatever the kind of data."""

    recipe: Recipe
    measures: Sequence[Assessment]
    limits: tuple[Limit, ...]
    comparison: Comparison | None
    texts: ReportTexts
    seed: Seed
    confirmations: tuple[Confirmed, ...]
    on_progress: OnProgress | None

    def of_table(self, data: Table) -> TablePublication[Table]:
        leaving: Outgoing[Table] = outgoing(
            data,
            self.recipe,
            seed=self.seed,
            confirmations=self.confirmations,
            limits=self.limits,
            on_progress=self.on_progress,
        )
        before, masked = leaving.before, leaving.masked
        measured = tuple((m, m(before, masked.data, steps=masked.steps)) for m in self.measures)
        leaving = replace(leaving, findings=_with_limits(leaving, self.limits))
        return TablePublication(
            recipe=leaving.recipe,
            steps=masked.steps,
            measured=measured,
            limits=self.limits,
            comparison=self.comparison,
            texts=self.texts.stated,
            profiles=tuple(self.texts.profiles),
            labels=self.texts.labels,
            trial=guessable(self.seed),
            findings=leaving.findings,
            guarantees=leaving.guarantees(measured),
            before=before,
            masked=masked.data.without(masked.data.with_role("identifier")),
            form=leaving.form(),
            order=leaving.order(),
            draws=leaving.draws,
        )

    def of_history(self, history: History) -> HistoryPublication:
        refuse_empty(self.recipe)
        recipe = replace(renumbering_customers(self.recipe), made_with=library_versions())
        draws = draws_for(history, recipe, self.seed)
        made = recipe.apply(history, seed=draws.seed, on_progress=self.on_progress)
        masked: MaskedHistory = made.data
        attacks: Attacks | None = None
        measured: list[tuple[Assessment, Result]] = []
        for measure in self.measures:
            if isinstance(measure, Reidentification):
                attacks = measure.attacks(history, masked)
                measured.append((measure, measure.judged(attacks)))
            else:
                measured.append((measure, measure(history, masked, steps=made.steps)))
        return HistoryPublication(
            recipe=recipe,
            steps=made.steps,
            measured=tuple(measured),
            limits=self.limits,
            comparison=self.comparison,
            texts=self.texts.stated,
            profiles=tuple(self.texts.profiles),
            labels=self.texts.labels,
            trial=guessable(self.seed),
            findings=history_gate(
                history,
                masked,
                confirmations=self.confirmations,
                guessable_seed=guessable(self.seed),
            ),
            before=history,
            masked=masked,
            released=published(masked),
            attacks=attacks,
        )


def _with_limits(leaving: Outgoing[Any], limits: Sequence[Limit]) -> Findings:
    """Return the findings, and which limits on k are kept only by counting blanks as any value."""
    named = {finding.columns for finding in leaving.findings.of_kind("broken-promise")}
    more = [
        finding
        for limit in limits
        if isinstance(limit.measure, KAnonymity) and ">" in limit.comparison
        for finding in limit_by_wildcards(
            leaving.before, leaving.masked.data, limit.measure, limit.number
        )
        if finding.columns not in named and limit.facet is None
    ]
    return leaving.findings + more
