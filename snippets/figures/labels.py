"""What a figure shows may depend on the language, as its labels do."""

from __future__ import annotations


def language_of(labels: dict, by_language: dict[str, dict]) -> str:
    """The language of the labels that a figure is drawn with: ``by_language`` is its ``TEXT``."""
    return next(language for language, those in by_language.items() if those == labels)
