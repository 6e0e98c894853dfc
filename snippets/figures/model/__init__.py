"""The figures of the part model."""
