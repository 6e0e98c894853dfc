"""What the site says beside its pages: the same in both languages, and nothing that it does not say."""

from __future__ import annotations

import re
from typing import Any

from book import LANGUAGES, ROOT, strings

PLACE = re.compile(r"\{[^}]*\}")


def outline(value: Any) -> Any:
    """What both languages have alike of a text, a list or a section: their entries, and what is put into them."""
    if isinstance(value, dict):
        return {name: outline(one) for name, one in value.items()}
    if isinstance(value, list):
        return [outline(one) for one in value]
    assert isinstance(value, str), value
    return sorted(re.sub(r"\d+", "", place) for place in PLACE.findall(value))


def test_both_languages_say_the_same_things_with_the_same_places_to_fill():
    first, *others = (outline(strings.of(language)) for language in LANGUAGES)
    assert all(other == first for other in others)


def test_each_text_is_in_its_language():
    names = {"name", "path", "pdf"}  # a language calls itself by its own name; files

    def texts(value: Any, name: str = "") -> list[str]:
        if isinstance(value, dict):
            return [text for key, one in value.items() for text in texts(one, str(key))]
        if isinstance(value, list):
            return [text for one in value for text in texts(one, name)]
        return [] if name in names else [value]

    korean, english = (texts(strings.of(language)) for language in ("ko", "en"))
    same = {one for one, two in zip(korean, english, strict=True) if one == two}
    assert same <= {"", "attention/", "appendix/glossary/"}
    assert not [text for text in english if re.search("[가-힣]", text) and text != "한국어"]  # a column of the glossary


def test_every_section_is_asked_for_by_some_module():
    asked = {
        name
        for path in (ROOT / "book").rglob("*.py")
        for name in re.findall(r'strings\.(?:each\("|of\(language\)\[")(\w+)', path.read_text(encoding="utf-8"))
    }
    assert asked == set(strings.of("en"))


def test_what_is_named_within_a_section_is_found_by_language():
    assert strings.each("touch", "button")["en"] == ["Try it", "Back to the drawing"]
    assert strings.each("moved") == {language: strings.of(language)["moved"] for language in LANGUAGES}
