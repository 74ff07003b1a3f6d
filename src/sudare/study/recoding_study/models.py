"""The models of the recoding study: which there are, fitting them, and taking up where one left."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np

from sudare.core import Categorical, Floats, Integers, OnProgress
from sudare.describe.regression.logit import Fit
from sudare.engine.counting import as_they_end, groups
from sudare.engine.formats import ResultCache
from sudare.loss.models import Scores, Undefined, level_codes, model_scores

ORIGINAL = 0.0  # the share under which the unmasked inputs stand


@dataclass(frozen=True, order=True)
class Model:
    """A variable to predict and the variables to predict it from."""

    target: str
    inputs: tuple[str, ...]

    def label(self, letters: Mapping[str, str]) -> str:
        """Return the model as the paper writes it: ``O~IF``."""
        joined = "" if all(len(letter) == 1 for letter in letters.values()) else "+"
        return f"{letters[self.target]}~{joined.join(letters[name] for name in self.inputs)}"


def all_models(variables: Sequence[str], max_inputs: int | None = None) -> Iterator[Model]:
    """Yield every target with every subset of the other variables, few inputs first.

    Examples
    --------
    >>> len(list(all_models(["I", "O", "F", "N", "C"])))
    75
    """
    most = len(variables) - 1 if max_inputs is None else min(max_inputs, len(variables) - 1)
    for width in range(1, most + 1):
        for target in variables:
            others = [name for name in variables if name != target]
            for inputs in combinations(others, width):
                yield Model(target, inputs)


# A fitted design: the target and, by input, which of its recodings went in. Inputs that recoding
# made constant say nothing and are left out, so that many models share a design.
Design = tuple[str, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, eq=False)
class Versions:
    """The codes of every variable, as they were and as each minimum share recodes them.

    Records that are equal in all variables are one row with their number as its weight: from here
    on, nothing depends on the number of records.

    Attributes
    ----------
    codes
        By variable, its different codings, each of shape (rows,); the first is the original.
        Absent values are levels behind the labels.
    which
        By variable and share, the number of its coding.
    labels
        By variable, the number of its original labels.
    weights
        Number of records of each row or, with sampling weights, their sum, shape (rows,).
    """

    codes: Mapping[str, Sequence[Integers]]
    which: Mapping[tuple[str, float], int]
    labels: Mapping[str, int]
    weights: Floats

    @classmethod
    def of(
        cls, recoded: Mapping[float, Mapping[str, Categorical]], weights: Floats | None = None
    ) -> "Versions":
        """Return the versions of columns by share and name; equal codings become one."""
        equal = groups(list(recoded[ORIGINAL].values()))
        some_record = np.empty(len(equal.sizes), np.int64)
        some_record[equal.index] = np.arange(len(equal.index))
        codes: dict[str, list[Integers]] = {name: [] for name in recoded[ORIGINAL]}
        which = {}
        for share, columns in recoded.items():
            for name in columns:
                column, known = level_codes(columns[name].take(some_record)), codes[name]
                same = (i for i, other in enumerate(known) if np.array_equal(column, other))
                which[name, share] = next(same, len(known))
                if which[name, share] == len(known):
                    known.append(column)
        labels = {name: len(column.labels) for name, column in recoded[ORIGINAL].items()}
        sums = equal.sizes.astype(np.float64) if weights is None else equal.sums(weights)
        return cls(codes, which, labels, sums)

    def design(self, model: Model, share: float) -> Design:
        """Return what is fitted for a model at a share."""
        chosen = ((name, self.which[name, share]) for name in model.inputs)
        return model.target, tuple((n, v) for n, v in chosen if _varies(self.codes[n][v]))

    def model_data(self, design: Design) -> tuple[list[Integers], Integers, Floats]:
        """Return inputs, target and weights of a design, over the rows that have the target."""
        target, inputs = design
        goal = self.codes[target][0]
        columns = [self.codes[name][version] for name, version in inputs]
        known = goal < self.labels[target]
        if known.all():
            return columns, goal, self.weights
        return [codes[known] for codes in columns], goal[known], self.weights[known]

    def digest(self) -> str:
        """Return a fingerprint of the codes, to know a study again."""
        hashed = hashlib.blake2b(self.weights.tobytes(), digest_size=16)
        for name, versions in self.codes.items():
            hashed.update(name.encode())
            for codes in versions:
                hashed.update(codes.astype("<i4").tobytes())
        return hashed.hexdigest()


def score_designs(
    versions: Versions,
    designs: Sequence[Design],
    *,
    undefined: Undefined,
    cache: ResultCache,
    on_progress: OnProgress | None = None,
) -> dict[Design, Scores]:
    """Fit and score every design, in parallel, few inputs first, unless they are in the cache.

    A model begins from the effects of one with an input less, if that was fitted in this run.
    """
    done = {d: Scores(**cache[_key(d)]) for d in designs if _key(d) in cache}
    waiting = sorted((d for d in designs if d not in done), key=lambda d: (len(d[1]), d))
    fits: dict[Design, Fit] = {}

    def work(design: Design) -> tuple[Design, Scores, Fit | None]:
        inputs, target, weights = versions.model_data(design)
        start = _start(design, fits)
        modelled = model_scores(inputs, target, weights=weights, undefined=undefined, start=start)
        return design, modelled.scores, modelled.fit

    for width in sorted({len(inputs) for _, inputs in waiting}):  # each begins from smaller ones
        wave = [design for design in waiting if len(design[1]) == width]
        for design, scores, fit in as_they_end(work, wave):
            if fit is not None:
                fits[design] = fit
            done[design] = scores
            cache.add(_key(design), asdict(scores))
            if on_progress:
                on_progress(len(done), len(designs), f"{design[0]} ~ {width}")
    return done


def _varies(codes: Integers) -> bool:
    return bool((codes != codes[0]).any())


def _start(design: Design, fits: Mapping[Design, Fit]) -> Sequence[Floats | None] | None:
    target, inputs = design
    for left_out in reversed(range(len(inputs))):
        smaller = (target, inputs[:left_out] + inputs[left_out + 1 :])
        if smaller in fits:
            effects = list(fits[smaller].effects)
            return [*effects[:left_out], None, *effects[left_out:]]
    return None


def _key(design: Design) -> str:
    return json.dumps(design, ensure_ascii=False)
