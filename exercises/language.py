"""The language that the checks speak: that of the environment, or what ``speak`` says.

The code has its texts in English; ``exercises/korean.py`` has them in Korean, found by the English text.
"""

from __future__ import annotations

import locale
import os
from typing import Any

from exercises.korean import KOREAN

LANGUAGES: dict[str, dict[str, str]] = {"en": {}, "ko": KOREAN}
_chosen: str | None = None


def speak(language: str | None) -> None:
    """Say everything in this language from now on, "ko" or "en"; None: in that of the environment."""
    global _chosen
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are: {', '.join(LANGUAGES)}")
    _chosen = language


def language() -> str:
    """What is spoken now."""
    return _chosen or _of_the_environment()


def _of_the_environment() -> str:
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), None) or locale.getlocale()[0] or ""  # Windows sets none of them
    return "ko" if name.lower().startswith("ko") else "en"


def say(text: str, /, **values: Any) -> str:
    """A text in the learner's language. ``values`` stand where it names them: say("got {shape}", shape=...).

    What has no translation stays as it is: what was said before, or is no language at all.
    """
    text = LANGUAGES[language()].get(text, text)
    return text.format(**values) if values else text
