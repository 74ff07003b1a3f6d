"""Run every benchmark: ``python -m benchmarks``, or some: ``python -m benchmarks counting``."""

import sys
from importlib import import_module

NAMES = (
    *("counting", "border", "logit", "recoding_study", "ild"),
<<<<<<< HEAD
    *("microaggregation", "suppression", "linkage", "synthesis", "sequential"),
    *("histories",),
=======
    *("microaggregation", "suppression", "linkage", "synthesis", "sequential", "use_cases"),
>>>>>>> usecases
)

for name in sys.argv[1:] or NAMES:
    print(f"# {name}")
    import_module(f"benchmarks.{name}").main()
