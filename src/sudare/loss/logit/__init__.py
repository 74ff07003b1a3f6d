"""Multinomial logit on categorical inputs: counts in, effects, predictions and scores out."""

from sudare.loss.logit.counting import collapse, distinct
from sudare.loss.logit.multinomial import Fit, fit_logit, predict, probabilities
from sudare.loss.logit.scores import Scores, confusion, scores

__all__ = [
    "Fit",
    "Scores",
    "collapse",
    "confusion",
    "distinct",
    "fit_logit",
    "predict",
    "probabilities",
    "scores",
]
