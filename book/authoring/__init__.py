"""What helps authors: a new page, and all that belongs to one, run."""
