"""Attribute and membership inference."""
