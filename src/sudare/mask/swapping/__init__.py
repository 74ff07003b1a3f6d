"""Values exchanged between records: rank and record swapping, shuffling."""
