"""Models that grew out of the Transformer, equal to those that everybody uses."""
