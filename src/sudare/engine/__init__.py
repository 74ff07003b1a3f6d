"""The border: files and frames in and out, counts, moments. Frame libraries live here only."""
