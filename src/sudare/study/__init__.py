"""The papers' experiments, each one call: tables and figures that print and save."""

from sudare.study.history import history
from sudare.study.randomization import randomization
from sudare.study.recoding import recoding
from sudare.study.synthesis import synthesis

__all__ = ["history", "randomization", "recoding", "synthesis"]
