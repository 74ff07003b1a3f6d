"""Statistics from randomized data: estimators that see the data and the public steps only."""
