"""Who won, and how long it takes to say so."""

from datetime import UTC, datetime
from pathlib import Path
from time import thread_time

from hypothesis import given, strategies as st

from sudare.contest import Phase
from sudare.contest.entries import ContestEntry
from sudare.contest.results import ScoredAttack, Standings
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.scoring.worker import Worker
from sudare.transactions import History, MaskedHistory, RowDeletion, write_masked
from tests.contest.conftest import MakeContest

TEAMS = "abcde"


def mask(team: str, score: float) -> ContestEntry:
    now = datetime(2018, 9, 27, tzinfo=UTC)
    return ContestEntry(
        1, "mask", "final", team, None, "A.csv", 1, now, "accepted", True, "0", score=score
    )


def standings(scores: dict[str, float], attacks: list[ScoredAttack]) -> Standings:
    return Standings({team: mask(team, score) for team, score in scores.items()}, attacks)


@given(
    st.fixed_dictionaries({team: st.sampled_from([0.1, 0.2, 0.3]) for team in TEAMS}),
    st.dictionaries(
        st.tuples(st.sampled_from(TEAMS), st.sampled_from(TEAMS)).filter(lambda p: p[0] != p[1]),
        st.tuples(st.integers(0, 9), st.booleans()),
    ),
)
def test_a_rank_is_one_more_than_the_teams_that_are_better(
    scores: dict[str, float], attacks: dict[tuple[str, str], tuple[int, bool]]
) -> None:
    hits = [ScoredAttack(*pair, 9, right, 5, done) for pair, (right, done) in attacks.items()]
    outcome = standings(scores, hits)
    hit = {h.target for h in hits if h.effective}
    for line in outcome.leaderboard():
        better = [t for t in TEAMS if t not in hit and scores[t] < scores[line.team]]
        assert line.rank == (None if line.team in hit else 1 + len(better))
        own = [h for h in hits if h.target == line.team]
        assert (line.attacks, line.hits) == (len(own), sum(h.effective for h in own))
    effective = {t: sum(h.effective for h in hits if h.attacker == t) for t in TEAMS}
    lines = outcome.attackers()
    assert {attacker.team for attacker in lines} == {h.attacker for h in hits}
    for attacker in lines:
        assert attacker.rank == 1 + sum(effective[x.team] > effective[attacker.team] for x in lines)
        own = [h for h in hits if h.attacker == attacker.team]
        assert (attacker.attacks, attacker.effective) == (len(own), effective[attacker.team])
        assert (attacker.named, attacker.right) == (9 * len(own), sum(h.right for h in own))


def test_two_hundred_teams_that_all_attack_each_other_are_ranked_at_once() -> None:
    teams = [f"team {number}" for number in range(200)]
    hits = [ScoredAttack(a, t, 9, 4, 5, effective=False) for a in teams for t in teams if a != t]
    outcome = standings({team: float(at) for at, team in enumerate(teams)}, hits)
    began = thread_time()
    assert len(outcome.leaderboard()) == len(outcome.attackers()) == 200
    assert thread_time() - began < 5  # a pass takes 0.1 s, a pass for every team a minute


def test_files_of_the_round_that_are_not_evaluated_are_counted(
    make_contest: MakeContest, history: History, tmp_path: Path
) -> None:
    rounds = ("preliminary", "final")
    contest = make_contest("alpha", "beta", rounds=rounds, limits=ContestLimits(samples=1))
    contest.open_phase(Phase.FINAL_MASKING)
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    for team in contest.teams():
        contest.accept_mask(team, tmp_path / "A.csv", "A.csv")

    def waiting() -> list[int]:
        return [
            contest.standings(contest.referee(), round_name).waiting
            for round_name in ("preliminary", "final")
        ]

    assert waiting() == [0, 2]
    worker = Worker(contest)
    job = contest.jobs.claim(worker.name)
    assert job is not None
    assert waiting() == [0, 2]
    worker.handle(job)
    assert waiting() == [0, 1]
    worker.run(until_idle=True)
    contest.open_phase(Phase.FINAL_RESULT)
    assert contest.request_statistics() == 2
    assert waiting() == [0, 0], "statistics are no part of the result"


def test_statistics_that_failed_are_neither_waited_for_nor_in_the_way(
    make_contest: MakeContest, history: History, tmp_path: Path
) -> None:
    contest = make_contest("alpha", "beta", "gamma", limits=ContestLimits(samples=1))
    contest.open_phase(Phase.FINAL_MASKING)
    for share, team in zip((0.1, 0.2, 0.3), contest.teams(), strict=True):
        masked = RowDeletion(share=share).mask(MaskedHistory.of(history), seed=1)
        write_masked(masked, tmp_path / "A.csv", overwrite=True)
        contest.accept_mask(team, tmp_path / "A.csv", "A.csv")
    Worker(contest).run(until_idle=True)
    contest.open_phase(Phase.FINAL_RESULT)
    assert contest.request_statistics() == 3
    assert contest.statistics(None, "final").waiting == 3
    worker = Worker(contest)
    job = contest.jobs.claim(worker.name)
    assert job is not None
    assert contest.statistics(None, "final").waiting == 3
    contest.store.path(contest.entry(contest.referee(), job.entry_id).file).write_text("broken")
    worker.handle(job)
    statistics = contest.statistics(None, "final")
    assert (statistics.waiting, statistics.failed, statistics.correlations) == (2, 1, {})
    worker.run(until_idle=True)
    statistics = contest.statistics(None, "final")
    assert (statistics.waiting, statistics.failed) == (0, 1)
    broken, *others = statistics.rows
    assert {broken["team"], broken["rows"]} == {"alpha", None}
    assert all(isinstance(row["rows"], float) for row in others)
