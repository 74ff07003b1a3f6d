"""The study of synthetic data."""
