"""The tables and the report of the randomization study: one chart, its figures, the budget."""

from collections.abc import Mapping, Sequence

import numpy as np

from sudare.core import Figure, nominal, quantitative, say
from sudare.mask.randomize import total_epsilon
from sudare.release import Chart, Table, Text
from sudare.release.report import Block
from sudare.study.result import Row, finding_rows, rounded, yes_and_no

Areas = Mapping[tuple[str, int], Sequence[float]]
Tables = Mapping[str, Sequence[Row]]

_COLORS = {
    "original": "#222222",
    "randomized": "#d98a2b",
    "kernel": "#2f6db5",
    "linear": "#78b0ec",
    "naive-bayes": "#59bd8d",
    "sampling": "#155c43",
    "generalization": "#b0477f",
    "suppression": "#e58fbd",
    "both": "#6d1f4b",
}
_NEAR_GUESSING = 0.6  # a method as bad as this need not be in the picture


def method_title(method: str) -> str:
    """Return the name of a method in words."""
    return {
        "original": say("original"),
        "randomized": say("randomized"),
        "kernel": say("reconstructed, kernel"),
        "linear": say("reconstructed, linear"),
        "naive-bayes": say("naive Bayes"),
        "sampling": say("one key per record"),
        "generalization": say("generalized"),
        "suppression": say("suppressed"),
        "both": say("generalized and suppressed"),
    }[method]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of a few repeats (Student's t); one gives itself."""
    from scipy.special import stdtrit

    mean, number = float(np.mean(values)), len(values)
    if number == 1:
        return mean, mean
    reach = stdtrit(number - 1, 0.975) * np.std(values, ddof=1) / np.sqrt(number)
    return float(max(mean - reach, 0)), float(min(mean + reach, 1))


def figure_rows(areas: Areas, counts: Sequence[int]) -> list[Row]:
    """Return the mean area of each method, one row per k."""
    methods = list(dict.fromkeys(method for method, _ in areas))
    return [{"k": k, **{m: float(np.mean(areas[m, k])) for m in methods}} for k in counts]


def interval_rows(areas: Areas) -> list[Row]:
    """Return mean and interval of each method at each k."""
    return [
        {
            "method": method,
            "k": k,
            "area": float(np.mean(values)),
            "from": interval(values)[0],
            "to": interval(values)[1],
            "repeats": len(values),
        }
        for (method, k), values in areas.items()
    ]


def findings(areas: Areas, counts: Sequence[int]) -> list[Row]:
    """Return whether the paper's findings, and ours, hold here; those that were looked at."""
    means = {key: float(np.mean(values)) for key, values in areas.items()}
    methods = {method for method, _ in areas}
    masked = methods - {"original"}

    def best(method: str) -> bool:
        return all(means[method, k] >= means[other, k] for k in counts for other in masked)

    held: Row = {}
    if "randomized" in methods and len(counts) > 1:
        falls = [means["randomized", k] for k in counts]
        held[say("randomized: the area falls as k grows")] = falls == sorted(falls, reverse=True)
    if "kernel" in methods:
        over = [means["kernel", k] for k in counts]
        held[say("kernel: the area is nearly the same at every k (within 0.01)")] = (
            max(over) - min(over) <= 0.01
        )
        held[say("kernel: the largest area at every k")] = best("kernel")
    if {"kernel", "randomized"} <= methods:
        held[say("kernel: reconstruction gains at every k")] = all(
            means["kernel", k] > means["randomized", k] for k in counts
        )
    if "sampling" in methods:
        held[say("one key per record: the largest area at every k")] = best("sampling")
    return finding_rows(held)


def budget_rows(counts: Sequence[int], rows: int, inputs: int) -> list[Row]:
    """Return what each k leaves to spend: in all, and on a key."""
    return [
        {
            "k": k,
            "ε": total_epsilon(k, rows),
            "ε of each key, shared": total_epsilon(k, rows) / inputs,
            "ε of one key per record": total_epsilon(k, rows),
        }
        for k in counts
    ]


def presented(tables: Tables) -> dict[str, Sequence[Row]]:
    """Return the tables as people read them."""
    shown = dict(tables)
    shown["findings"] = [yes_and_no(row) for row in tables["findings"]]
    shown["figure_1"] = [
        {k if k == "k" else method_title(k): v for k, v in row.items()}
        for row in tables["figure_1"]
    ]
    shown["intervals"] = [
        row | {"method": method_title(str(row["method"]))} for row in tables["intervals"]
    ]
    return {name: [rounded(row) for row in rows] for name, rows in shown.items()}


def randomization_blocks(
    tables: Tables, areas: Areas, training: int, test: int, inputs: int
) -> list[Block]:
    """Return the report's blocks in their order."""
    shown = presented(tables)
    return [
        Text(
            say(
                "{training} records were masked in their {inputs} inputs and used for training; "
                "{test} other, unmasked records show how well the target is predicted (area "
                "under the ROC curve; 0.5 is a guess). Each repeat uses another split.",
                training=training,
                inputs=inputs,
                test=test,
            )
        ),
        Text(heading=say("Area under the curve (fig. 1)")),
        Chart(area_chart(areas), say("Methods near guessing lie below the picture.")),
        Table.of(shown["figure_1"]),
        Table.of(shown["findings"]),
        Text(_methods(), say("The methods")),
        Text(heading=say("Means with 95 % intervals")),
        Table.of(shown["intervals"]),
        Text(heading=say("The budget")),
        Table.of(shown["budget"]),
    ]


def area_chart(areas: Areas) -> Figure:
    """Return the picture: area by k, one line per method, with intervals."""
    points = [
        {
            "method": method_title(method),
            "k": str(k),
            "area": float(np.mean(values)),
            "low": interval(values)[0],
            "high": interval(values)[1],
        }
        for (method, k), values in areas.items()
    ]
    methods = list(dict.fromkeys(method for method, _ in areas))
    means = [float(np.mean(values)) for values in areas.values()]
    bottom = min([mean for mean in means if mean > _NEAR_GUESSING], default=0.4)
    x = {"field": "k", "type": "ordinal", "sort": None, "title": "k", "axis": {"labelAngle": 0}}
    domain = [np.floor(20 * bottom) / 20, np.ceil(20 * max(means)) / 20]
    y = quantitative("area", title=say("area under the curve"), scale={"domain": domain})
    colors = {
        "domain": [method_title(method) for method in methods],
        "range": [_COLORS[method] for method in methods],
    }
    color = nominal("method", title=None, sort=None, scale=colors)
    point = {"type": "point", "filled": True, "size": 50, "opacity": 1, "clip": True}
    return Figure(
        title=say("Area under the curve (fig. 1)"),
        background=None,
        data={"values": points},
        width=420,
        height=320,
        encoding={"x": x, "color": color},
        layer=[
            {"mark": {"type": "line", "clip": True}, "encoding": {"y": y}},
            {
                "mark": {"type": "rule", "clip": True},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {**point, "tooltip": {"content": "data"}}, "encoding": {"y": y}},
        ],
    )


def _methods() -> str:
    return say(
        "Randomized: Pk-anonymization with the budget shared equally, then logistic regression as "
        "if nothing had happened; reconstructed: the same with the weights of a density ratio; "
        "naive Bayes: from the tables behind the noise. One key per record: each record publishes "
        "one key, drawn at random, with the whole budget. Generalized: the levels of least loss "
        "that are k-anonymous; suppressed: the records that are k-anonymous as they are; both: "
        "levels of least loss when up to a fifth of the records may go."
    )
