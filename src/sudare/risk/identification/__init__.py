"""Re-identification: whom an attacker who knows a person's keys names."""
