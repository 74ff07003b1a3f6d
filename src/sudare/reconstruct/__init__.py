"""Statistics from randomized data: estimators that see the data and the public steps only."""

from sudare.reconstruct.naive_bayes import NaiveBayes, NaiveBayesModel

__all__ = ["NaiveBayes", "NaiveBayesModel"]
