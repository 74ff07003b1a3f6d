"""Membership inference: whether a release tells who was in the data it was made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    Array,
    Flags,
    Floats,
    Integers,
    Microdata,
    Result,
    SettingError,
    TablePair,
    say,
)
from sudare.describe import Confidence
from sudare.describe.distances import Space, nearest
from sudare.risk.inference.control import Attacked, ControlledRisk, Excess, largest, targets
from sudare.risk.inference.membership_scores import (
    ATTACKERS,
    Attacker,
    Knowledge,
    above_controls,
    advantage,
    attacker_title,
    beyond_false_positives,
    random_half,
)

FALSE_POSITIVES = (0.01, 0.001)
_RARE = 0.1  # share of the records that count as the rarest, where no column says which do
_FEWEST = 10  # members and control records of the rarest stratum below which it is not judged


@dataclass(frozen=True, eq=False)
class MembershipTrial:
    """Members and control records of which an attacker must say which are which.

    Attributes
    ----------
    inside, outside
        Points of the members and of the control records, shapes (n, p) and (m, p).
    rare
        Which of both belong to the rarest stratum, shapes (n,) and (m,).
    """

    inside: Floats
    outside: Floats
    rare: tuple[Flags, Flags]

    def judged(
        self, scores: tuple[Floats, Floats], confidence: float
    ) -> tuple[Mapping[str, Excess], Mapping[str, Excess]]:
        """Return what scores of both tell, by criterion: of all records, and of the rarest."""
        both = criteria(*scores, confidence)
        inside, outside = (side[rare] for side, rare in zip(scores, self.rare, strict=True))
        if min(len(inside), len(outside)) < _FEWEST:
            return both, {}
        return both, criteria(inside, outside, confidence)


def criteria(inside: Floats, outside: Floats, confidence: float) -> dict[str, Excess]:
    """Return the advantage over a coin and the true positives beyond few false ones, by name."""
    judged = {say("advantage"): advantage(inside, outside, confidence)}
    for rate in FALSE_POSITIVES:
        name = say("true positives at {percent} % false ones", percent=f"{100 * rate:g}")
        judged[name] = beyond_false_positives(inside, outside, rate, confidence)
    return judged


class MembershipInference(ControlledRisk):
    """How well attackers tell who the release was made from, at few false alarms and on average.

    The attackers hold the records of a person. "nearest" takes a short distance to the nearest
    released record as a sign that the person was in the data; "density-ratio" a release that is
    denser around the person than a background table is; "loss" a good fit of models learned from
    the release; "rare-values" values that few released records have, such as exact amounts, and
    that one of these shares with the person: distances miss a copy of a few columns. Each is judged
    on members and on control records, which a column marks: by its advantage over a coin (twice the
    area under the ROC curve less 1), and by the true positives beyond 1 % and 0.1 % false ones,
    since naming a few people without error is a breach even where the attack fails on average. The
    value is the largest of these; the parts are all of them, also those of the rarest stratum: the
    records with the rarest label of the column ``stratum``, by default the tenth of the records
    that are farthest from the background. A note says where these are above the interval of the
    value.

    There is no such figure without a control: every distance to a release must be compared with
    that of somebody who is not in it, and originals are no such people. Half of the control
    records, at random, are the background.

    The interval allows for the number of attackers and criteria (Bonferroni). The record detail is
    the chance that the strongest attacker places a member above a control record, NaN for records
    that were not attacked. Categories that differ count 1, numbers their difference as a share of
    the range, and missing is a value of its own. Attackers who run the recipe again ("shadow
    models") are in :func:`sudare.study.membership`.

    References
    ----------
    Carlini, Chien, Nasr, Song, Terzis and Tramèr (2022). Membership inference attacks from first
    principles. IEEE Symposium on Security and Privacy.

    Van Breugel, Sun, Qian and van der Schaar (2023). Membership inference attacks against synthetic
    data through overfitting detection. AISTATS 2023.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> marks = sudare.core.Categorical("held", np.arange(400) % 2, ("no", "yes"), role="other")
    >>> marked = sudare.Microdata((*data.columns, marks))
    >>> attack = MembershipInference(control="held")
    >>> members, fresh = data.take(np.arange(0, 400, 2)), sudare.datasets.toy(seed=2)
    >>> attack(marked, members).value > 0.9, attack(marked, fresh).value < 0.3
    (True, True)
    """

    formula = "2 · rate of right decisions − 1, at least 0"
    counted = "Records of the original that are attacked, and all released records."

    attackers: Annotated[tuple[Attacker, ...], "how members are recognized"] = tuple(ATTACKERS)
    stratum: Annotated[
        str | None, "column whose rarest label is judged by itself; by default the outliers are"
    ] = None
    attacks: Attacked = 2000
    confidence: Confidence = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.attackers:
            raise SettingError("MembershipInference: attackers must name at least one.")

    def _measure(self, pair: TablePair) -> Result:
        before, columns = pair.before, pair.columns
        inside = self.members(pair)
        space = Space.of(before, pair.after, columns)
        rows, outside, background = self._sides(inside, space.original)
        known = Knowledge(space.released, space.original[background], space.labeled)
        trial = MembershipTrial(
            space.original[rows],
            space.original[outside],
            self._rare(before, (rows, outside), space.original, known.background),
        )
        count = len(self.attackers) * (1 + len(FALSE_POSITIVES))
        parts, detail = dict[str, Excess](), np.full(before.rows, np.nan)
        worst = rare = Excess(-1, -1, -1)
        for attacker in self.attackers:
            scores = self._scores(attacker, trial, known)
            overall, rarest = trial.judged(scores, 1 - (1 - self.confidence) / count)
            title = attacker_title(attacker)
            parts |= {f"{title}, {name}": each for name, each in overall.items()}
            for name, each in rarest.items():
                parts[f"{say('rarest stratum')}, {title}, {name}"] = each
            rare = max((rare, *rarest.values()))
            strongest = largest(overall.values())
            if strongest.risk > worst.risk:
                detail[rows] = above_controls(*scores)
            worst = largest((worst, strongest))
        return self.result(
            worst.risk,
            parts={name: each.risk for name, each in parts.items()},
            interval=(worst.low, worst.high),
            baseline=0.0,  # the value is already what exceeds the control
            by_record=detail,
            notes=(
                *rare_notes(worst, rare),
                *resolution_notes(len(outside)),
                *self.notes(pair, inside, columns),
            ),
        )

    def members(self, pair: TablePair) -> Flags:
        """Return which originals the release was made from; there must be control records."""
        if self.control is None:
            raise SettingError(
                "MembershipInference needs control records: keep some records out of the release, "
                "mark them with 1 in a column (0 elsewhere) and name it as control; or let "
                "sudare.study.membership(data, recipe) do so."
            )
        inside = super().members(pair)
        if (~inside).sum() < 2:
            raise SettingError("MembershipInference: at least two records must be control.")
        return inside

    def _sides(self, inside: Flags, points: Floats) -> tuple[Integers, Integers, Integers]:
        """Return the rows of the members attacked, of the control records and of the background."""
        held = np.flatnonzero(~inside)
        other = random_half(points[held])
        rows = np.flatnonzero(inside), held[other]
        return targets(rows[0], self.attacks), targets(rows[1], self.attacks), held[~other]

    def _scores(
        self, attacker: Attacker, trial: MembershipTrial, known: Knowledge
    ) -> tuple[Floats, Floats]:
        scores = ATTACKERS[attacker](np.vstack([trial.inside, trial.outside]), known)
        return scores[: len(trial.inside)], scores[len(trial.inside) :]

    def _rare(
        self,
        before: Microdata,
        sides: tuple[Integers, Integers],
        points: Floats,
        background: Floats,
    ) -> tuple[Flags, Flags]:
        """Return which members and control records are of the rarest stratum."""
        both = np.concatenate(sides)
        if self.stratum is not None:
            rare = rarest_label(before[self.stratum].coded.codes[both])
        else:
            apart = nearest(points[both], background).distance
            rare = apart > np.quantile(apart, 1 - _RARE)
        return rare[: len(sides[0])], rare[len(sides[0]) :]


def rarest_label(codes: Array) -> Flags:
    """Return which records have the label that the fewest have, of those that enough have."""
    labels, counts = np.unique(codes, return_counts=True)
    enough = counts >= min(2 * _FEWEST, counts.max())
    return codes == labels[enough][counts[enough].argmin()]


def rare_notes(all_records: Excess, rarest: Excess) -> tuple[str, ...]:
    """Return a warning where the rarest stratum is above the interval of all, and not by chance."""
    if rarest.low <= 0 or rarest.risk <= all_records.high:
        return ()
    return (
        say(
            "the rarest stratum is recognized far better than all records together: {risk} "
            "({low}–{high}), where the value is {value}. A limit on [rarest stratum] covers it.",
            value=f"{all_records.risk:.3f}",
            **{name: f"{number:.3f}" for name, number in rarest._asdict().items()},
        ),
    )


def resolution_notes(controls: int) -> tuple[str, ...]:
    """Return what to know where there are too few control records for the left end of the curve."""
    finest = min(FALSE_POSITIVES)
    if controls * finest >= 1:
        return ()
    return (
        say(
            "{count} control {count:record|records} cannot show what happens at {percent} % false "
            "positives; the interval says how little is known.",
            count=controls,
            percent=f"{100 * finest:g}",
        ),
    )
