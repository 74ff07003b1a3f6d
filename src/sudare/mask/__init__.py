"""Masking methods, one per file."""

from sudare.mask.global_recode import GlobalRecode
from sudare.mask.noise import Noise
from sudare.mask.orthogonal_transform import OrthogonalTransform
from sudare.mask.pram import Pram
from sudare.mask.regression_synthesis import RegressionSynthesis

__all__ = ["GlobalRecode", "Noise", "OrthogonalTransform", "Pram", "RegressionSynthesis"]
