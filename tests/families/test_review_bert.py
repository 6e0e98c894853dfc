"""The Korean encoder: the same in the library, better than counting, and pretrained by the code that stands there."""

from __future__ import annotations

import json

import pytest
import torch
from torch.testing import assert_close
from transformers import AutoModelForMaskedLM, AutoTokenizer

from snippets.families import review_bert as module
from snippets.families.bert import BertForMaskedLM
from snippets.families.review_bert import FOLDER, REVIEW_BERT, measured, review_bert, review_masked_lm
from snippets.families.reviews import reviews
from snippets.families.weights.review_bert import make
from snippets.families.weights.review_bert.make import (
    BOTH,
    LEFT,
    LENGTHS,
    by_counting,
    by_length,
    by_model,
    context,
    learning_rate,
    masked,
    new_tokenizer,
    pretrain,
    save,
)
from snippets.families.weights.review_bert.make import texts as read

TEXTS = [text for text, _ in reviews("test")]


def test_the_library_reads_the_folder_and_computes_the_same():
    tokenizer = AutoTokenizer.from_pretrained(FOLDER)
    theirs = AutoModelForMaskedLM.from_pretrained(FOLDER, dtype=torch.float32).eval()
    ours, own = review_masked_lm()
    batch = tokenizer(TEXTS[:8], padding=True, return_tensors="pt")
    assert batch["input_ids"].tolist()[0][: len(own.encode(TEXTS[0]).ids)] == own.encode(TEXTS[0]).ids
    with torch.no_grad():
        logits = theirs(**batch).logits
        found = ours(batch["input_ids"])
    real = batch["attention_mask"].bool()
    assert_close(found[real], logits[real], atol=1e-3, rtol=1e-3)


def test_other_weights_are_refused(tmp_path, monkeypatch):
    (tmp_path / "model.safetensors").write_bytes((FOLDER / "model.safetensors").read_bytes() + b" ")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="holds other weights"):
        review_masked_lm.__wrapped__()


def test_a_text_begins_with_cls_and_ends_with_sep_and_padding_is_zero():
    _, tokenizer = review_bert()
    tokens = tokenizer.encode("정말 [MASK] 영화").tokens
    assert tokens[0] == "[CLS]" and tokens[-1] == "[SEP]" and "[MASK]" in tokens
    assert tokenizer.token_to_id("[PAD]") == 0 == REVIEW_BERT.pad_id
    assert tokenizer.get_vocab_size() == REVIEW_BERT.vocab_size


@pytest.mark.thorough
def test_the_share_of_gaps_that_is_kept_is_what_the_encoder_fills():
    model, tokenizer = review_masked_lm()
    ids = [tokenizer.encode(text).ids for text in TEXTS[:200]]
    assert by_model(model, ids, 4) == pytest.approx(measured()["model"], abs=0.03), "measured with all 1,000"


def test_even_with_half_a_million_reviews_counting_on_both_sides_fills_more_gaps_than_a_small_encoder():
    kept = measured()
    assert kept["both"] > kept["model"] > kept["left"] > 0.05 and kept["reviews"] > 500_000


class Copies(torch.nn.Module):
    """Answers with the token to the left of the gap."""

    def forward(self, ids):
        return torch.nn.functional.one_hot(ids.roll(1, dims=1), 9).float()


def test_each_token_is_hidden_alone_and_the_special_ones_never():
    assert by_model(Copies(), [[2, 5, 5, 6, 3], [2, 7, 3]], 4) == 1 / 4


def test_counting_takes_the_widest_neighbors_that_were_seen_and_then_the_most_frequent_token():
    training = [[2, 5, 6, 7, 3], [2, 5, 6, 8, 3], [2, 5, 6, 8, 3], [2, 6, 6, 3]]
    assert context(training[0], 2, (1, 2)) == ((1, 2), (5,), (7, 3))
    assert by_counting(training, [[2, 5, 6, 8, 3]], LEFT) == 1  # 5 after [CLS], 6 after 5, and 8 after 5 6
    assert by_counting(training, [[2, 5, 6, 7, 3]], LEFT) == 2 / 3
    assert by_counting(training, [[2, 5, 6, 7, 3]], BOTH) == 2 / 3, "8 stands there twice, 7 once"
    assert by_counting(training, [[2, 8, 8, 3]], [(0, 0)]) == 0, "6 is the most frequent"
    often = [[2, 7, 3], [2, 7, 3], [2, 8, 3]]
    assert by_counting(often, [[2, 7, 3]], [(0, 0)]) == 1, "[CLS] and [SEP] are more frequent, and no answers"


