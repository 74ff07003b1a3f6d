"""Who won: leaderboard, attackers, who hit whom, and the tables of use cases."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sudare.contest.entries import ContestEntry, counted_masks
from sudare.contest.rulebooks import MASK
from sudare.contest.rules import Round
from sudare.contest.storage import AccountRow, Database, EntryRow, JobRow, ResultRow


@dataclass(frozen=True)
class LeaderboardLine:
    """A line of the leaderboard; only a file that was never hit effectively has a rank."""

    rank: int | None
    team: str
    score: float
    parts: Mapping[str, float]
    attacks: int
    hits: int
    missed: tuple[str, ...] = ()  # limits of a table contest that the file does not keep

    @property
    def safe(self) -> bool:
        """Whether the file was never hit effectively and keeps every limit."""
        return self.hits == 0 and not self.missed


@dataclass(frozen=True)
class AttackerLine:
    """A line of the attackers' table."""

    rank: int
    team: str
    attacks: int
    effective: int
    named: int
    right: int


@dataclass(frozen=True)
class ScoredAttack:
    """What became of an attack: right names among those named, and how many were needed.

    Attacks that name nobody have ``success``, from 0 to 1, and 0 as ``right`` and ``needed``.
    """

    attacker: str
    target: str
    named: int
    right: int
    needed: int
    effective: bool
    kind: str = "attack"
    success: float | None = None


@dataclass(frozen=True)
class Statistics:
    """Errors of use cases and statistics by team, and their correlation with the score.

    Of each correlation there is the two-sided p-value of the test that there is none. Errors are
    None in the rows of files that could not be evaluated; there are ``failed`` of them, and
    ``waiting`` that are still in the queue or being evaluated.
    """

    rows: Sequence[Mapping[str, object]] = ()
    correlations: Mapping[str, float | None] = field(default_factory=dict)
    p_values: Mapping[str, float | None] = field(default_factory=dict)
    waiting: int = 0
    failed: int = 0


