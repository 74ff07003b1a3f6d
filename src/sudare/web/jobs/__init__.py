"""Jobs: long work in processes of its own, with progress, canceling and events for a page."""
