"""The phases of a contest in their order, and who may do what in which of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, get_args

ContestRole = Literal["visitor", "team", "referee"]
ROLES: tuple[ContestRole, ...] = get_args(ContestRole)
Round = Literal["preliminary", "final"]
ROUNDS: tuple[Round, ...] = get_args(Round)
Activity = Literal["register", "masking", "attack", "result"]


class Phase(StrEnum):
    """What a contest is at; a contest with one round has only the final's phases."""

    REGISTER = "register"
    PRELIMINARY_MASKING = "preliminary-masking"
    PRELIMINARY_ATTACK = "preliminary-attack"
    PRELIMINARY_RESULT = "preliminary-result"
    FINAL_MASKING = "final-masking"
    FINAL_ATTACK = "final-attack"
    FINAL_RESULT = "final-result"

    @property
    def round(self) -> Round | None:
        """The round that the phase belongs to; none while teams register."""
        return next((name for name in ROUNDS if self.startswith(name)), None)

    @property
    def activity(self) -> Activity:
        """What teams do: register, mask, attack, or read the result."""
        return self.rpartition("-")[2]  # type: ignore[return-value]


def phases_of(rounds: Sequence[Round] = ROUNDS) -> tuple[Phase, ...]:
    """Return the phases of a contest with these rounds.

    Examples
    --------
    >>> [str(phase) for phase in phases_of(["final"])]
    ['register', 'final-masking', 'final-attack', 'final-result']
    """
    return tuple(phase for phase in Phase if phase.round is None or phase.round in rounds)


class Resource(StrEnum):
    """What can be done or read."""

    REGISTER = "register"
    SUBMIT_MASK = "submit-mask"
    SUBMIT_ATTACK = "submit-attack"
    CONTROL = "control"  # close and open phases, announce, make teams
    RULES = "rules"
    ANNOUNCEMENTS = "announcements"
    PROGRESS = "progress"
    OWN_ENTRIES = "own-entries"
    ALL_ENTRIES = "all-entries"
    DATA = "data"  # T
    PUBLISHED = "published"  # A′ of every team
    MASKED = "masked"  # A of every team, and who its pseudonyms are
    LEADERBOARD = "leaderboard"  # also who hit whom
    STATISTICS = "statistics"


WHILE_OPEN = frozenset({Resource.REGISTER, Resource.SUBMIT_MASK, Resource.SUBMIT_ATTACK})
"""What is possible only while a phase is open, not between two phases."""

# One row per resource and, where there is one for each round, per round; one column per phase; a
# cell names the roles that may: v visitor, t team, r referee.
_TABLE = """
                             register  p-mask  p-att  p-res  f-mask  f-att  f-res
register                           vr       r      r      r       r      r      r
control                             r       r      r      r       r      r      r
rules                             vtr     vtr    vtr    vtr     vtr    vtr    vtr
announcements                     vtr     vtr    vtr    vtr     vtr    vtr    vtr
progress                           tr      tr     tr     tr      tr     tr     tr
own-entries                         t       t      t      t       t      t      t
all-entries                         r       r      r      r       r      r      r
preliminary submit-mask             -       t      -      -       -      -      -
preliminary submit-attack           -       -      t      -       -      -      -
preliminary data                    r      tr     tr     tr      tr     tr     tr
preliminary published               r       r     tr     tr      tr     tr     tr
preliminary masked                  r       r      r      r       r      r      r
preliminary leaderboard             r       r      r    vtr     vtr    vtr    vtr
preliminary statistics              r       r      r    vtr     vtr    vtr    vtr
final submit-mask                   -       -      -      -       t      -      -
final submit-attack                 -       -      -      -       -      t      -
final data                          r       r      r      r      tr     tr     tr
final published                     r       r      r      r       r     tr     tr
final masked                        r       r      r      r       r      r      r
final leaderboard                   r       r      r      r       r      r    vtr
final statistics                    r       r      r      r       r      r    vtr
"""

RoundResource = tuple[Round | None, Resource]


def _read_table(text: str) -> dict[tuple[RoundResource, Phase], frozenset[ContestRole]]:
    permissions: dict[tuple[RoundResource, Phase], frozenset[ContestRole]] = {}
    for line in text.strip().splitlines()[1:]:
        *name, _, _, _, _, _, _, _ = line.split()
        cells = line.split()[-len(Phase) :]
        round_ = name[0] if len(name) == 2 else None
        for phase, letters in zip(Phase, cells, strict=True):
            roles = frozenset(role for role in ROLES if role[0] in letters)
            permissions[(round_, Resource(name[-1])), phase] = roles  # type: ignore[index]
    return permissions


