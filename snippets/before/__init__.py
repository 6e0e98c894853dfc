"""TODO What this part is about, in one line."""
