"""The figures of the part labs."""
