"""What flows through the house: data, methods, results, draws, errors."""
