"""Benchmarks: each prints ratios to a named peer or bound measured in the same run."""
