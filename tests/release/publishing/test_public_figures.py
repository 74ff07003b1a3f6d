"""What the public is told of the original: with noise that hides a record, or not at all."""

import numpy as np
import pytest

import sudare
from sudare.core import Draws, Microdata, Numeric, SettingError
from sudare.loss import DistanceLoss, TotalVariation
from sudare.release.publishing import EPSILON, TablePublication
from sudare.release.publishing.public_figures import block_means, table_figures
from sudare.risk import KAnonymity, Reidentification

SEED = 73915502846613094428817


def numbers(rows: int) -> Microdata:
    drawn = np.random.default_rng(5)
    return Microdata(
        (
            Numeric("age", drawn.integers(20, 60, rows).astype(float), role="key"),
            Numeric("income", drawn.lognormal(8, 1, rows), role="sensitive"),
        )
    )


def release(data: Microdata, seed: int = SEED) -> TablePublication[Microdata]:
    recipe = sudare.Recipe("noise", [sudare.mask.Noise(sd_ratio=0.3, columns=("age",))])
    measures = ["reidentification", "k-anonymity", "distance-loss: paired = true"]
    return sudare.publish(data, recipe, measures=measures, seed=seed)


@pytest.mark.parametrize("value", [-1e9, 0.0, 8000.0, 1e12])
@pytest.mark.parametrize("row", [0, 333, 599])
def test_an_outlier_moves_the_mean_over_blocks_by_less_than_the_unit(
    row: int, value: float
) -> None:
    data, draws = numbers(600), Draws(SEED)
    masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.5), seed=1)
    values = data["income"].numeric.values.copy()
    values[row] = value
    other = data.replacing([Numeric("income", values, role="sensitive")])
    loss = DistanceLoss(paired=True)
    unit, own = block_means(loss, data, masked.data, masked.steps, draws)
    _, moved = block_means(loss, other, masked.data, masked.steps, draws)
    assert unit > 1 / 12
    assert own.keys() == moved.keys() == {"", "age", "income"}
    assert all(abs(own[name] - moved[name]) < unit for name in own)


def test_small_tables_tell_no_loss_and_large_ones_tell_it_nearly() -> None:
    few, many = release(numbers(500)).figures, release(numbers(12_000)).figures
    told = [{type(measure) for measure in figures.results} for figures in (few, many)]
    assert told == [{Reidentification, KAnonymity}, {Reidentification, KAnonymity, DistanceLoss}]
    loss = next(r for m, r in many.results.items() if isinstance(m, DistanceLoss))
    assert loss.interval is None
    assert loss.by_record is None
    assert loss.parts == {}


def test_what_the_file_shows_is_told_exactly_and_from_the_file_alone() -> None:
    made = release(numbers(500))
    told = made.figures.results[KAnonymity()]
    assert told.value == KAnonymity()(made.released).value
    assert made.figures.before.keys() == {Reidentification()}


def test_the_same_release_has_the_same_numbers_and_another_list_another_noise() -> None:
    data = numbers(500)
    first, again = release(data), release(data)
    assert first.ledger().content["measures"] == again.ledger().content["measures"]
    differ = 0
    for seed in range(40):
        draws = Draws(SEED + seed)
        exact = [(m, r) for m, r in first.measured if isinstance(m, Reidentification)]
        before = first.risks_before()
        tables = (data, first.masked, first.steps)
        both = table_figures(*tables, exact, before, draws)
        alone = table_figures(*tables, exact, {}, draws)
        [(measure, result)] = exact
        steps = [round((f.results[measure].value - result.value) / 0.005) for f in (both, alone)]
        differ += steps[0] != steps[1]
    assert differ  # else twice the noise less the noise were the number


def test_what_has_no_bound_is_not_told() -> None:
    data = numbers(500)
    recipe = sudare.Recipe("means", [sudare.mask.Microaggregation(k=5, columns=("age", "income"))])
    made = sudare.publish(data, recipe, measures=["reidentification", "total-variation"], seed=SEED)
    assert made.figures.results == {}
    assert TotalVariation() in dict(made.measured)
    assert made.ledger().content["measures"] == []
    assert pytest.approx(1) == EPSILON


def test_invariant_steps_share_what_a_release_may_tell() -> None:
    data = sudare.datasets.toy()
    steps = [sudare.mask.Pram(columns=("region",), retain=0.9, invariant=True)] * 3
    made = sudare.publish(data, sudare.Recipe("two", steps[:2]), measures=[], seed=SEED)
    assert made.figures.results == {}
    made = sudare.publish(data, sudare.Recipe("three", steps), measures=[], seed=SEED)
    with pytest.raises(SettingError, match="at most 2 invariant PRAM steps"):
        made.ledger()
