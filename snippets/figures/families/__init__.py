"""The figures of the part families."""
