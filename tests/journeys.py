"""Which of our files a piece of work visits: ``python -m tests.journeys`` walks three journeys.

Counted are the functions and methods of the package that run, each once; the files they are in; and
the greatest number of them that wait for one another. Not counted are bodies of modules and
classes, what runs while a module is imported, and the compiler of kernels (``core/kernels``), which
runs once for each kernel: declarations, not work. Comprehensions and lambdas belong to the function
around them. Spark's workers are processes of their own and are not followed. What the gate runs, in
``release/inspection`` and below it, is counted apart: its checks stand beside one another, each a
journey of its own, and none of them is on the way of the data.

``python -m tests.journeys measures`` counts, for every measure of the catalog, the files of
``risk`` or ``loss`` in which its value is computed. What lies below (counts, regressions, pairing
of columns, results) is vocabulary that all measures share, and is read once for all of them.
"""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import sudare
from sudare.core import Assessment

PACKAGE = f"{Path(sudare.__file__).parent}{os.sep}"
COMPILER = f"{PACKAGE}core{os.sep}kernels{os.sep}"
GATE = f"{PACKAGE}release{os.sep}inspection{os.sep}"
REGIONS = ("north", "south", "east", "west")
TABLE = "region,sex,income\n" + "".join(
    f"{REGIONS[number % 4]},{'fm'[number % 2]},{number // 8 % 5 * 10}\n" for number in range(400)
)
RECIPE = '[[steps]]\nmethod = "pram"\ncolumns = ["region"]\nretain = 0.8\n'
NEEDED = {
    "MembershipInference": {"control": "held"},
    "SurvivalOverlap": {"time": "age", "event": "held"},
}


@dataclass
class Journey:
    """What a piece of work has visited."""

    functions: dict[CodeType, None] = field(default_factory=dict)
    depth: int = 0
    gate: dict[CodeType, None] = field(default_factory=dict)

    @property
    def files(self) -> list[str]:
        """The files, in the order in which they were first visited."""
        return _files_of(self.functions)

    def __str__(self) -> str:
        """Give files, functions and depth as in ``32/175/14``, and what the gate adds."""
        journey = f"{len(self.files)}/{len(self.functions)}/{self.depth}"
        added = [code for code in self.gate if code not in self.functions]
        files = [file for file in _files_of(added) if file not in self.files]
        return f"{journey}, the gate adds {len(files)}/{len(added)}" if added else journey

    def visit(self, frame: FrameType, event: str, _: Any) -> None:
        """Take note of a call; this is the profiler of the interpreter."""
        if event != "call" or not _is_function(frame.f_code):
            return
        depth = 0
        for_gate = False
        caller: FrameType | None = frame
        while caller is not None:
            if _is_import(caller.f_code):
                return
            for_gate = for_gate or caller.f_code.co_filename.startswith(GATE)
            depth += _is_function(caller.f_code)
            caller = caller.f_back
        if for_gate:
            self.gate[frame.f_code] = None
        else:
            self.functions[frame.f_code] = None
            self.depth = max(self.depth, depth)


def _files_of(functions: Iterable[CodeType]) -> list[str]:
    return list(dict.fromkeys(code.co_filename.removeprefix(PACKAGE) for code in functions))


def _is_function(code: CodeType) -> bool:
    """Return whether it is a function of ours; a name in angle brackets is a part of another."""
    has_locals = bool(code.co_flags & 0x2)  # not the body of a class
    return code.co_filename.startswith(PACKAGE) and has_locals and not code.co_name.startswith("<")


def _is_import(code: CodeType) -> bool:
    """Return whether it compiles a kernel, or is the body of a module that runs no command."""
    if code.co_filename.startswith(COMPILER):
        return True
    is_body = code.co_name == "<module>" and code.co_filename.startswith(PACKAGE)
    return is_body and not code.co_filename.endswith("__main__.py")


@contextmanager
def walked() -> Iterator[Journey]:
    """Follow everything that happens inside, in threads too."""
    journey = Journey()
    threading.setprofile(journey.visit)
    sys.setprofile(journey.visit)
    try:
        yield journey
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def mask_a_file(*options: str) -> Journey:
    """``sudare mask in.csv -o out.parquet --recipe r.toml``."""
    with tempfile.TemporaryDirectory() as folder:
        source, recipe = Path(folder, "in.csv"), Path(folder, "r.toml")
        source.write_text(TABLE, encoding="utf-8")
        recipe.write_text(RECIPE, encoding="utf-8")
        words = ["mask", source, "-o", Path(folder, "out.parquet"), "--recipe", recipe]
        with suppress(SystemExit), walked() as journey:
            from sudare.cli import main

            main([*map(str, words), "-k", "region", "-k", "sex", *options])
    return journey


def compare_recipes() -> Journey:
    """``sudare.compare(data, recipes, measures)`` with two of each."""
    data = sudare.datasets.toy(400, seed=3)
    recipes = {str(retain): [sudare.mask.Pram(retain=retain)] for retain in (0.5, 0.9)}
    measures = [sudare.risk.KAnonymity(), sudare.loss.TotalVariation()]
    with walked() as journey:
        sudare.compare(data, recipes, measures, seed=7)
    return journey


def mask_in_spark() -> Journey:
    """Take a Spark frame through ``sudare.apply`` with PRAM, until the records come out."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder: Any = SparkSession.builder
    session = builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    rows = [(f"r{number % 5}", float(number)) for number in range(60)]
    frame = session.createDataFrame(rows, "region string, income double")
    masker = sudare.mask.Pram(retain=0.8)
    with walked() as journey:
        data = sudare.open(frame, roles={"region": "key"})
        masked: Any = sudare.apply(data, masker, seed=7).data.to_frame()
        masked.toArrow()
    session.stop()
    return journey


JOURNEYS: dict[str, Callable[[], Journey]] = {
    "mask": mask_a_file,
    "mask --internal": lambda: mask_a_file("--internal"),
    "compare": compare_recipes,
    "spark": mask_in_spark,
}


def measured_files() -> dict[str, list[str]]:
    """Return, by measure, the files of risk or loss in which its value is computed."""
    toy = sudare.datasets.toy(400, seed=3)
    held = sudare.core.Categorical("held", np.arange(toy.rows) % 3 == 0, (0, 1), role="other")
    data = sudare.Microdata((*toy.columns, held))
    masked = sudare.apply(data, sudare.mask.Pram(columns=("region",)), seed=7).data
    files = {}
    for entry in sudare.catalog.METHODS:
        if entry.subject == "table" and issubclass(entry.method, Assessment):
            settings = NEEDED.get(entry.name, {})
            measure: Any = entry.method(**settings)
            released = masked.without({settings.get("control", "")})  # control records stay out
            with walked() as journey:
                measure(data, released)
            files[entry.name] = [
                name for name in journey.files if name.startswith(("risk", "loss"))
            ]
    return files


def main(wanted: list[str]) -> None:
    """Print the journeys asked for, each in a process of its own; by default all of them."""
    if wanted == ["measures"]:
        for name, files in measured_files().items():
            sys.stdout.write(f"{len(files)} {name}: {' '.join(files)}\n")
    elif wanted:
        journey = JOURNEYS[wanted[0]]()
        sys.stdout.write(f"{wanted[0]}: {journey}\n")
        for file in journey.files if "-v" in wanted else ():
            names = [
                code.co_name for code in journey.functions if code.co_filename == PACKAGE + file
            ]
            sys.stdout.write(f"{file}: {' '.join(names)}\n")
    else:
        for name in JOURNEYS:
            subprocess.run([sys.executable, "-m", "tests.journeys", name], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
