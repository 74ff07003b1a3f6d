"""Run every benchmark: ``python -m benchmarks``, or some: ``python -m benchmarks counting``."""

import sys
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

for name in sys.argv[1:] or NAMES:
    print(f"# {name}")
    import_module(f"benchmarks.{name}").main()
