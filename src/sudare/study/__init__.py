"""The papers' experiments, each one call: tables and figures that print and save."""

from sudare.study.recoding import recoding

__all__ = ["recoding"]
