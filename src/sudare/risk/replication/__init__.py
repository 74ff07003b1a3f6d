"""Replication: records and secrets of a synthetic table that are those of real people."""
