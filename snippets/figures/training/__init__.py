"""The figures of the part training."""
