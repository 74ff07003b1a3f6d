"""The study of global recoding."""
