"""Whole models, each in one file that needs nothing but PyTorch, to download."""
