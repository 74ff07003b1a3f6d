"""Data for the tests of the logit."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def sample(
    n: int, levels: tuple[int, ...], classes: int, seed: int, strength: float = 0.6
) -> tuple[list[Ints], Ints]:
    """Skewed inputs and a target drawn from a main-effects logit."""
    rng = np.random.default_rng(seed)
    inputs = [np.minimum(rng.geometric(2 / (size + 2), n) - 1, size - 1) for size in levels]
    logits = -0.3 * np.arange(classes) + np.zeros((n, 1))
    for codes, size in zip(inputs, levels, strict=True):
        logits += rng.normal(0, strength, (size, classes))[codes]
    return inputs, np.argmax(logits + rng.gumbel(size=logits.shape), axis=1)
