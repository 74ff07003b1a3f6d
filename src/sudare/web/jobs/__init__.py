"""Jobs: long work in processes of its own, with progress, cancelling and events for a page."""
