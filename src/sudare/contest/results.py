"""Who won: leaderboard, attackers, who hit whom, and the tables of use cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from sudare.contest.database import Database, ResultRow
from sudare.contest.entries import Entry, counted_attacks, counted_masks
from sudare.contest.phases import Round


@dataclass(frozen=True)
class Leader:
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
class Hit:
    """What became of an attack: right names among those named, and how many were needed."""

    attacker: str
    target: str
    named: int
    right: int
    needed: int
    effective: bool


@dataclass(frozen=True)
class Statistics:
    """Errors of use cases and statistics by team, and their correlation with the score."""

    rows: Sequence[Mapping[str, object]] = ()
    correlations: Mapping[str, float | None] = field(default_factory=dict)
    waiting: int = 0


@dataclass(frozen=True)
class Standings:
    """All that counts in one round, from one look at the database."""

    masks: Mapping[str, Entry]
    attacks: Sequence[Entry]

    @classmethod
    def of(cls, database: Database, round_: Round) -> "Standings":
        """Return what counts in a round now."""
        with database.reading() as session:
            masks = counted_masks(session, round_)
            return cls(masks, counted_attacks(session, round_, masks.values()))

    def hits(self) -> list[Hit]:
        """Return what became of every attack that counts, by target and attacker."""
        found = [
            Hit(
                attack.team,
                attack.target or "",
                attack.named or 0,
                attack.right or 0,
                attack.needed or 0,
                bool(attack.effective),
            )
            for attack in self.attacks
        ]
        return sorted(found, key=lambda hit: (hit.target, hit.attacker))

    def leaderboard(self) -> list[Leader]:
        """Return safe files by their score, then the others; equal scores share a rank."""
        hits = self.hits()
        lines = [
            Leader(
                None,
                team,
                float(mask.score or 0.0),
                mask.parts,
                sum(hit.target == team for hit in hits),
                sum(hit.target == team and hit.effective for hit in hits),
                tuple(mask.result.get("missed", ())),
            )
            for team, mask in self.masks.items()
        ]
        lines.sort(key=lambda line: (not line.safe, line.score, line.team))
        safe = [line.score for line in lines if line.safe]
        return [
            Leader(
                1 + safe.index(line.score) if line.safe else None,
                *(line.team, line.score, line.parts, line.attacks, line.hits, line.missed),
            )
            for line in lines
        ]

    def attackers(self) -> list[AttackerLine]:
        """Return who attacked, by the number of files hit effectively."""
        hits = self.hits()
        lines = []
        for team in sorted({hit.attacker for hit in hits}):
            own = [hit for hit in hits if hit.attacker == team]
            effective = sum(hit.effective for hit in own)
            named, right = sum(hit.named for hit in own), sum(hit.right for hit in own)
            lines.append((effective, right, team, len(own), named))
        lines.sort(key=lambda line: (-line[0], -line[1], line[2]))
        order = [-line[0] for line in lines]
        return [
            AttackerLine(1 + order.index(-effective), team, attacks, effective, named, right)
            for effective, right, team, attacks, named in lines
        ]

    def statistics(self, database: Database) -> Statistics:
        """Return the errors of the files that count, as far as they are computed."""
        from sudare.study.history_tables import correlation

        ids = {mask.id: team for team, mask in self.masks.items()}
        query = select(ResultRow.entry_id, ResultRow.content).where(
            ResultRow.kind == "statistics", ResultRow.entry_id.in_(list(ids))
        )
        with database.reading() as session:
            errors = {ids[entry]: content for entry, content in session.execute(query)}
        scores = {team: float(self.masks[team].score or 0.0) for team in errors}
        order = sorted(errors, key=lambda team: (scores[team], team))
        names = list(errors[order[0]]) if order else []
        return Statistics(
            [{"team": team, "score": scores[team], **errors[team]} for team in order],
            {
                name: correlation(
                    [scores[team] for team in order], [errors[team][name] for team in order]
                ).value
                for name in names
            },
            waiting=len(ids) - len(errors),
        )
