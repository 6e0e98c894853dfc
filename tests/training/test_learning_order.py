"""What is counted for each kind of token, what has the form of a date, and in which order three trainings learn."""

from __future__ import annotations

import datetime
import math

import pytest
import torch
from torch import nn

from snippets.before import dates
from snippets.training import learning_order
from snippets.training.learning_order import SHOWN, kinds, looked_up, loss_by_kind, results, shown, written
from snippets.training.translator import DATE_VOCAB, STEPS, date_trainer, trained

DATE = datetime.date(2024, 3, 15)


class Sure(nn.Module):
    """Gives the token that is due a logit of its own; all others have 0."""

    def __init__(self, right, logits) -> None:
        super().__init__()
        self.right, self.logits = right, logits

    def forward(self, src, tgt):
        return nn.functional.one_hot(self.right, 9) * self.logits[:, :, None]


def test_each_token_of_a_date_has_its_kind():
    named = list(zip([*dates.korean(DATE), "</s>"], kinds(DATE), strict=True))
    assert [kind for _, kind in named[:4]] == ["year"] * 4 and named[5] == ("3", "month")
    assert named[7:9] == [("1", "day"), ("5", "day")] and named[-2] == ("금요일", "weekday")
    assert [token for token, kind in named if kind == "form"] == ["년", "월", "일", "</s>"]


def test_losses_are_averaged_over_the_tokens_of_a_kind_and_padding_counts_for_none():
    tgt = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]])
    logits = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 9.0]])
    found = loss_by_kind(Sure(tgt[:, 1:], logits), tgt, tgt, [["a", "b", "form"], ["a", "form"]])

    def loss(logit):
        return math.log(math.exp(logit) + 8) - logit

    assert found == {
        "a": pytest.approx((loss(0) + loss(3)) / 2),
        "b": pytest.approx(loss(1)),
        "form": pytest.approx((loss(2) + loss(4)) / 2),
    }
    with pytest.raises(ValueError):
        loss_by_kind(Sure(tgt[:, 1:], logits), tgt, tgt, [["a", "b", "form"]])


def test_a_date_with_other_digits_has_the_form_and_is_not_right(monkeypatch):
    other = dates.korean(datetime.date(1999, 12, 3))
    for tokens, counts in [
        (dates.korean(DATE), (1, 1)),
        (other, (1, 0)),
        (other[:-1], (0, 0)),
        ([*other, "일"], (0, 0)),
        (["2", *other], (0, 0)),
        ("1 9 9 9 년 월 3 일 금요일".split(), (0, 0)),
        ("1 9 9 9 년 1 1 1 월 3 일 금요일".split(), (0, 0)),
    ]:

        def translate(model, vocab, sentences, most, tokens=tokens):
            assert sentences == [dates.english(DATE)] and most == 13, "or a longer one would look right"
            return [tokens]

        monkeypatch.setattr(learning_order, "translate", translate)
        assert written(None, [DATE]) == counts, tokens


def test_a_trained_model_writes_the_date_and_looks_the_weekday_up_at_the_beginning():
    model = trained("dates").model
    assert written(model, [DATE, *SHOWN]) == (1, 1)
    tokens, weights = looked_up(model, DATE)
    assert tokens == [*dates.korean(DATE), "</s>"] and weights.shape == (12, 11)
    assert weights.sum(dim=1).tolist() == pytest.approx([1] * 12, abs=1e-5)
    assert weights[tokens.index("금요일")].argmax() == 0 and weights[tokens.index("3")].argmax() == 2
    longest = datetime.date(2024, 12, 26)
    assert looked_up(model, longest)[0] == [*dates.korean(longest), "</s>"]
    assert shown(tokens, weights)["weights"][0] == [round(1000 * weight) for weight in weights[0].tolist()]


def test_a_model_that_reads_follows_the_source_it_is_given():
    src, tgt = dates.batch(learning_order.TEST, DATE_VOCAB)
    order = learning_order.OTHER
    assert sorted(order.tolist()) == list(range(len(src))), "each source once"
    assert (order != torch.arange(len(src))).float().mean() > 0.95
    model = trained("dates").model
    assert learning_order.followed(model, src[order], tgt) == 1
    assert learning_order.followed(model, src, tgt) == 0, "its own day, where the other is another one"


@pytest.mark.thorough
def test_a_model_is_looked_at_every_ten_steps_and_the_training_is_the_usual_one(monkeypatch):
    monkeypatch.setitem(STEPS, "dates", 20)
    monkeypatch.setattr(learning_order, "TEST", learning_order.TEST[:5])
    order = torch.tensor([2, 0, 4, 1, 3])
    monkeypatch.setattr(learning_order, "OTHER", order)
    run = learning_order.train.function(0)
    assert list(run["looks"]) == ["0", "10", "20"] and run["exact match"] == 0
    trainer = date_trainer(0)
    trainer.run(20)
    assert run["losses"] == trainer.losses, "to look changes nothing"
    src, tgt = dates.batch(learning_order.TEST, DATE_VOCAB)
    others = torch.stack([src[place] for place in order.tolist()])
    names = [kinds(date) for date in learning_order.TEST]
    look = run["looks"]["20"]
    assert look["own"] == pytest.approx(loss_by_kind(trainer.model, src, tgt, names))
    assert look["other"] == pytest.approx(loss_by_kind(trainer.model, others, tgt, names))
    assert 0 <= look["followed"] < 1 and len(look["shown"]) == len(SHOWN)
    monkeypatch.setitem(STEPS, "dates", 10)
    assert learning_order.train.function(1)["looks"]["0"]["shown"] == [], "of one seed alone"


def test_with_each_seed_the_form_comes_first_and_until_then_any_source_does():
    for run in results():
        early, late, last = (run["looks"][step] for step in ("60", "120", "250"))
        assert all(abs(early["own"][kind] - early["other"][kind]) < 0.1 for kind in early["own"])
        assert all(early["own"][kind] < run["looks"]["0"]["own"][kind] - 2 for kind in early["own"])
        assert run["looks"]["100"]["formed"] > 0.6 and run["looks"]["100"]["right"] < 0.05
        assert late["own"]["weekday"] < math.log(7) / 2 and late["other"]["weekday"] > 1.5 * math.log(7)
        assert run["looks"]["80"]["followed"] < 0.25 and late["followed"] > 0.9, "a guess is right in one of six"
        assert last["right"] == run["exact match"] == 1
