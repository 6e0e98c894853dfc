"""What a language model means: probabilities that sum to 1, and a perplexity that counts choices."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from snippets.before.corpus import constitution
from snippets.before.language_models import (
    END,
    START,
    InterpolatedModel,
    NGramModel,
    bits,
    cross_entropy,
    followers,
    log_probability,
    ngrams,
    perplexity,
    reverse,
    sample,
    split,
)

VOCAB = ["a", "b", "c", END]
LINES = [list(line) for line in ["abab", "ac", "b", "cab"]]

lines_of_letters = st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=6)
orders = st.integers(1, 4)


def smoothed(lines, n):
    return [NGramModel(lines, n, VOCAB, 0.5), InterpolatedModel(lines, n, VOCAB, 2.0)]


def test_trigrams_of_a_word_begin_with_two_starts_and_end_with_the_end():
    assert ngrams(["국", "회"], 3) == [((START, START), "국"), ((START, "국"), "회"), (("국", "회"), END)]


@given(st.lists(st.sampled_from("abc"), max_size=6), orders)
def test_every_token_is_predicted_once_from_what_stands_before_it(tokens, n):
    found = ngrams(tokens, n)
    assert [token for _, token in found] == [*tokens, END]
    for i, (context, _) in enumerate(found):
        before = tokens[max(0, i - n + 1) : i]
        assert context == (START,) * (n - 1 - len(before)) + tuple(before)


def test_followers_are_counted_in_every_line_up_to_its_end():
    assert followers(LINES, "a") == {"b": 3, "c": 1}
    assert followers(LINES, "a", "b") == {"a": 1, END: 2}
    assert followers(LINES) == {"a": 4, "b": 4, "c": 2, END: 4}


def test_in_the_constitution_all_citizens_are_followed_by_the_law_first():
    words = [line.split() for line in constitution()]
    assert followers(words, "모든", "국민은").most_common(1) == [("법률이", 5)]


def test_a_conditional_probability_is_the_joint_one_over_that_of_the_condition():
    pairs = Counter((a, b) for line in LINES for (a,), b in ngrams(line, 2))
    total, of_a = pairs.total(), sum(count for (a, _), count in pairs.items() if a == "a")
    model = NGramModel(LINES, 2, VOCAB)
    for token in VOCAB:
        assert model.probability(token, "a") == pytest.approx((pairs["a", token] / total) / (of_a / total))


def test_known_probabilities_of_each_kind():
    assert NGramModel(LINES, 2, VOCAB).probability("b", "a") == 3 / 4
    assert NGramModel(LINES, 2, VOCAB, 0.5).probability("b", "a") == 3.5 / 6
    assert NGramModel(LINES, 2, VOCAB, 0.5).probability(END, "a") == 0.5 / 6
    one = (4 + 2 / 4) / (14 + 2)  # c(b) = 4 of 14 tokens and ends, mixed with 1 / 4
    assert InterpolatedModel(LINES, 1, VOCAB, 2.0).probability("b", "") == pytest.approx(one)
    assert InterpolatedModel(LINES, 2, VOCAB, 2.0).probability("b", "a") == pytest.approx((3 + 2 * one) / (4 + 2))


@given(lines_of_letters, orders, st.lists(st.sampled_from("abc"), max_size=5))
def test_probabilities_after_any_context_are_positive_and_sum_to_one_if_smoothed(lines, n, before):
    for model in smoothed(lines, n):
        after = [model.probability(token, before) for token in VOCAB]
        assert min(after) > 0
        assert sum(after) == pytest.approx(1)


@given(lines_of_letters, orders, st.data())
def test_exact_counts_sum_to_one_after_each_context_that_was_seen(lines, n, data):
    model = NGramModel(lines, n, VOCAB)
    context = data.draw(st.sampled_from(sorted(model.counts)))
    assert sum(model.probability(token, context) for token in VOCAB) == pytest.approx(1)


def test_a_context_never_seen_says_nothing_by_counts_and_little_when_smoothed():
    assert NGramModel(LINES, 3, VOCAB).probability("a", "cc") == 0
    assert NGramModel(LINES, 3, VOCAB, 0.5).probability("a", "cc") == 1 / 4
    shorter = InterpolatedModel(LINES, 2, VOCAB, 2.0)
    assert InterpolatedModel(LINES, 3, VOCAB, 2.0).probability("a", "cc") == shorter.probability("a", "c")


@given(lines_of_letters, orders, st.lists(st.sampled_from("abc"), max_size=6))
def test_only_the_last_tokens_of_a_context_count(lines, n, before):
    for model in smoothed(lines, n):
        own = (["a"] * n + before)[-(n - 1) :] if n > 1 else []
        assert model.probability("b", ["a"] * n + before) == model.probability("b", own)


@given(lines_of_letters, orders, st.lists(st.sampled_from("abc"), max_size=4))
def test_the_chain_rule_multiplies_the_probability_of_each_token(lines, n, tokens):
    for model in smoothed(lines, n):
        product = 1.0
        for i, token in enumerate([*tokens, END]):
            product *= model.probability(token, tokens[:i])
        assert math.exp(log_probability(model, tokens)) == pytest.approx(product)


def test_the_probabilities_of_all_lines_sum_to_one():
    """Lines of up to 14 letters from a vocabulary of one letter and END: nearly all there are."""
    for model in (NGramModel([["a"], ["a", "a"]], 2, ["a", END], 1), InterpolatedModel([["a"]], 2, ["a", END], 1.0)):
        mass = sum(math.exp(log_probability(model, ["a"] * length)) for length in range(60))
        assert mass == pytest.approx(1, abs=1e-6)


def test_a_line_with_an_impossible_token_has_no_probability():
    assert log_probability(NGramModel(LINES, 2, VOCAB), ["c", "c"]) == -math.inf
    assert perplexity(NGramModel(LINES, 2, VOCAB), [["c", "c"]]) == math.inf


@given(st.integers(1, 500), lines_of_letters)
def test_the_perplexity_of_a_uniform_model_is_the_size_of_its_vocabulary(size, lines):
    model = NGramModel([], 1, [END] * size, alpha=1)
    assert perplexity(model, lines) == pytest.approx(size)
    assert cross_entropy(model, lines) == pytest.approx(math.log(size))


def test_perplexity_is_the_geometric_mean_of_one_over_the_probabilities():
    model = NGramModel(LINES, 2, VOCAB, 0.5)
    factors = [model.probability(token, before) for line in LINES for before, token in ngrams(line, 2)]
    assert perplexity(model, LINES) == pytest.approx(math.prod(1 / p for p in factors) ** (1 / len(factors)))


def test_a_bit_is_the_choice_among_two():
    assert bits(math.log(2)) == 1
    assert bits(math.log(8)) == pytest.approx(3)


@given(lines_of_letters, orders, st.floats(0.1, 5))
def test_no_model_of_the_same_order_fits_its_own_lines_better_than_their_counts(lines, n, alpha):
    exact = cross_entropy(NGramModel(lines, n, VOCAB), lines)
    assert exact <= cross_entropy(NGramModel(lines, n, VOCAB, alpha), lines) + 1e-12
    assert exact <= cross_entropy(InterpolatedModel(lines, n, VOCAB, alpha), lines) + 1e-12


@given(lines_of_letters, st.integers(1, 5), st.lists(st.sampled_from("abc"), max_size=6))
def test_exact_counts_give_a_line_the_same_probability_in_both_directions(lines, n, tokens):
    forward, backward = NGramModel(lines, n, VOCAB), NGramModel(reverse(lines), n, VOCAB)
    for line in [*lines, tokens]:
        assert log_probability(forward, line) == pytest.approx(log_probability(backward, line[::-1]))


@given(lines_of_letters, st.integers(1, 2), st.lists(st.sampled_from("abc"), max_size=6))
def test_so_does_add_alpha_for_unigrams_and_bigrams(lines, n, tokens):
    forward, backward = NGramModel(lines, n, VOCAB, 0.3), NGramModel(reverse(lines), n, VOCAB, 0.3)
    assert log_probability(forward, tokens) == pytest.approx(log_probability(backward, tokens[::-1]))


def test_other_smoothing_has_a_direction():
    lines, line = LINES, list("cb")
    for make in (lambda part: NGramModel(part, 3, VOCAB, 0.3), lambda part: InterpolatedModel(part, 2, VOCAB, 1.0)):
        forward = log_probability(make(lines), line)
        assert abs(forward - log_probability(make(reverse(lines)), line[::-1])) > 0.01


def test_the_lines_are_split_into_parts_without_a_line_in_common():
    train, validation, test = split(list(range(40)))
    assert (len(train), len(validation), len(test)) == (32, 4, 4)
    assert sorted([*train, *validation, *test]) == list(range(40))
    assert (validation[0], test[0]) == (4, 9)


def test_samples_have_the_probabilities_of_the_model():
    model, rng = NGramModel(LINES, 2, VOCAB, 0.2), random.Random(0)
    drawn = Counter("".join(sample(model, rng, most=3)) for _ in range(4000))
    for length in range(3):
        for tokens in itertools.product("abc", repeat=length):
            p = math.exp(log_probability(model, list(tokens)))
            assert abs(drawn["".join(tokens)] / 4000 - p) < 5 * math.sqrt(p / 4000)
    assert max(map(len, drawn)) == 3, "no line is longer than `most`"


def test_in_the_constitution_interpolation_beats_adding_and_longer_contexts_help_up_to_four():
    lines = [list(line) for line in constitution()]
    train, _, test = split(lines)
    vocab = sorted({character for line in lines for character in line}) + [END]
    mixed = [bits(cross_entropy(InterpolatedModel(train, n, vocab, 10), test)) for n in (1, 2, 3, 4)]
    assert mixed[0] > mixed[1] + 1 > mixed[2] + 1.2 > mixed[3] + 1.2
    assert bits(cross_entropy(NGramModel(train, 4, vocab, 0.01), test)) > mixed[3] + 1
    assert cross_entropy(NGramModel(train, 4, vocab), test) == math.inf


def test_what_makes_no_model_is_refused():
    with pytest.raises(ValueError, match="n is at least 1"):
        NGramModel(LINES, 0, VOCAB)
    with pytest.raises(ValueError, match="alpha at least 0, not 1, -0.1"):
        NGramModel(LINES, 1, VOCAB, -0.1)
    for kappa in (0, -1):
        with pytest.raises(ValueError, match="kappa is positive"):
            InterpolatedModel(LINES, 1, VOCAB, kappa)


@given(lines_of_letters)
def test_reversing_twice_changes_nothing(lines):
    assume(any(line != line[::-1] for line in lines))
    assert reverse(lines) != lines
    assert reverse(reverse(lines)) == lines


@pytest.mark.parametrize("vocab", [["a", "b"], ["a", END], []])
def test_a_vocabulary_that_lacks_a_token_is_refused(vocab):
    """Else the probabilities over it would sum to less than 1."""
    with pytest.raises(ValueError, match="vocab lacks"):
        NGramModel([["a", "b"], ["a"]], 1, vocab)
    assert NGramModel([["a", "b"], ["a"]], 1, ["a", "b", END]).probability("a", []) == 0.4


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_smoothing_by_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match=f"alpha is a number, not {value}"):
        NGramModel([["a"]], 1, ["a", END], value)
