"""Training a translator, and letting it translate."""
