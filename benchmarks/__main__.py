"""Run every benchmark: ``python -m benchmarks``, or some: ``python -m benchmarks counting``."""

import subprocess
import sys
import time
from importlib import import_module

NAMES = (
    *("counting", "border", "proposing", "logit", "recoding_study", "ild"),
    *("microaggregation", "suppression", "linkage", "synthesis", "sequential", "cohort"),
    *("histories", "use_cases", "attacks", "anonymity", "comparing", "reconstruction"),
    "customer_anonymity",
    *("risks", "synthetic_risks"),
    *("large", "spark", "how_big"),
    *("contest", "contest_cohort", "workbench"),
    *("first_call", "peak_memory"),
)


def _fails(name: str) -> bool:
    """Run one by itself: if it fails, or takes all memory, the others are left alone."""
    program = [sys.executable, "-m", "benchmarks", name]
    start = time.perf_counter()
    failed = subprocess.run(program, check=False).returncode != 0
    print(f"# {name}: {time.perf_counter() - start:.0f} s", flush=True)
    return failed


if len(sys.argv) == 2:
    print(f"# {sys.argv[1]}", flush=True)
    import_module(f"benchmarks.{sys.argv[1]}").main()
else:
    failed = [name for name in sys.argv[1:] or NAMES if _fails(name)]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
