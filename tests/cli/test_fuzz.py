"""A fuzzer over command line, recipes and Python: only our own errors, and no value of a cell.

SUDARE_FUZZ_SEED and SUDARE_FUZZ_INPUTS choose other inputs and more of them.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import tomli_w

import sudare
from sudare.catalog import METHODS
from sudare.cli import main
from sudare.core import SudareError

SEED = int(os.environ.get("SUDARE_FUZZ_SEED", "20"))
INPUTS = int(os.environ.get("SUDARE_FUZZ_INPUTS", "200"))
PLANTED = "Zqplanted"
NUMBER = 7_418_529.25  # of no other origin than the table

# Methods that need no compilation.
MASKERS = ("pram", "global-recode", "noise", "rounding", "top-bottom-code", "rank-swapping")
MEASURES = ("uniques", "k-anonymity", "total-variation", "hellinger", "mean-absolute-error")
NAMES = ("town", "income", "age", "when", "nobody", "", "列", "a=b", "*")
ODD: tuple[Any, ...] = (
    *(0, 1, -1, 2**70, 0.5, 1e308, float("nan"), float("inf"), True, None, "", "x", "±", b"x"),
    *([], [0.5], ["town"], {}, {"town": 1}, {"town": {"a": "b"}}, {1: 2}, (), object, object()),
    *(np.int64(3), np.float32(0.5), np.bool_(1), np.array([1.0, 2.0]), np.str_("town")),
    *(Path("nowhere"), range(3), lambda: 1, pl.DataFrame({"town": ["x"]})),
)


class Dice(random.Random):
    """Draws inputs of every kind."""

    def word(self) -> str:
        """Return a word that may stand on a command line."""
        plain = (
            *NAMES,
            *(f"{self.choice(NAMES)}={self.choice(NAMES)}" for _ in range(3)),
            *("-1", "0", "1", "3", "1e9", "nan", "1GB", "4 parsecs", "utf-8", "ascii", "cp932"),
            *(";", "\t", "..", "\x00"[:0], "pram: retain =", "pram: retain = 2", "uniques < "),
            *(f"{self.choice(MASKERS)}: columns = ['{self.choice(NAMES)}']" for _ in range(3)),
            *(f"{self.choice(MEASURES)} <= {self.choice(('1', '0', 'x', '-1e9'))}",),
            *MASKERS,
            *MEASURES,
        )
        return self.choice(plain)

    def settings(self, names: list[str]) -> dict[str, Any]:
        known = self.sample(names, min(len(names), self.randrange(3)))
        given = {name: self.choice(ODD) for name in known}
        return {**given, "retian": 1} if self.random() < 0.05 else given


OPTIONS = (
    *("-k", "--sensitive", "--identifier", "--weights", "--household", "--scale", "--type"),
    *("--missing", "--not-applicable", "--encoding", "--separator", "--skip-rows", "--memory"),
    *("--step", "--measure", "--limit", "--seed", "--out-encoding", "--repeats", "--format"),
    *("--json", "--force", "--help", "--no-such-option"),
)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    frame = pl.DataFrame(
        {
            "town": [f"{PLANTED}{i % 3}" for i in range(12)],
            "income": [NUMBER + i for i in range(12)],
            "age": [20 + i % 4 for i in range(12)],
            "when": ["2020-01-01", "2020-01-02", f"{PLANTED}-day"] * 4,
        }
    )
    path = tmp_path / "table.csv"
    frame.write_csv(path)
    monkeypatch.chdir(tmp_path)
    return path


def check_said(said: str, done: object) -> None:
    """See that nothing of the table was printed."""
    for secret in (PLANTED, PLANTED.lower(), "741852", "7,418,52"):
        assert secret not in said, done


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capsys.readouterr()
    assert left.value.code in {0, 1, 2, None}, words
    assert "unexpected error" not in said.err, words
    check_said(said.out + said.err, words)


def test_no_words_on_the_command_line_break_it(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = Dice(SEED)
    other = table.with_name("other.csv")
    other.write_bytes(table.read_bytes()[: dice.randrange(20, 200)])
    commands = ("list", "describe", "mask", "measure", "compare", "report", "history", "nothing")
    for number in range(INPUTS):
        words = [dice.choice(commands)]
        files = [str(table), str(other), "absent.csv", str(table.parent)]
        words += dice.choices(files, (8, 2, 1, 1), k=dice.randrange(3))
        if dice.random() < 0.7:
            words += ["-o", f"{number}.{dice.choice(('csv', 'parquet', 'xlsx', 'odd'))}"]
        for _ in range(dice.randrange(5)):
            words += [dice.choice(OPTIONS), *([dice.word()] if dice.random() < 0.9 else [])]
        run(words, capsys)


def test_no_recipe_breaks_the_command_line(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = Dice(SEED + 1)
    recipe = table.with_name("recipe.toml")
    for number in range(INPUTS):
        text = tomli_w.dumps(odd_recipe(dice))
        if dice.random() < 0.2:
            spot = dice.randrange(len(text) + 1)
            text = text[:spot] + dice.choice("[]{}=\"'\n#\x01é") + text[spot + 1 :]
        recipe.write_text(text, encoding=dice.choice(("utf-8", "utf-16")))
        words = ["mask", str(table), "-o", f"{number}.csv", "--recipe", str(recipe), "-k", "town"]
        run(words, capsys)


def odd_recipe(dice: Dice) -> dict[str, Any]:
    """Return a recipe with a few things wrong."""
    plain: list[Any] = [3, "x", True, 0.5, [], {}, [1, 2], {"town": "key"}, {"town": ["key"]}]
    methods = [entry for entry in METHODS if entry.slug in MASKERS]
    steps = []
    for _ in range(dice.randrange(3)):
        entry = dice.choice(methods)
        names = [setting.name for setting in entry.settings]
        settings = {dice.choice(names): dice.choice(plain) for _ in range(dice.randrange(3))}
        steps.append({"method": dice.choice((entry.slug, "no-such", 3)), **settings})
    content: dict[str, Any] = {"name": "r", "steps": steps}
    for part in ("roles", "scales", "steps", "name", "odd"):
        if dice.random() < 0.15:
            content[part] = dice.choice(plain)
    return content


def test_no_argument_in_python_breaks_it(table: Path) -> None:
    dice = Dice(SEED + 2)
    data = sudare.read(table, roles={"town": "key", "age": "key"})
    for _ in range(4 * INPUTS):
        call, given = python_call(dice, data, table)
        try:
            check_said(repr(call()), given)
        except SudareError as error:
            check_said(str(error), given)


def python_call(
    dice: Dice, data: sudare.Microdata, table: Path
) -> tuple[Callable[[], object], object]:
    """Return a call with odd arguments, and what it is in words."""
    entry = dice.choice(METHODS)
    make: Any = entry.method
    settings = dice.settings([setting.name for setting in entry.settings])
    odd, other = dice.choice(ODD), dice.choice(ODD)
    library: Any = sudare
    option = dice.choice(("roles", "scales", "orders", "types", "missing", "weights"))
    cheap: Any = sudare.mask.Pram(columns=("town",))
    calls: dict[str, Callable[[], object]] = {
        "make": lambda: make(**settings),
        "apply": lambda: library.apply(data, odd),
        "apply to": lambda: library.apply(odd, cheap),
        "read": lambda: library.read(table, **{option: odd}),
        "assign": lambda: data.assigning(odd, other),
        "compare": lambda: library.compare(data, odd, other, seed=1),
        "compare measures": lambda: library.compare(data, {"a": cheap}, odd, seed=1),
        "publish": lambda: library.publish(data, odd, measures=other),
        "limits": lambda: library.publish(data, sudare.Recipe("r", [cheap]), limits=odd),
        "measure": lambda: library.risk.Uniques()(odd, other),
        "recipe": lambda: sudare.Recipe.from_mapping(odd),
    }
    name = dice.choice(list(calls))
    return calls[name], (name, entry.slug, settings, option, odd, other)
