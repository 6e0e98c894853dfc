"""The block: what stands around attention in each layer."""
