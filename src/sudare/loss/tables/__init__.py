"""Losses counted in tables: direct comparison, CTBIL, EBIL, total variation, Hellinger."""
