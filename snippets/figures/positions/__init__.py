"""The figures of the part positions."""
