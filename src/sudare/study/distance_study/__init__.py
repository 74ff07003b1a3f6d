"""Loss based on distances: the examples of Akiyama and Wada, and the same on your columns."""