@dataclass(frozen=True)
class Standings:
    """All that counts in one round, from one look at the database.

    There are ``waiting`` files that are still in the queue or being evaluated; until there are none
    nobody has won.
    """

    masks: Mapping[str, ContestEntry]
    attacks: Sequence[ScoredAttack]
    waiting: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)
    frozen: datetime | None = None
    kept_statistics: Statistics | None = field(default=None, repr=False)

    def to_json(self, database: Database) -> dict[str, Any]:
        """Return what is kept of the standings while they are frozen."""
        return {
            "masks": {
                team: {
                    "id": mask.id,
                    "score": mask.score,
                    "parts": mask.parts,
                    "result": mask.result,
                }
                for team, mask in self.masks.items()
            },
            "attacks": [asdict(attack) for attack in self.attacks],
            "waiting": self.waiting,
            "weights": self.weights,
            "statistics": asdict(self.statistics(database)),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any], round_: Round, frozen: datetime) -> "Standings":
        """Return the standings as they were when they were frozen."""
        masks = {
            team: ContestEntry(
                kind=MASK,
                round=round_,
                team=team,
                target=None,
                filename="",
                size=0,
                received=frozen,
                status="accepted",
                counts=True,
                file="",
                **mask,
            )
            for team, mask in kept["masks"].items()
        }
        return cls(
            masks,
            [ScoredAttack(**attack) for attack in kept["attacks"]],
            kept["waiting"],
            kept["weights"],
            frozen,
            Statistics(**kept["statistics"]),
        )

    @classmethod
    def of(
        cls, database: Database, round_: Round, weights: Mapping[str, float] | None = None
    ) -> "Standings":
        """Return what counts in a round now; weights are those of the points, if there are any."""
        with database.reading() as session:
            masks = counted_masks(session, round_)
            attacks = _attacks(session, round_, masks)
            waits = select(func.count()).where(
                EntryRow.round == round_, EntryRow.status == "waiting"
            )
            return cls(masks, attacks, session.scalar(waits) or 0, weights or {})

    def hits(self) -> list[ScoredAttack]:
        """Return what became of every attack that counts, by target and attacker."""
        return sorted(self.attacks, key=lambda hit: (hit.target, hit.attacker))

    def leaderboard(self) -> list[LeaderboardLine]:
        """Return safe files by their score, then the others; equal scores share a rank.

        Where points are given, all are ranked by these.
        """
        attacks = Counter(attack.target for attack in self.attacks)
        effective = Counter(attack.target for attack in self.attacks if attack.effective)
        if self.weights:
            return self._by_points(attacks, effective)
        lines = [
            LeaderboardLine(
                None,
                team,
                float(mask.score or 0.0),
                mask.parts,
                attacks[team],
                effective[team],
                tuple(mask.result.get("missed", ())),
            )
            for team, mask in self.masks.items()
        ]
        lines.sort(key=lambda line: (not line.safe, line.score, line.team))
        safe = [line.score for line in lines if line.safe]
        return [
            replace(line, rank=1 + bisect_left(safe, line.score)) if line.safe else line
            for line in lines
        ]

    def _by_points(
        self, attacks: Mapping[str, int], effective: Mapping[str, int]
    ) -> list[LeaderboardLine]:
        lines = []
        for team, mask in self.masks.items():
            won = {
                "utility": float(mask.score or 0.0),
                "protection": self.protection(team),
                "attack": self.attack_points(team),
            }
            points = sum(weight * won[name] for name, weight in self.weights.items())
            parts = {**won, **mask.parts}
            line = LeaderboardLine(None, team, points, parts, attacks[team], effective[team])
            lines.append(line)
        lines.sort(key=lambda line: (-line.score, line.team))
        order = [-line.score for line in lines]
        return [replace(line, rank=1 + bisect_left(order, -line.score)) for line in lines]

    def protection(self, team: str) -> float:
        """Return 1 minus the largest success of an attack: of the other teams, or of our own."""
        others = [attack.success or 0.0 for attack in self.attacks if attack.target == team]
        ours = self.masks[team].result.get("own_attacks", {})
        return 1.0 - max([*others, *ours.values()], default=0.0)

    def attack_points(self, team: str) -> float:
        """Return the mean over the other teams' files of the largest success; 0 without attack."""
        best = dict.fromkeys((name for name in self.masks if name != team), 0.0)
        for attack in self.attacks:
            if attack.attacker == team and attack.target in best:
                best[attack.target] = max(best[attack.target], attack.success or 0.0)
        return sum(best.values()) / len(best) if best else 0.0

    def attackers(self) -> list[AttackerLine]:
        """Return who attacked, by the number of files hit effectively."""
        hits = sorted(self.attacks, key=lambda hit: hit.attacker)
        lines = [_attacker(team, list(own)) for team, own in groupby(hits, lambda h: h.attacker)]
        lines.sort(key=lambda line: (-line.effective, -line.right, line.team))
        order = [-line.effective for line in lines]
        return [replace(line, rank=1 + bisect_left(order, -line.effective)) for line in lines]

    def statistics(self, database: Database) -> Statistics:
        """Return the errors of the files that count, as far as they are computed."""
        if self.kept_statistics is not None:
            return self.kept_statistics
        from sudare.study.history_study import correlation

        ids = {mask.id: team for team, mask in self.masks.items()}
        query = (
            select(JobRow.entry_id, JobRow.status, ResultRow.content)
            .outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
            .where(JobRow.kind == "statistics", JobRow.entry_id.in_(list(ids)))
        )
        with database.reading() as session:
            jobs = {
                ids[entry]: (status, content) for entry, status, content in session.execute(query)
            }
        scores = {team: float(self.masks[team].score or 0.0) for team in jobs}
        order = sorted(jobs, key=lambda team: (scores[team], team))
        errors = {team: jobs[team][1] for team in order if jobs[team][1]}
        names = list(next(iter(errors.values()), ()))
        failed = [team for team in order if jobs[team][0] == "failed"]
        related = {
            name: correlation(
                [scores[team] for team in errors], [error[name] for error in errors.values()]
            )
            for name in names
        }
        return Statistics(
            [
                {"team": team, "score": scores[team], **errors.get(team, dict.fromkeys(names))}
                for team in order
                if team in errors or team in failed
            ],
            {name: each.value for name, each in related.items()},
            {name: each.p for name, each in related.items()},
            waiting=sum(status in ("queued", "running") for status, _ in jobs.values()),
            failed=len(failed),
        )


def _attacks(
    session: Session, round_: Round, masks: Mapping[str, ContestEntry]
) -> list[ScoredAttack]:
    """Return the attacks that count: the latest in order of each team on each file.

    There may be as many as pairs of teams, so they are read without all else about their entries.
    """
    active = select(AccountRow.id, AccountRow.name).where(AccountRow.status == "active")
    names = {row.id: row.name for row in session.execute(active)}
    targets = {mask.id: team for team, mask in masks.items()}
    query = (
        select(EntryRow.team_id, EntryRow.target_id, EntryRow.kind, ResultRow.content)
        .join(ResultRow, (ResultRow.entry_id == EntryRow.id) & (ResultRow.kind == EntryRow.kind))
        .where(EntryRow.kind != MASK, EntryRow.round == round_, EntryRow.status == "accepted")
        .order_by(EntryRow.id)
    )
    latest = {tuple(key): result for *key, result in session.execute(query)}
    return [
        ScoredAttack(
            names[team],
            targets[target],
            result["named"],
            result.get("right", 0),
            result.get("needed", 0),
            effective=result["effective"],
            kind=kind,
            success=result.get("success"),
        )
        for (team, target, kind), result in latest.items()
        if target in targets and team in names
    ]


def _attacker(team: str, own: Sequence[ScoredAttack]) -> AttackerLine:
    """Return the results of a team's attacks; the rank is left to a caller who knows the others."""
    return AttackerLine(
        0,
        team,
        len(own),
        sum(hit.effective for hit in own),
        sum(hit.named for hit in own),
        sum(hit.right for hit in own),
    )
