"""KcBERT by hand: the ids of the library for any text, the shape of its configuration, the outputs of its weights."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from book import ROOT
from snippets.before.batches_of_tokens import batch
from snippets.before.kcbert import KCBERT_FILES, kcbert_tokenizer
from snippets.families.bert import Bert
from snippets.families.kcbert import KCBERT, kcbert_ids, vocabulary, words
from snippets.model.sizes import count
from tests import properties  # noqa: F401 (the same examples on every run)

LIBRARY = kcbert_tokenizer()
EXAMPLES = (ROOT / "snippets" / "families" / "kcbert.md").read_text(encoding="utf-8")
CONFIG = json.loads((KCBERT_FILES / "config.json").read_text(encoding="utf-8"))
TEXT = st.text("가각하이안녕세요댓글값뷁ㄱㅋㅎㅠㅡ國字aBkS07 .,!?·~“”…①€+<^`|'\t\n\u3000😀❤é", max_size=30)
WORDS = st.lists(st.sampled_from([piece.removeprefix("##") for piece in vocabulary()][5:]), max_size=12)


@given(TEXT, WORDS)
def test_ids_are_those_of_the_library_for_any_text(text, pieces):
    for one in (text, "".join(pieces), " ".join(pieces) + text):
        assert kcbert_ids(one) == LIBRARY.encode(one).ids


def test_ids_are_those_of_transformers_with_padding_and_truncation():
    theirs = transformers.BertTokenizer(vocab=vocabulary(), do_lower_case=False)
    texts = ["안녕하세요", "하이", "모든 국민은 법 앞에 평등하며, 그 권리는 같다.", ""]
    encoded = theirs(texts, padding="max_length", truncation=True, max_length=10)
    input_ids, attention_mask = batch([kcbert_ids(text, 10) for text in texts], 10)
    assert input_ids.tolist() == encoded["input_ids"] and attention_mask.tolist() == encoded["attention_mask"]


def test_marks_and_chinese_characters_are_words_and_other_signs_belong_to_theirs():
    assert words("안녕, 하이!\n“KBS”+1 대한民國 3€①") == (
        ["안녕", ",", "하이", "!", "“", "KBS", "”", "+", "1", "대한", "民", "國", "3€①"]
    )
    assert words(" \t ") == []


def test_the_shape_is_that_of_the_published_configuration():
    with torch.device("meta"):
        ours, theirs = Bert(KCBERT), transformers.BertModel(transformers.BertConfig(**CONFIG))
    pooler = count(theirs.pooler)
    assert count(ours) + pooler == count(theirs) == 108_918_528
    assert (KCBERT.num_heads, KCBERT.dropout) == (CONFIG["num_attention_heads"], CONFIG["hidden_dropout_prob"])
    assert KCBERT.eps == theirs.config.layer_norm_eps and KCBERT.pad_id == theirs.config.pad_token_id


def published(config, monkeypatch):
    """The function of the page that loads the weights, with random ones in their place; what it asked for."""
    torch.manual_seed(0)
    theirs = transformers.BertModel(config).eval()
    tokenizer = transformers.BertTokenizer(vocab=vocabulary(), do_lower_case=False)
    asked = []
    for owner, what in ((transformers.AutoModel, theirs), (transformers.AutoTokenizer, tokenizer)):
        monkeypatch.setattr(owner, "from_pretrained", lambda name, what=what: asked.append(name) or what)
    marked = EXAMPLES.partition("[start:published]")[2].partition("[end:published]")[0]
    names = {"torch": torch, "Bert": Bert}
    sizes = {"num_layers": config.num_hidden_layers, "d_model": config.hidden_size, "d_ff": config.intermediate_size}
    names["KCBERT"] = replace(KCBERT, **sizes)
    exec(re.search(r"```python\n(.*?)```", marked, re.S)[1], names)
    return SimpleNamespace(outputs=names["published"], theirs=theirs, tokenizer=tokenizer, asked=asked)


def agree(model, texts):
    inputs = model.tokenizer(texts, padding="max_length", truncation=True, max_length=10, return_tensors="pt")
    with torch.no_grad():
        expected = model.theirs(**inputs).last_hidden_state
    found = model.outputs(texts)
    assert_close(found, expected, rtol=0, atol=2e-5)
    assert model.asked == ["beomi/kcbert-base"] * 2
    return found


TEXTS = ["안녕하세요", "하이", "모든 국민은 법 앞에 평등하며, 그 권리는 같다."]


def test_weights_of_the_library_give_its_outputs(monkeypatch):
    small = {"num_hidden_layers": 2, "hidden_size": 24, "intermediate_size": 40}
    assert agree(published(transformers.BertConfig(**{**CONFIG, **small}), monkeypatch), TEXTS).shape == (3, 10, 24)


@pytest.mark.thorough
def test_weights_of_the_whole_model_give_its_outputs(monkeypatch):
    assert agree(published(transformers.BertConfig(**CONFIG), monkeypatch), TEXTS[:2]).shape == (2, 10, 768)


def test_a_long_text_is_cut_where_the_positions_end():
    assert len(kcbert_ids("하이 " * 400)) == KCBERT.max_length == 300
