"""Losses of whole tables: propensity, associations, moments."""
