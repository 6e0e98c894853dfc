"""Attention: who looks at whom, and how much."""
