"""Short Korean reviews of films, and whether they praise or blame.

They are from the Naver sentiment movie corpus (NSMC, Park 2015, CC0), of films that no
review in the pretraining of the book's encoder is about; 1 to 4 points are 0, and 9 or
10 points are 1. They were cleared of abuse, and have as many of each label in each part.
"""

# --8<-- [start:imports]
from functools import cache

from snippets import ROOT
# --8<-- [end:imports]


# --8<-- [start:reviews]
TEXT = ROOT / "snippets" / "families" / "texts" / "reviews.ko.tsv"
PARTS = {
    "training": slice(1000),
    "validation": slice(1000, 1400),
    "test": slice(1400, 2400),
}


@cache
def reviews(part: str) -> list[tuple[str, int]]:
    """The reviews of one of PARTS, with 1 for praise and 0 for blame.

    Raises ValueError for another part.
    """
    if part not in PARTS:
        raise ValueError(f"the parts are {list(PARTS)}, not {part!r}")
    lines = TEXT.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[PARTS[part]]]
    return [(text, int(label)) for label, text in rows]
# --8<-- [end:reviews]
