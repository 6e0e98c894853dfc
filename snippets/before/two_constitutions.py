"""The text in which a page counts: the constitution of the country whose language it is in.

constitution.en.txt is the constitution of the United States with its amendments, without the
signatures; it is in the public domain. The Korean one is that of snippets/before/corpus.py.
"""

# --8<-- [start:imports]
from snippets.before import corpus
# --8<-- [end:imports]


# --8<-- [start:constitution]
def constitution(language: str) -> list[str]:
    """Line by line, without empty lines: "en", that of the US, or "ko", that of
    Korea, in which the Korean edition counts.

    Raises ValueError for another language.
    """
    if language == "ko":
        return corpus.constitution()
    if language != "en":
        raise ValueError(f'the languages are "ko" and "en", not {language!r}')
    text = (corpus.TEXTS / "constitution.en.txt").read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip()]
# --8<-- [end:constitution]
