"""What is measured by default: one currency of risk and one of loss, for every method."""

LOSS = "distance-loss: paired = true"
FOR_TABLES = ("reidentification", "k-anonymity", LOSS, "total-variation: dimensions = 2")
FOR_HISTORIES = ("reidentification", "cell-error")
