"""Records: methods that leave whole records out, and adjust the weights of those that stay."""