def raw(folder, films):
    folder.mkdir()
    for film, lines in films.items():
        rows = [{"review": line, "movie_id": str(film), "rating": "10"} for line in lines]
        (folder / f"{film}.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def test_reviews_of_every_tenth_film_are_left_for_tests_and_each_is_read_once(tmp_path):
    letters = "\u1100\u1161\u11a8 \u110c\u1169\u11c2\u1103\u1161"
    films = {10: ["좋아요 최고"], 11: ["  정말   재미있다 ", "ㅋ"], 12: ["정말 재미있다", letters]}
    assert read(raw(tmp_path / "raw", films)) == ["정말 재미있다", "각 좋다"]


def test_each_review_is_in_the_shortest_batch_that_takes_it():
    lines = [[2] * n for n in (3, 8, 9, 64, 65)]
    stock = by_length(lines)
    assert [x.size(1) for x in stock if len(x)] == [8, 12, 64]
    assert [len(x) for x in stock] == [2, 1, 0, 0, 0, 0, 0, 0, 1] and len(LENGTHS) == 9
    assert stock[0][0].tolist() == [2, 2, 2, 0, 0, 0, 0, 0]


def test_no_special_token_is_to_be_predicted():
    torch.manual_seed(0)
    ids = torch.randint(5, 8000, (200, 16))
    ids[:, 0], ids[:, -1] = 2, 3
    inputs, at = masked(ids, 4, torch.Generator().manual_seed(0))
    assert len(at) % 64 == 0 and 300 < len(at) < 500
    assert set((at % 16).tolist()) == set(range(1, 15))
    changed = (inputs != ids).flatten().nonzero().flatten()
    assert (inputs.flatten()[at] == 4).float().mean() > 0.7
    assert len(set(changed.tolist()) - set(at.tolist())) < 64, "what was left out of the last few"
    assert (inputs[:, 0] == 2).all() and (inputs[:, -1] == 3).all()


def test_the_rate_rises_and_falls_in_straight_lines():
    assert learning_rate(400) == pytest.approx(1e-3, rel=1e-3)
    assert learning_rate(200) == pytest.approx(5e-4)
    assert learning_rate(2201) == pytest.approx(5e-4, rel=1e-3)
    assert 0 < learning_rate(4000) < 1e-6


@pytest.mark.thorough
def test_a_few_steps_of_pretraining_lower_the_loss_and_what_is_saved_can_be_read(tmp_path, monkeypatch):
    torch.set_num_threads(1)
    lines = [f"{text} {i}" for i, text in enumerate(TEXTS)]
    tokenizer = new_tokenizer(lines)
    ids = [encoding.ids for encoding in tokenizer.encode_batch(lines)]
    monkeypatch.setattr(make, "TOKENS", 1024)
    monkeypatch.setattr(make, "learning_rate", lambda step: 1e-3)
    stock = [x for x in by_length(ids) if len(x)]
    model, losses = pretrain(stock, tokenizer.token_to_id("[MASK]"), steps=30)
    save(model, tokenizer, tmp_path / "model")
    own = AutoModelForMaskedLM.from_pretrained(tmp_path / "model", dtype=torch.float32).eval()
    batch = stock[1][:4]
    with torch.no_grad():
        logits = own(batch, attention_mask=batch != 0).logits
        here = model.eval()(batch)
        fresh = BertForMaskedLM(REVIEW_BERT).eval()(batch)
    real = batch > 4
    after, before = (torch.nn.functional.cross_entropy(x[real], batch[real]) for x in (here, fresh))
    assert after < before - 0.5 and len(losses) == 30
    assert_close(logits[real], here[real], atol=0.05, rtol=0.02)
