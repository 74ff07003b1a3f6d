"""The phases, the clock and the table of permissions."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from sudare.contest.rules.phases import (
    PERMISSIONS,
    ROLES,
    ROUNDS,
    Order,
    Phase,
    PhasePeriod,
    Resource,
    allowed,
    moment_at,
    phases_of,
)

PHASES = phases_of()
START = datetime(2018, 9, 6, tzinfo=UTC)


def hours(number: float) -> datetime:
    return START + timedelta(hours=number)


def every_hour() -> dict[Phase, PhasePeriod]:
    """Phases that are open for one hour and followed by another in which none is."""
    return {p: PhasePeriod(hours(2 * n), hours(2 * n + 1)) for n, p in enumerate(PHASES)}


def test_the_table_has_a_cell_for_every_resource_and_phase() -> None:
    asked = {resource for resource, _ in PERMISSIONS}
    assert {resource for _, resource in asked} == set(Resource)
    assert len(PERMISSIONS) == len(asked) * len(Phase)


def test_a_team_reads_no_more_than_the_phase_allows() -> None:
    when = {
        resource: [str(p) for p in PHASES if allowed("team", p, resource, "final")]
        for resource in Resource
    }
    assert when[Resource.DATA] == ["final-masking", "final-attack", "final-result"]
    assert when[Resource.PUBLISHED] == ["final-attack", "final-result"]
    assert when[Resource.LEADERBOARD] == ["final-result"]
    assert when[Resource.MASKED] == []
    assert when[Resource.SUBMIT_MASK] == ["final-masking"]
    assert when[Resource.SUBMIT_ATTACK] == ["final-attack"]


@pytest.mark.parametrize("phase", PHASES)
def test_only_the_referee_sees_pseudonyms_and_controls(phase: Phase) -> None:
    for round_, resource in (
        ("preliminary", Resource.MASKED),
        ("final", Resource.MASKED),
        (None, Resource.CONTROL),
        (None, Resource.ALL_ENTRIES),
    ):
        may = [role for role in ROLES if allowed(role, phase, resource, round_)]  # type: ignore[arg-type]
        assert may == ["referee"]


@given(st.sampled_from(ROLES), st.sampled_from(PHASES), st.sampled_from(list(Resource)))
def test_a_visitor_may_nothing_that_a_team_may_not_but_register(
    role: str, phase: Phase, resource: Resource
) -> None:
    for round_ in (None, *ROUNDS):
        if resource != Resource.REGISTER and allowed("visitor", phase, resource, round_):
            assert allowed("team", phase, resource, round_)
        assert not allowed(role, phase, resource, "third")  # type: ignore[arg-type]


def test_nobody_submits_between_two_phases() -> None:
    for phase in PHASES:
        for resource in (Resource.SUBMIT_MASK, Resource.SUBMIT_ATTACK):
            for round_ in ROUNDS:
                assert not allowed("team", phase, resource, round_, is_open=False)


def test_the_clock_opens_and_closes_every_phase() -> None:
    for number, phase in enumerate(PHASES):
        moment = moment_at(PHASES, every_hour(), [], hours(2 * number + 0.5))
        assert (moment.phase, moment.is_open) == (phase, True)
        moment = moment_at(PHASES, every_hour(), [], hours(2 * number + 1.5))
        assert (moment.phase, moment.is_open) == (phase, False)
    before = moment_at(PHASES, every_hour(), [], hours(-1))
    assert (before.phase, before.is_open) == (Phase.REGISTER, False)


def test_without_times_only_the_referee_moves_a_contest() -> None:
    assert moment_at(PHASES, {}, [], hours(999)).phase == Phase.REGISTER
    orders = [Order(Phase.FINAL_ATTACK, True, hours(1)), Order(Phase.FINAL_MASKING, True, hours(2))]
    assert moment_at(PHASES, {}, orders, hours(1)).phase == Phase.FINAL_ATTACK
    assert moment_at(PHASES, {}, orders, hours(3)).phase == Phase.FINAL_MASKING


def test_a_phase_closed_early_is_not_opened_again_by_its_hour() -> None:
    orders = [Order(Phase.FINAL_MASKING, True, hours(0.5))]  # all before is skipped
    moment = moment_at(PHASES, every_hour(), orders, hours(2.5))  # preliminary masking by the clock
    assert moment.phase == Phase.FINAL_MASKING


def test_a_phase_opened_again_ends_with_the_next_hour() -> None:
    orders = [Order(Phase.PRELIMINARY_MASKING, True, hours(3.5))]  # half an hour after its end
    assert moment_at(PHASES, every_hour(), orders, hours(3.9)).phase == Phase.PRELIMINARY_MASKING
    assert moment_at(PHASES, every_hour(), orders, hours(4)).phase == Phase.PRELIMINARY_ATTACK


def test_a_phase_opened_again_has_no_closing_time_that_has_passed() -> None:
    orders = [Order(Phase.PRELIMINARY_MASKING, True, hours(3.5))]
    again = moment_at(PHASES, every_hour(), orders, hours(3.9))
    assert (again.is_open, again.closes) == (True, None)
    first = moment_at(PHASES, every_hour(), [], hours(2.5))
    assert first.closes == hours(3)
    assert moment_at(PHASES, every_hour(), [], hours(3.5)).closes == hours(3), "closed at its time"


def test_a_referee_who_leaves_the_schedule_is_told_what_it_will_not_open() -> None:
    back = [Order(Phase.PRELIMINARY_MASKING, True, hours(6.5))]  # the hour of the result
    assert moment_at(PHASES, every_hour(), back, hours(6.6)).skipped == (
        Phase.PRELIMINARY_ATTACK,
        Phase.PRELIMINARY_RESULT,
    )
    ahead = [Order(Phase.PRELIMINARY_RESULT, True, hours(0.5))]
    assert moment_at(PHASES, every_hour(), ahead, hours(0.6)).skipped == (
        Phase.PRELIMINARY_MASKING,
        Phase.PRELIMINARY_ATTACK,
    )


@given(st.floats(-1, 15), st.sampled_from(PHASES), st.floats(0, 20))
def test_what_is_skipped_never_opens_by_itself_and_all_else_does(
    at: float, phase: Phase, more: float
) -> None:
    order = [Order(phase, True, hours(at))]
    moment = moment_at(PHASES, every_hour(), order, hours(at))
    later = moment_at(PHASES, every_hour(), order, hours(at + more))
    assert not (later.is_open and later.phase in moment.skipped)
    for number, other in enumerate(PHASES):
        if hours(2 * number) > hours(at) and other not in (*moment.skipped, phase):
            opened = moment_at(PHASES, every_hour(), order, hours(2 * number + 0.5))
            assert (opened.phase, opened.is_open) == (other, True)


@given(
    st.lists(st.floats(0, 20), min_size=2, max_size=2), st.floats(-1, 15), st.sampled_from(PHASES)
)
def test_the_clock_alone_never_goes_back(times: list[float], at: float, phase: Phase) -> None:
    first, second = sorted(times)
    order = [Order(phase, True, hours(at))]
    places = [
        2 * PHASES.index(moment.phase) + (not moment.is_open)
        for time in (first, second)
        for moment in [moment_at(PHASES, every_hour(), order, hours(time))]
    ]
    assert places[0] <= places[1] or first < at <= second
