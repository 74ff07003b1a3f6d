"""When phases open and close by themselves, as the rules state it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from sudare.contest.rules.phases import Phase, PhasePeriod, Round, Schedule
from sudare.core import SettingError, check_known, unknown_name


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone by its name in the IANA database."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # as it finds no file, or what is none
        raise unknown_name("time zone", name, sorted(available_timezones())) from None


def schedule_from(given: Mapping[str, Mapping[str, Any]], zone: ZoneInfo) -> Schedule:
    """Return the schedule of a TOML file; times without an offset are those of the zone."""
    check_known("phase", given, list(Phase))
    return {
        Phase(name): PhasePeriod(**{end: in_zone(at, zone) for end, at in times.items()})
        for name, times in given.items()
    }


def in_zone(at: Any, zone: ZoneInfo) -> Any:
    """Return a time without an offset with that of the zone; anything else as it is."""
    if not isinstance(at, datetime) or at.tzinfo is not None:
        return at
    offsets = {at.replace(tzinfo=zone, fold=fold).utcoffset() for fold in (0, 1)}
    if len(offsets) > 1:  # clocks are put forward or back
        raise SettingError(
            "contest: {time} does not exist or occurs twice in {zone}; write it with its offset.",
            time=at.isoformat(),
            zone=zone.key,
        )
    # A fixed offset: times of one zone are compared as the clock on the wall shows them.
    [offset] = offsets
    return at.replace(tzinfo=timezone(offset) if offset else UTC)


def check_freeze(freeze: Mapping[Round, datetime], rounds: Sequence[Round]) -> None:
    """Refuse rounds that the contest has not, and values that are not times."""
    for round_, at in freeze.items():
        if round_ not in rounds:
            raise SettingError("contest: 'freeze' names a round that the contest does not have.")
        _check_time(at)


def _check_time(at: object) -> None:
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise SettingError("contest: times are written as 2018-09-27T09:00:00+09:00.")


def check_schedule(schedule: Schedule, phases: Sequence[Phase]) -> None:
    """Refuse values that are not times, phases not in the contest, and times out of order."""
    times: list[datetime] = []
    for phase in schedule:
        if phase not in phases:
            raise SettingError(
                "contest: the phase '{phase}' is in the schedule, but its round is not.",
                phase=phase,
            )
    for phase in phases:
        period = schedule.get(phase, PhasePeriod())
        for at in (period.opens, period.closes):
            if at is not None:
                _check_time(at)
                times.append(at)
    if times != sorted(times):
        raise SettingError("contest: the times of the schedule are not in the order of the phases.")
