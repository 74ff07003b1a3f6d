"""Sequential synthesis of 50,000 × 10 against the bare fits of its trees by scikit-learn."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor

from benchmarks.timing import best_of, report
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.datasets import expenditure_like, toy
from sudare.mask import SequentialSynthesis
from sudare.mask.synthesis.column_models.conditional import Model


def bare_trees(data: Microdata) -> None:
    """Fit a tree to every column, given those before it."""
    columns = [column.values for column in data.columns if isinstance(column, Numeric)]
    stacked = np.stack(columns, axis=1).astype(np.float32)
    for number in range(1, len(columns)):
        tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
        tree.fit(stacked[:, :number], columns[number])


def synthesize(data: Microdata, model: Model) -> None:
    SequentialSynthesis(model=model).fit(data).transform(data, seed=1)


def main(n: int = 50_000) -> None:
    spending = expenditure_like(n)
    spending = spending.without(spending.names[10:])
    trees, regressions, bare = best_of(
        lambda: synthesize(spending, "tree"),
        lambda: synthesize(spending, "regression"),
        lambda: bare_trees(spending),
        rounds=3,
    )
    peer = "bare scikit-learn tree fits"
    report(f"sequential synthesis by trees, {n} × 10 numbers", trees, peer, bare)
    report(f"sequential synthesis by regression, {n} × 10 numbers", regressions, peer, bare)
    people = toy(n)
    trees, regressions = best_of(
        lambda: synthesize(people, "tree"), lambda: synthesize(people, "regression"), rounds=3
    )
    report(
        f"sequential synthesis by trees, {n} × 7 mixed columns",
        trees,
        "by regression",
        regressions,
    )


if __name__ == "__main__":
    main()
