"""Risks counted on keys: k, l, t, uniques, SUDA2."""
