import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import sudare
from sudare.core.types import Floats
from sudare.loss import EntropyLoss
from sudare.loss.tables.entropy_loss import entropy, posterior_entropy
from sudare.mask import GlobalRecode, Pram

shares = arrays(float, 5, elements=st.floats(0.01, 1)).map(lambda x: x / x.sum())


@given(shares, arrays(float, (5, 4), elements=st.floats(0.01, 1)))
def test_publishing_never_adds_to_what_is_left_to_guess(prior: Floats, matrix: Floats) -> None:
    transition = matrix / matrix.sum(axis=1, keepdims=True)
    left = (prior @ transition) @ posterior_entropy(prior, transition)
    assert -1e-12 <= left <= entropy(prior) + 1e-12


@given(shares)
def test_nothing_is_left_when_all_is_published_and_all_when_nothing_is(prior: Floats) -> None:
    np.testing.assert_allclose(posterior_entropy(prior, np.eye(5)), 0, atol=1e-12)
    everything = posterior_entropy(prior, np.full((5, 3), 1 / 3))
    np.testing.assert_allclose(everything, entropy(prior))


def test_a_recoding_costs_the_entropy_within_what_was_merged(toy: sudare.Microdata) -> None:
    masked = sudare.apply(toy, GlobalRecode(min_share=0.2, columns=("region",)))
    result = EntropyLoss(columns=("region",), relative=False)(toy, masked.data, steps=masked.steps)
    old, new = toy["region"].coded, masked.data["region"].coded
    expected = 0.0
    for code in range(len(new.labels)):
        inside = np.bincount(old.codes[new.codes == code])
        part = inside[inside > 0] / inside.sum()
        expected -= inside.sum() * (part * np.log(part)).sum()
    assert result.value == pytest.approx(expected)


def test_pram_uses_the_public_matrix(toy: sudare.Microdata) -> None:
    measure = EntropyLoss(columns=("region",))
    values = []
    for retain in (1.0, 0.9, 0.5, 1 / 8):
        masked = sudare.apply(toy, Pram(retain=retain, columns=("region",)), seed=1)
        values.append(measure(toy, masked.data, steps=masked.steps).value)
    assert values[0] == 0
    assert values == sorted(values)
    assert values[-1] == pytest.approx(1)


def test_steps_compose(toy: sudare.Microdata) -> None:
    twice = sudare.apply(toy, [Pram(retain=0.8), Pram(retain=0.8)], seed=1)
    once = sudare.apply(toy, Pram(retain=0.8), seed=1)
    measure = EntropyLoss(columns=("region",))
    lost = [measure(toy, masked.data, steps=masked.steps).value for masked in (once, twice)]
    assert lost[0] < lost[1]
