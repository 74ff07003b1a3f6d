"""People for the attacks: members, control records, and others of the same population."""

import numpy as np

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric


def people(n: int, seed: int) -> sudare.Microdata:
    """Keys that tell half of what a secret is, and a number."""
    draws = np.random.default_rng(seed)
    age, area = np.rint(draws.normal(40, 12, n)), draws.integers(0, 30, n)
    secret = np.where(draws.random(n) < 0.5, area % 4, draws.integers(0, 4, n))
    return sudare.Microdata(
        (
            Numeric("age", age, role="key"),
            Categorical("area", area, tuple(range(30)), role="key"),
            Categorical("secret", secret, tuple("abcd"), role="sensitive"),
            Numeric("pay", np.rint(np.exp(draws.normal(8, 0.5, n))), role="sensitive"),
        )
    )


def joined(inside: sudare.Microdata, outside: sudare.Microdata) -> sudare.Microdata:
    """Members and then control records, marked."""
    columns = []
    for first in inside.columns:
        second = outside[first.name]
        if isinstance(first, Categorical) and isinstance(second, Categorical):
            codes = np.append(first.codes, second.codes)
            columns.append(Categorical(first.name, codes, first.labels, role=first.role))
        elif isinstance(first, Numeric) and isinstance(second, Numeric):
            values = np.append(first.values, second.values)
            columns.append(Numeric(first.name, values, role=first.role))  # type: ignore[arg-type]
    marks = np.repeat([0, 1], [inside.rows, outside.rows])
    control = Categorical("control", marks, (False, True), role="other")
    return sudare.Microdata((*columns, control))
