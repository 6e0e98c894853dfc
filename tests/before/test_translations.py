"""The articles are those of the declaration, line by line, and counted as the library counts."""

from __future__ import annotations

import io
import re
import tarfile
import unicodedata

import pytest
from tokenizers.processors import TemplateProcessing

from snippets.before import translations
from snippets.before.byte_pair_encoding import trained_by_library
from snippets.before.corpus import declaration
from snippets.before.real_tokenizers import PACKAGES
from snippets.before.translations import CODES, article_counts, articles, counted_articles


@pytest.mark.parametrize("code", CODES)
def test_each_has_the_lines_of_the_english_one(code):
    lines, english = articles(code), articles("en")
    assert len(lines) == len(english) == 80 and all(line == line.strip() != "" for line in lines)
    assert all(line == unicodedata.normalize("NFC", line) for line in lines)
    headings = [i for i, line in enumerate(english) if re.fullmatch(r"Article \d+", line)]
    assert len(headings) == 30 and max(len(lines[i]) for i in headings) < 15


def test_english_and_korean_are_those_of_the_corpus_without_the_preamble():
    for code in ("en", "ko"):
        assert declaration(code)[-80:] == articles(code)
    assert articles("en")[0] == "Article 1"


def test_another_language_is_refused():
    with pytest.raises(ValueError, match="'fr' is none of en, de"):
        articles("fr")


def test_packages_are_read_as_npm_leaves_them(tmp_path, monkeypatch):
    tokenizer = trained_by_library(articles("en"), 300)
    first = tokenizer.id_to_token(0)  # a mark before a text does not count
    expected = len(tokenizer.encode("\n".join(articles("hi")) + "\n").ids)
    tokenizer.post_processor = TemplateProcessing(single=f"{first} $A", special_tokens=[(first, 0)])
    data = tokenizer.to_str().encode()
    with tarfile.open(tmp_path / "lenml-tokenizer-a-3.7.2.tgz", "w:gz") as package:
        member = tarfile.TarInfo("package/models/tokenizer.json")
        member.size = len(data)
        package.addfile(member, io.BytesIO(data))
    monkeypatch.setattr(translations, "PACKAGES", {"A": "a"})
    found = counted_articles(tmp_path)["A"]
    assert list(found) == list(CODES)
    assert found["hi"] == expected


def test_the_counts_that_come_with_the_book_name_each_package_and_language():
    counts = article_counts()
    assert list(counts) == list(PACKAGES)
    assert all(list(of) == list(CODES) and min(of.values()) > 1000 for of in counts.values())
