"""Real text to count in and to train on: a constitution, and a declaration in two languages.

constitution.ko.txt is the constitution of the Republic of Korea of 1987; texts of law
are not protected by copyright in Korea (copyright act, article 7). udhr.ko.txt and
udhr.en.txt are the Universal Declaration of Human Rights of the United Nations, free to
reproduce, line by line the same in both languages.
"""

# --8<-- [start:imports]
from snippets import ROOT

TEXTS = ROOT / "snippets" / "before" / "texts"
# --8<-- [end:imports]


# --8<-- [start:constitution]
def constitution() -> list[str]:
    """The constitution of Korea in Korean, line by line, without empty lines."""
    text = (TEXTS / "constitution.ko.txt").read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip()]
# --8<-- [end:constitution]


# --8<-- [start:declaration]
def declaration(language: str) -> list[str]:
    """The declaration of human rights, "ko" or "en"; their lines correspond.

    Raises ValueError for another language.
    """
    if language not in ("ko", "en"):
        raise ValueError(f'the languages are "ko" and "en", not {language!r}')
    text = (TEXTS / f"udhr.{language}.txt").read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip()]
# --8<-- [end:declaration]
