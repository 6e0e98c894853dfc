"""The figures of the part before."""
