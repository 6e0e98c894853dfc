"""Positions: how a set of vectors becomes a sequence."""
