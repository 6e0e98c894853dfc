"""The figures of the part block."""
