"""Masking purchase histories."""
