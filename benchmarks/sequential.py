"""Sequential synthesis of 50,000 × 10 against the bare fits of its trees by scikit-learn.

On Adult (48,842 × 14), where the public data sets are there (SUDARE_DATA): general utility. The
reference is pMSE 8e-5 and total variation .0038/.0106 in 5 s; synthpop's trees written in Python
have 1.1e-4 and .0042/.0106 in 11 s.
"""

import time

import numpy as np
import pyarrow.csv
from sklearn.tree import DecisionTreeRegressor

import sudare
from benchmarks.public import DATA
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


def adult(seeds: int = 3) -> None:
    """Print the utility of trees on Adult, and what they take."""
    table = pyarrow.csv.read_csv(DATA / "adult.csv").drop_columns(["fnlwgt"])
    people = sudare.read(table, roles=dict.fromkeys(table.column_names, "key"))
    for seed in range(1, seeds + 1):
        start = time.process_time()
        made = sudare.apply(people, SequentialSynthesis(), seed=seed).data
        taken = time.process_time() - start
        error = sudare.loss.Propensity()(people, made).value / 4  # of its largest value, 1/4
        apart = [sudare.loss.TotalVariation(dimensions=d)(people, made).value for d in (1, 2)]
        print(
            f"Adult by trees, seed {seed}: pMSE {error:.1e}, total variation {apart[0]:.4f} and "
            f"{apart[1]:.4f}, {taken:.1f} s of processor time"
        )


def main(n: int = 50_000) -> None:
    if (DATA / "adult.csv").exists():
        adult()
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
