"""Data like an official survey: its table, its file as an office would write it, and persons."""
