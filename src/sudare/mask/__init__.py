"""Masking methods, one per file."""

from sudare.mask.global_recode import GlobalRecode
from sudare.mask.noise import Noise
from sudare.mask.pram import Pram

__all__ = ["GlobalRecode", "Noise", "Pram"]
