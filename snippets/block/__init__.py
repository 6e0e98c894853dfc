"""The block: what surrounds attention in each layer."""
