"""What the site says to its readers beside its pages: buttons, headings, labels, messages.

One file a language, ``ko.yml`` and ``en.yml``, with the same entries, by what says them. What figures say when they
are touched stands with each of them, in docs/assets/js/touch; what exercises say, in exercises/korean.py.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import yaml

from book import LANGUAGES

FOLDER = Path(__file__).parent


@functools.cache
def of(language: str) -> dict[str, Any]:
    """All strings in a language, by section."""
    return yaml.safe_load((FOLDER / f"{language}.yml").read_text(encoding="utf-8"))


def each(section: str, *names: str) -> dict[str, Any]:
    """A section, or what is named within it, by language."""
    found = {language: of(language)[section] for language in LANGUAGES}
    for name in names:
        found = {language: its[name] for language, its in found.items()}
    return found
