"""Noise: additive, correlated, multiplicative."""
