"""The commands of ``sudare``, one module each."""
