"""The figures of the part attention."""
