"""Customer anonymity, judged by what is published alone, and against the optimum by trial."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import sudare
from sudare.core.draws import draws_from
from sudare.core.errors import SudareError
from sudare.core.types import Flags
from sudare.transactions import (
    ATTACKERS,
    CoarseDates,
    CustomerAnonymity,
    History,
    MaskedHistory,
    RowDeletion,
    attack_all,
    check,
    published,
    read_history,
    read_masked,
    utility,
    write_masked,
)
from sudare.transactions.files.history_files import masked_lines
from sudare.transactions.mask import customer_anonymity
from sudare.transactions.mask._kernels_pairs import SCALE
from sudare.transactions.mask.alignment import Baskets
from sudare.transactions.mask.grouping import Groups, PairCosts, cheapest_pairs, short_cycles
from tests.transactions.strategies import histories


def customers_alike(masked: MaskedHistory) -> list[int]:
    """How many customers of a published file have exactly the same rows, group by group."""
    rows = defaultdict[str, list[str]](list)
    for line in masked_lines(published(masked)):
        pseudonym, cells = line.split(",", 1)
        rows[pseudonym].append(cells)
    return sorted(Counter(tuple(sorted(lines)) for lines in rows.values()).values())


def fits(history: History, masked: MaskedHistory) -> Flags:
    """Whether each published customer fits each original one, (pseudonyms, customers): rows of the
    original can be found for all published rows, each inside the cells, none twice."""
    given = published(masked)
    pseudonyms = np.unique(given.pseudonyms)
    inside = np.ones((given.rows, history.rows), dtype=np.bool_)
    for name in ("date", "price", "quantity"):
        cells, values = given.amounts(name), history.amounts(name)
        low, high = cells.low[:, None], cells.high[:, None]
        inside &= cells.deleted[:, None] | ((low <= values) & (values <= high))
    for row, number in enumerate(given.items.cells):
        if number >= 0:
            names = {given.items.item_ids[code] for code in given.items.members_of(number)}
            inside[row] &= np.isin(history.items, [history.item_ids.index(n) for n in names])
    fitting = np.zeros((len(pseudonyms), len(history.customer_ids)), dtype=np.bool_)
    for i, pseudonym in enumerate(pseudonyms):
        mine = inside[given.pseudonyms == pseudonym]
        for j in range(len(history.customer_ids)):
            graph = csr_array(mine[:, history.customers == j])
            fitting[i, j] = (maximum_bipartite_matching(graph, perm_type="column") >= 0).all()
    return fitting


@pytest.fixture(scope="module")
def history() -> History:
    return sudare.datasets.purchases_like(12, seed=3)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_k_customers_publish_the_same_rows(k: int, history: History, tmp_path: Path) -> None:
    masked = CustomerAnonymity(k=k).mask(history, seed=1)
    assert check(history, masked) == []
    write_masked(masked, tmp_path / "A.csv")
    groups = customers_alike(read_masked(tmp_path / "A.csv"))
    assert sum(groups) == 12
    assert min(groups) >= k


@pytest.mark.parametrize("customers", [3, 5, 7])
def test_customers_who_are_left_over_join_a_group(customers: int) -> None:
    history = sudare.datasets.purchases_like(customers, seed=2)
    masked = CustomerAnonymity(k=2).mask(history, seed=1)
    assert customers_alike(masked) == [2] * (customers // 2 - 1) + [3]
    assert check(history, masked) == []


@pytest.mark.parametrize("k", [2, 3])
def test_many_customers_are_grouped_with_those_who_buy_as_often(
    k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in (("_MOST_TOGETHER", 20), ("_BLOCK", 8)):
        monkeypatch.setattr(customer_anonymity, name, number)
    history = sudare.datasets.purchases_like(27, seed=2)
    masked = CustomerAnonymity(k=k).mask(history, seed=1)
    assert check(history, masked) == []
    groups = customers_alike(masked)
    assert sum(groups) == 27
    assert min(groups) >= k


@pytest.mark.parametrize("structure", ["groups", "cycles"])
def test_every_customer_fits_two_both_ways(structure: str, history: History) -> None:
    masked = CustomerAnonymity(structure=structure).mask(history, seed=1)  # type: ignore[arg-type]
    assert check(history, masked) == []
    fit = fits(history, masked)
    assert fit.sum(axis=0).min() >= 2
    assert fit.sum(axis=1).min() >= 2
    truth = masked.pseudonyms[~masked.gone] - 1, history.customers[~masked.gone]
    assert fit[truth].all()


def test_cycles_do_not_cost_more_than_pairs() -> None:
    history = sudare.datasets.purchases_like(30, seed=5)
    pairs, cycles = (
        utility(history, CustomerAnonymity(structure=s).mask(history, seed=1))
        for s in ("groups", "cycles")
    )
    assert cycles < pairs


def test_what_is_published_does_not_tell_which_way_round_a_cycle_goes() -> None:
    """Whatever the toss, the multiset of published customers is the same."""
    history = sudare.datasets.purchases_like(9, seed=5)
    files = set()
    for seed in range(8):
        masked = CustomerAnonymity(structure="cycles").mask(history, seed=seed)
        rows = defaultdict[str, list[str]](list)
        for line in masked_lines(published(masked)):
            pseudonym, cells = line.split(",", 1)
            rows[pseudonym].append(cells)
        files.add(tuple(sorted(map(tuple, rows.values()))))
    assert len(files) == 1
    assert max(Counter(next(iter(files))).values()) <= 2


def merged_cost(history: History, first: int, second: int) -> float:
    """What a pair costs, written down plainly: the sum of errors of all its cells."""
    rows = [np.flatnonzero(history.customers == customer) for customer in (first, second)]
    rows.sort(key=len)
    costs = np.zeros((len(rows[0]), len(rows[1])))
    for name in ("date", "price", "quantity"):
        values = history.scaled(name)
        costs += np.minimum(np.abs(values[rows[0]][:, None] - values[rows[1]]), 2)
    costs += history.items[rows[0]][:, None] != history.items[rows[1]]
    matched = costs[linear_sum_assignment(costs)].sum()
    return float(matched + 4 * (len(rows[1]) - len(rows[0])))


def best_pairing(costs: np.ndarray, left: tuple[int, ...]) -> float:
    if not left:
        return 0.0
    first, *others = left
    return min(
        float(costs[first, other]) + best_pairing(costs, tuple(o for o in others if o != other))
        for other in others
    )


def best_derangement(costs: np.ndarray) -> float:
    people = range(len(costs))
    return min(
        float(sum(costs[i, p[i]] for i in people)) / 2
        for p in permutations(people)
        if all(p[i] != i for i in people)
    )


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_the_best_there_are(seed: int) -> None:
    history = sudare.datasets.purchases_like(6, seed=seed)
    costs = np.array(
        [[merged_cost(history, i, j) if i != j else 0 for j in range(6)] for i in range(6)]
    )
    masked = CustomerAnonymity().mask(history, seed=1)
    best = best_pairing(costs, tuple(range(6)))
    assert utility(history, masked) == pytest.approx(best / (4 * history.rows), rel=1e-4)
    cycles = CustomerAnonymity(structure="cycles").mask(history, seed=1)
    assert utility(history, cycles) == pytest.approx(
        best_derangement(costs) / (4 * history.rows), rel=0.02
    )


@given(histories(), st.integers(0, 3))
def test_any_history_with_two_customers_can_be_masked(history: History, seed: int) -> None:
    if len(history.customer_ids) < 2:
        with pytest.raises(SudareError, match="number of customers"):
            CustomerAnonymity().mask(history, seed=seed)
        return
    for masker in (CustomerAnonymity(), CustomerAnonymity(structure="cycles")):
        masked = masker.mask(history, seed=seed)
        assert check(history, masked) == []
        assert fits(history, masked).sum(axis=1).min() >= 2
        assert len(np.unique(masked.pseudonyms[~masked.gone])) == len(history.customer_ids)


@pytest.mark.parametrize("k", [2, 3])
def test_the_order_of_the_rows_does_not_matter(k: int, history: History) -> None:
    order = np.random.default_rng(1).permutation(history.rows)
    masker = CustomerAnonymity(k=k)
    straight = masked_lines(published(masker.mask(history, seed=4)))
    assert masked_lines(published(masker.mask(history.take(order), seed=4))) == straight


def test_pseudonyms_are_dealt_anew(history: History) -> None:
    masker = CustomerAnonymity()
    first, second = (masker.mask(history, seed=seed).pseudonyms for seed in (1, 2))
    assert (first != second).any()


@pytest.mark.parametrize("before", [CoarseDates(), RowDeletion(share=0.2)])
def test_a_file_that_is_masked_already_is_masked_further(
    before: CoarseDates | RowDeletion, history: History
) -> None:
    masked = CustomerAnonymity(k=3).mask(before.mask(history, seed=1), seed=2)
    assert check(history, masked) == []
    assert min(customers_alike(masked)) >= 3


def test_cycles_are_for_two() -> None:
    with pytest.raises(SudareError, match="k = 2"):
        CustomerAnonymity(k=3, structure="cycles")


def test_progress_is_told_and_work_can_be_stopped(history: History) -> None:
    def stop(share: float) -> None:
        assert 0 < share <= 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        CustomerAnonymity().mask(history, seed=1, on_progress=stop)


@dataclass(frozen=True)
class Final:
    """T of the final of 2018, with its cheapest pairs: half a minute of work for several tests."""

    history: History
    costs: PairCosts
    pairs: Groups


@pytest.fixture(scope="module")
def final(real_data: Path) -> Final:
    history = read_history(real_data / "pwscup2018_final_T.csv")
    costs = PairCosts.bounded(Baskets.of(MaskedHistory.of(history)))
    return Final(history, costs, cheapest_pairs(costs))


def test_the_final_of_2018_reaches_the_winner(final: Final) -> None:
    """The winner has U = 0.206 and 2,622 rows deleted (tables 3 and 7): the optimum of pairs."""
    costs, pairs = final.costs, np.array(final.pairs)
    whole = 4 * final.history.rows * SCALE
    assert costs.least[pairs[:, 0], pairs[:, 1]].sum() / whole == pytest.approx(0.2060116, abs=1e-7)
    assert np.abs(np.diff(costs.baskets.sizes[pairs], axis=1)).sum() == 2622
    cycles = short_cycles(costs)
    doubled = sum(costs.doubled(cycle) for cycle in cycles)
    assert doubled / (2 * whole) == pytest.approx(0.2053356, abs=1e-7)
    assert Counter(map(len, cycles)) == {2: 419, 3: 54}
    assert costs.assignments < 8000  # of 499,500


def test_no_attacker_hits_the_pairs_of_the_final_of_2018(final: Final) -> None:
    """By the contest's rule; by the tight bound, half of the names right are too many."""
    whole = MaskedHistory.of(final.history)
    masked = CustomerAnonymity().alike(whole, final.costs.baskets, final.pairs, draws_from(1))
    assert customers_alike(masked) == [2] * 500
    assert utility(final.history, masked) == pytest.approx(0.2060116, abs=1e-7)
    attacks = attack_all(final.history, masked)
    assert {type(outcome.attacker) for outcome in attacks.outcomes} == set(map(type, ATTACKERS))
    assert not attacks.effective("contest")
    assert attacks.effective("tight")
    for outcome in attacks.outcomes:
        assert outcome.score.right <= 0.53 * max(outcome.score.named, 100)


@pytest.mark.parametrize("k", [2, 3])
def test_medians_and_commonest_items_cost_no_more_than_hulls(k: int, history: History) -> None:
    hull = CustomerAnonymity(k=k, rounds=1).mask(history, seed=1)
    center = CustomerAnonymity(k=k, rounds=1, representative="center").mask(history, seed=1)
    assert utility(history, center) <= utility(history, hull) + 1e-12
    assert min(customers_alike(center)) >= k
