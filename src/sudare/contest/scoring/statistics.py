"""The statistics of one masked file, in a fresh process.

Started as ``python -m sudare.contest.scoring.statistics``.

The library that mines itemsets has threads, which do not live on in a forked process.
"""

import argparse
from pathlib import Path

from sudare.contest.rulebooks import EvaluationTask, evaluate, package_for
from sudare.contest.rules import ContestRules
from sudare.contest.scoring.sandbox import Sandbox
from sudare.engine.frames import part

MODULE = "sudare.contest.scoring.statistics"


def main(arguments: list[str] | None = None) -> None:
    """Measure a file within limits and write what was found to another; started by a worker."""
    parser = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=__doc__)
    parser.add_argument("rules", type=Path, help="the rules of the contest")
    parser.add_argument("original", type=Path, help="T")
    parser.add_argument("file", type=Path, help="the masked file")
    parser.add_argument("answer", type=Path, help="where what is found is written")
    parser.add_argument("seconds", type=float, help="of processor time, at most")
    parser.add_argument("memory", type=int, help="bytes beyond those of the libraries, at most")
    options = parser.parse_args(arguments)
    package = package_for(ContestRules.read(options.rules))
    data = {"data": options.original}
    task = EvaluationTask(data, lambda: package.load(data), options.file)
    part("rusket", "histories")  # what libraries take is not the file's
    Sandbox(options.seconds, options.memory).confine(
        lambda: evaluate(package, "statistics", task), options.answer
    )


if __name__ == "__main__":
    main()
