"""Re-identification: the share of people whom an attacker who knows their keys names correctly."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import Floats, Result, Step, TablePair, TooLargeError, multiplied, say
from sudare.describe.pairing import TableMeasure
from sudare.risk.identification.key_evidence import KeyEvidence, hidden_cells, key_evidence
from sudare.risk.identification.key_fits import Distances, KeyFit
from sudare.risk.identification.naming import Chances, naming_chances, share_named
from sudare.risk.identification.number_scales import decorrelated, scales
from sudare.risk.inference import AttributeInference

_TRIED = 2**21  # pairs of people and records by which a scale of numbers is chosen


class Reidentification(TableMeasure):
    """The expected share of people whom an attacker who knows their keys names correctly.

    The attacker knows the keys of a person, that the person is in the table, and the public steps.
    Every released record has a likelihood of these keys; the attacker names the most likely record,
    one of several at random. A value that was generalized, top-coded or rounded fits if it covers
    the true one; a suppressed one fits as well as a published value drawn at random does, so that
    records that show what fits come first; PRAM, retention–replacement and
    Pk-anonymization give the likelihood by their published matrix, noise by its density;
    microaggregation and swapping by the distance, or, of categories, by how often one was published
    for the other. Distances are by how far numbers moved, by their spread or by ranks, key by key
    or along the axes of the moves or of the published numbers: by what names most people. Where
    steps have no formula, categories that are equal or not, beside numbers by their spread, are
    another distance to try.

    So one number is fair to every method: without masking, and for recoding alone, it is the number
    of distinct combinations of keys over the number of records; no masking makes it larger; of a
    file in which every combination is shared by k records it is at most 1/k. The baseline, 1/n, is
    what naming at random reaches. The parts are the shares by each key alone; the record detail is
    the chance of each record.

    With ``known="population"`` the attacker does not know that the person is in the table: a record
    that fits stands for as many people as its sampling weight says, and the chance of each of them
    is one over their number.

    Several steps on one key are taken in turn where all publish a matrix. Where they have no
    formula, and where no steps are given, the attacker is granted what the pairs of original and
    released records tell (distances of numbers in units of their typical change, rates of
    categories); that is more than anybody knows, and a note says so.

    A synthetic table has no record that belongs to a person. Where all keys are synthetic, the
    value is the attribute inference above its baseline (:class:`sudare.risk.AttributeInference`),
    and a note says so.

    Notes
    -----
    Without masking this is the marketer risk of ARX. The cost is that of the distinct combinations:
    a look-up where one published value fits, else the pairs of distinct people and distinct records
    that agree on the keys with one; of more than 2³² such pairs some people are looked for, and the
    value has an interval.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = Reidentification(columns=("sex", "region", "education"))
    >>> attack(data).value
    0.1675
    >>> masked = sudare.apply(data, sudare.mask.Pram(retain=0.7), seed=1)
    >>> round(attack(data, masked.data, steps=masked.steps).value, 3)
    0.051
    """

    kind = "risk"
    formula = (
        "mean over the people of the chance that the record named is theirs; without masking, "
        "number of combinations of keys / number of records"
    )
    needs = "counts"
    pairs = True
    roles = ("key",)

    known: Annotated[
        Literal["table", "population"],
        "whether the attacker knows that the person is in the table, or only in the population",
    ] = "table"

    def _measure(self, pair: TablePair) -> Result:
        steps = () if pair.before is pair.after else pair.steps
        made_up = {name for step in steps if step.relation == "synthetic" for name in step.columns}
        if made_up.issuperset(pair.columns):
            return self._inference(pair)
        both = pair.on(pair.columns)
        before, after = (
            [data[name] for name in pair.columns] for data in (both.before, both.after)
        )
        hidden = hidden_cells(before, after)
        keys = {
            old.name: key_evidence(old, new, lost, [s for s in steps if old.name in s.columns])
            for old, new, lost in zip(before, after, hidden, strict=True)
        }
        weights = both.after.weights if self.known == "population" else None
        counted = multiplied(both.after.copies, weights)
        mass = np.ones(both.after.rows) if counted is None else counted.astype(np.float64)
        chances = naming_chances(_together(keys, steps, mass), mass)
        copies = both.before.copies
        value, interval = _estimate(chances, copies)
        even = chances.complete and not np.any(hidden) and weights is None  # a weight may be small
        alone_moved = even and _moves_alone(keys, steps)
        return self.result(
            value,
            parts={name: share_named(key.evidence, mass, copies) for name, key in keys.items()},
            interval=interval,
            baseline=1 / pair.records,
            influence=1 / pair.records if alone_moved else None,
            by_record=chances.values if pair.detail else None,
            notes=_notes(keys, told=bool(steps)),
        )

    def _inference(self, pair: TablePair) -> Result:
        """Return the currency of synthetic tables: attribute inference above the baseline."""
        if not pair.detail:
            raise TooLargeError(
                "Reidentification: a synthetic table has no record to name, and the attack on "
                "secrets in its place needs the records in memory; use a sample: "
                "table.sample(rows)."
            )
        result = AttributeInference(columns=pair.columns)(pair.before, pair.after)
        note = say(
            "the keys are synthetic: there is no record to name. The value is what an attacker "
            "infers about secrets above the baseline (attribute inference)."
        )
        return replace(result, measure=type(self).__name__, notes=(note, *result.notes))


def _moves_alone(keys: dict[str, KeyEvidence], steps: Sequence[Step]) -> bool:
    """Return whether the true keys of a person affect only that person's chance.

    Not where the attacker is granted what pairs of records tell, as of distances to what was
    published, or of noise that several keys got together.
    """
    masking = [step for step in steps if not keys.keys().isdisjoint(step.columns)]
    noisy = [
        {"noise_sd", "noise_ratio"} & step.public.get(name, {}).keys()
        for step in masking
        for name in keys
        if name in step.columns
    ]
    return (
        all(key.source == "steps" for key in keys.values())
        and all(step.relation in {"covers", "drawn"} for step in masking)
        and sum(map(bool, noisy)) < 2
    )


def _together(
    keys: dict[str, KeyEvidence], steps: Sequence[Step], mass: Floats
) -> Sequence[KeyFit]:
    """Return the evidence of all keys: noise in independent axes, the rest as names most people."""
    fixed: list[KeyFit] = []
    left = {name: key.evidence for name, key in keys.items() if not key.is_free}
    for step in steps:
        noisy = {
            name: evidence
            for name in step.columns
            if {"noise_sd", "noise_ratio"} & step.public.get(name, {}).keys()
            and isinstance(evidence := left.get(name), Distances)
        }
        if noisy:
            fixed += decorrelated(list(noisy.values()), mass)
        left = {name: evidence for name, evidence in left.items() if name not in noisy}
    fixed += left.values()
    unscaled = [key.evidence for key in keys.values() if key.is_free]
    free = [evidence for evidence in unscaled if isinstance(evidence, Distances)]

    tried = [[*fixed, *each] for each in (scales(free, mass) if free else [()])]
    plain = {name: key.plain for name, key in keys.items() if key.plain is not None}
    if plain:
        graded = [keys[name].evidence for name in plain]
        others = [e for e in fixed if not any(e is each for each in graded)]
        tried.append([*others, *plain.values()])

    def share(evidence: Sequence[KeyFit]) -> float:
        return float(np.nanmean(naming_chances(evidence, mass, _TRIED).values))

    return max(tried, key=share) if len(tried) > 1 else fixed


def _estimate(
    chances: Chances, copies: np.ndarray | None
) -> tuple[float, tuple[float, float] | None]:
    """Return the mean chance, and its interval where not everybody was looked for."""
    counted = np.ones(len(chances.values)) if copies is None else copies.astype(np.float64)
    if chances.complete:
        return float(np.average(chances.values, weights=counted)), None
    known = ~np.isnan(chances.values)
    share = float(np.average(chances.values[known], weights=counted[known]))
    spread = 1.96 * np.sqrt(share * (1 - share) / counted[known].sum())
    return share, (max(0.0, share - spread), min(1.0, share + spread))


def _notes(keys: dict[str, KeyEvidence], *, told: bool) -> tuple[str, ...]:
    def named(source: str) -> str:
        return ", ".join(name for name, key in keys.items() if key.source == source)

    notes = []
    if named("combined"):
        notes.append(
            say(
                "the steps on {columns} have no joint formula: the attacker is assumed to know "
                "what the pairs of original and released records show, which is more than anyone "
                "does.",
                columns=named("combined"),
            )
        )
    if named("pairs"):
        notes.append(
            say(
                "no step says how {columns} changed: the attacker is assumed to know what the "
                "pairs of original and released records show, which is more than anyone does.",
                columns=named("pairs"),
            )
        )
    return tuple(notes)