PERMISSIONS: Mapping[tuple[RoundResource, Phase], frozenset[ContestRole]] = _read_table(_TABLE)
"""Who may, by round and resource, and phase."""


def roles_of(resource: Resource) -> frozenset[ContestRole]:
    """Return who may do or read something in any phase.

    Examples
    --------
    >>> sorted(roles_of(Resource.SUBMIT_MASK))
    ['team']
    """
    cells = [roles for ((_, name), _), roles in PERMISSIONS.items() if name == resource]
    return frozenset[ContestRole]().union(*cells)


def allowed(
    role: ContestRole,
    phase: Phase,
    resource: Resource,
    round_: Round | None = None,
    *,
    is_open: bool = True,
) -> bool:
    """Return whether a role may do or read something in a phase.

    Parameters
    ----------
    role
        Who asks.
    phase
        The phase of the contest.
    resource, round_
        What is asked for, and of which round where there is one for each.
    is_open
        Whether the phase is open; between two phases nobody can submit.

    Examples
    --------
    >>> allowed("team", Phase.FINAL_MASKING, Resource.DATA, "final")
    True
    >>> allowed("team", Phase.FINAL_MASKING, Resource.PUBLISHED, "final")
    False
    """
    may = role in PERMISSIONS.get(((round_, resource), phase), frozenset())
    return may and (is_open or resource not in WHILE_OPEN or role == "referee")


@dataclass(frozen=True)
class Moment:
    """Where a contest stands: the phase, whether it is open, and when it opens and closes.

    ``skipped`` are phases with a time in the schedule that will not open by themselves, because the
    referee has gone past or back behind them.
    """

    phase: Phase
    is_open: bool
    opens: datetime | None = None
    closes: datetime | None = None
    skipped: tuple[Phase, ...] = ()


@dataclass(frozen=True)
class PhasePeriod:
    """When a phase opens and closes by itself; without times only the referee does it."""

    opens: datetime | None = None
    closes: datetime | None = None


@dataclass(frozen=True)
class Order:
    """What the referee did by hand: opened or closed a phase."""

    phase: Phase
    is_open: bool
    at: datetime


Schedule = Mapping[Phase, PhasePeriod]


def moment_at(
    phases: Sequence[Phase], schedule: Schedule, orders: Iterable[Order], now: datetime
) -> Moment:
    """Return where a contest stands: the schedule leads forward, the referee anywhere.

    The clock opens and closes phases at their times but never goes back, so that a referee who
    closes a phase early is not overruled by its hour; a phase that the referee opens again stays
    open until the clock closes it or a later phase opens. A contest starts with its first phase,
    open unless that has a time.

    Examples
    --------
    >>> from datetime import UTC
    >>> noon, later = (datetime(2018, 9, 6, hour, tzinfo=UTC) for hour in (12, 15))
    >>> schedule = {Phase.FINAL_MASKING: PhasePeriod(opens=noon, closes=later)}
    >>> moment = moment_at(phases_of(["final"]), schedule, [], later)
    >>> str(moment.phase), moment.is_open
    ('final-masking', False)
    """
    events = [(order.at, 1, order.phase, order.is_open) for order in orders]
    for phase, period in schedule.items():
        events += [(at, 0, phase, True) for at in [period.opens] if at is not None]
        events += [(at, 0, phase, False) for at in [period.closes] if at is not None]
    first = schedule.get(phases[0], PhasePeriod())
    position = 0 if first.opens is None else 1  # twice the number of the phase, and 1 when closed
    for at, by_hand, phase, is_open in sorted(events, key=lambda event: event[:2]):
        if at <= now:
            reached = 2 * phases.index(phase) + (not is_open)
            position = reached if by_hand or _leads_on(position, reached) else position
    phase = phases[position // 2]
    own, is_open = schedule.get(phase, PhasePeriod()), position % 2 == 0
    passed = is_open and own.closes is not None and own.closes <= now  # opened again by hand
    skipped = tuple(_skipped(phases, schedule, phase, now))
    return Moment(phase, is_open, own.opens, None if passed else own.closes, skipped)


def _skipped(
    phases: Sequence[Phase], schedule: Schedule, phase: Phase, now: datetime
) -> Iterator[Phase]:
    """Yield phases before this one whose time is to come, and after it whose time has passed."""
    current = phases.index(phase)
    for position, other in enumerate(phases):
        opens = schedule.get(other, PhasePeriod()).opens
        if opens is not None and position != current and (position < current) == (opens > now):
            yield other


def _leads_on(position: int, reached: int) -> bool:
    """Return whether the clock may go there: forward, or from a first phase not yet open."""
    return reached > position or (position == 1 and reached == 0)
