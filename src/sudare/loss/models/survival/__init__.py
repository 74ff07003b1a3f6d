"""Survival: times until an event, some of them censored."""
