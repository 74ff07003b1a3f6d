"""The study of randomization."""
