"""The recurrent translator learns dates, and what it can carry over ends with the size of its state."""

from __future__ import annotations

import time

import pytest
import torch
from torch import Generator
from torch.testing import assert_close

from snippets.before import dates, digits
from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.before.recurrent_translator import (
    DATE_VOCAB,
    DIGIT_VOCAB,
    LENGTHS,
    SEEDS,
    curves,
    date_exact_match,
    draw_dates,
    draw_digits,
    evaluate,
    length_curves,
    run,
    train,
    trained_on_dates,
    trained_on_digits,
    translate,
)
from snippets.before.vocabulary import EOS, PAD
from snippets.tools.in_parallel import in_parallel


def test_a_date_fits_into_the_state():
    assert date_exact_match(trained_on_dates()) >= 0.97


def test_exact_match_falls_with_the_length_and_later_in_a_larger_state():
    exact = length_curves()
    assert all(curve.shape == (len(SEEDS), len(LENGTHS)) for curve in exact.values())
    means = {name: curve.mean(dim=1) for name, curve in exact.items()}  # of each seed
    assert means["d = 32"].max() + 0.15 < means["d = 64"].min() and means["d = 64"].max() + 0.1 < means["d = 128"].min()
    middle = exact["d = 64"]
    assert middle[:, 0].min() > 0.95 and middle[:, LENGTHS.index(20)].max() < 0.05
    assert (middle.diff(dim=1) < 0.02).all(), "longer is never easier"


def test_single_tokens_are_right_far_beyond_whole_sentences():
    exact, tokens = length_curves(), length_curves("token accuracy")
    assert all((tokens[name] >= exact[name]).all() for name in exact)
    at_14 = LENGTHS.index(14)
    assert tokens["d = 64"][:, at_14].min() > exact["d = 64"][:, at_14].max() + 0.3


def test_the_kept_model_is_the_one_whose_curve_is_shown():
    model = trained_on_digits()
    for length in (4, 10):
        shown = length_curves()["d = 64"][0, LENGTHS.index(length)]
        assert evaluate(model, length)["exact match"] == pytest.approx(shown.item(), abs=0.03)


def test_curves_are_by_seed_and_length():
    runs = {"one": [{"2": {"a": 1.0, "b": 0.5}, "4": {"a": 0.25, "b": 0.0}}, {"2": {"a": 0.0}, "4": {"a": 0.75}}]}
    assert curves(runs, "a")["one"].tolist() == [[1, 0.25], [0, 0.75]]


def test_evaluation_asks_for_numbers_of_this_length_that_were_held_out():
    perfect = RecurrentTranslator(len(DIGIT_VOCAB), 4)
    asked = []

    class Perfect:
        def encoder(self, src):
            asked.extend(DIGIT_VOCAB.decode(ids) for ids in src.tolist())
            return perfect.encoder(src)

        decode = perfect.decode

    evaluate(Perfect(), 6)
    numbers = [[digits.ENGLISH.index(word) for word in sentence] for sentence in asked]
    assert len(numbers) == 200 and all(len(number) == 6 and digits.is_held_out(number) for number in numbers)


def test_nothing_held_out_is_trained_on_and_all_lengths_are():
    generator, held_out = Generator().manual_seed(0), {tuple(dates.english(date)) for date in dates.HELD_OUT}
    lengths = set()
    for _ in range(20):
        assert not held_out & {tuple(DATE_VOCAB.decode(ids)) for ids in draw_dates(generator)[0].tolist()}
        words = [DIGIT_VOCAB.decode(ids) for ids in draw_digits(generator)[0].tolist()]
        lengths |= set(map(len, words))
        assert not any(digits.is_held_out([digits.ENGLISH.index(word) for word in number]) for number in words)
    assert lengths == set(range(2, 21))


def steps(seed: int, number: int = 20, pad: int = 0) -> tuple[RecurrentTranslator, list[float]]:
    """A few steps on numbers, with more padding if asked for."""
    torch.manual_seed(seed)
    model = RecurrentTranslator(len(DIGIT_VOCAB), 16).double()

    def draw(generator):
        src, tgt = draw_digits(generator)
        return src, torch.cat([tgt, torch.full((64, pad), PAD)], dim=1)

    return model, train(model, draw, number, seed)


@pytest.mark.thorough
def test_a_training_is_the_same_again_and_lowers_the_loss():
    (one, losses), (two, again), (_, other) = steps(0), steps(0), steps(1)
    assert losses == again and losses != other
    assert all(map(torch.equal, one.parameters(), two.parameters()))
    assert losses[0] == pytest.approx(torch.tensor(len(DIGIT_VOCAB)).log().item(), abs=0.5)
    assert losses[-1] < losses[0] - 0.2 and len(losses) == 20


def test_padding_is_not_learned_from():
    (one, losses), (two, padded) = steps(0, number=4), steps(0, number=4, pad=5)
    assert losses == pytest.approx(padded)
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        assert_close(a, b, atol=1e-6, rtol=0)


def test_the_loss_is_that_of_the_next_token_after_the_true_ones():
    torch.manual_seed(3)
    model = RecurrentTranslator(len(DIGIT_VOCAB), 16)
    src, tgt = draw_digits(Generator().manual_seed(3))
    before = -model(src, tgt[:, :-1]).log_softmax(dim=-1).gather(-1, tgt[:, 1:, None])[..., 0]
    expected = before[tgt[:, 1:] != PAD].mean().item()
    torch.manual_seed(3)
    assert train(RecurrentTranslator(len(DIGIT_VOCAB), 16), draw_digits, 5, 3)[0] == pytest.approx(expected, rel=1e-4)


def test_translations_end_where_the_model_ends_them():
    model = RecurrentTranslator(len(DIGIT_VOCAB), 4)
    with torch.no_grad():
        model.output.weight.zero_()
        model.output.bias.zero_()
        model.output.bias[EOS] = 1
    assert translate(model, DIGIT_VOCAB, [["one"], ["two", "two"]]) == [[], []]


def timed_run(seed: int) -> tuple[dict, float]:
    start = time.process_time()
    return run(RecurrentTranslator, 64, seed)["by length"], time.process_time() - start


@pytest.mark.thorough
def test_trained_anew_with_other_seeds_it_fails_at_the_same_lengths_within_a_minute():
    for by_length, seconds in in_parallel(timed_run, [(3,), (4,)]):
        exact = {int(length): accuracy["exact match"] for length, accuracy in by_length.items()}
        assert exact[4] > 0.9 and 0.1 < exact[10] < 0.9 and exact[20] < 0.1
        assert seconds < 60
