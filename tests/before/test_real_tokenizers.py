"""Tokens and entries are counted as in a tokenizer that is made here."""

from __future__ import annotations

import io
import tarfile

from tokenizers.processors import TemplateProcessing

from snippets.before import real_tokenizers
from snippets.before.byte_pair_encoding import trained_by_library
from snippets.before.corpus import declaration
from snippets.before.real_tokenizers import PACKAGES, VERSION, counted, token_counts, tokens, with_hangul


def test_tokens_are_those_of_the_whole_text_with_its_line_ends():
    tokenizer = trained_by_library(declaration("ko"), 400)
    for language in ("ko", "en"):
        text = "\n".join(declaration(language)) + "\n"
        assert tokens(tokenizer, language) == len(tokenizer.encode(text).ids)


def test_a_mark_that_a_tokenizer_puts_before_a_text_does_not_count():
    tokenizer = trained_by_library(declaration("en"), 300)
    plain = tokens(tokenizer, "en")
    first = tokenizer.id_to_token(0)
    tokenizer.post_processor = TemplateProcessing(single=f"{first} $A", special_tokens=[(first, 0)])
    assert len(tokenizer.encode("a").ids) == 2 and tokens(tokenizer, "en") == plain


def test_entries_with_hangul_are_those_with_a_whole_syllable():
    assert with_hangul(trained_by_library(["abc abc"], 259)) == 0
    tokenizer = trained_by_library(["가가 힣힣 각 ㄱㄱ"] * 9, 400)
    texts = [tokenizer.decode([i]) for i in range(tokenizer.get_vocab_size())]
    found = {text.strip() for text in texts if {"가", "힣", "각"} & set(text)}
    assert {"가", "힣"} <= found
    assert with_hangul(tokenizer) == sum(bool({"가", "힣", "각"} & set(text)) for text in texts)


def test_packages_are_read_as_npm_leaves_them(tmp_path, monkeypatch):
    tokenizer = trained_by_library(declaration("ko"), 300)
    data = tokenizer.to_str().encode()
    with tarfile.open(tmp_path / "lenml-tokenizer-a-3.7.2.tgz", "w:gz") as package:
        member = tarfile.TarInfo("package/models/tokenizer.json")
        member.size = len(data)
        package.addfile(member, io.BytesIO(data))
    monkeypatch.setattr(real_tokenizers, "PACKAGES", {"A": "a"})
    ko, en = (tokens(tokenizer, language) for language in ("ko", "en"))
    expected = {"vocabulary": 300, "with Hangul": with_hangul(tokenizer), "ko": ko, "en": en}
    assert counted(tmp_path) == {"A": expected}


def test_the_counts_that_come_with_the_book_name_each_package():
    assert list(token_counts()) == list(PACKAGES) and VERSION == "3.7.2"
    known = {"GPT-3.5, GPT-4": (4658, 2016), "GPT-4o": (2743, 2017), "DeepSeek-V3": (3041, 2001)}
    assert {model: (n["ko"], n["en"]) for model, n in token_counts().items() if model in known} == known
