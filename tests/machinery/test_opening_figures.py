"""The figures that pages of the middle parts open with: that they show what the captions say."""

from __future__ import annotations

import importlib
import math
import re

import pytest
import torch

from book import LANGUAGES, ROOT
from snippets.figures import translated


def module(name):
    return importlib.import_module(f"snippets.figures.{name.replace('/', '.')}")


def shown(name, language="en"):
    """All that is written in a figure."""
    found = module(name)
    figure = found.draw(found.TEXT[language])
    return [text.get_text() for ax in figure.axes for text in ax.texts]


@pytest.mark.parametrize("part", ["attention", "positions", "block", "model", "training"])
def test_there_is_something_to_look_at_before_the_first_formula(part):
    """A picture, a table, or what an example prints."""
    for language in LANGUAGES:
        for path in sorted((ROOT / "docs" / language / part).glob("*.md")):
            before, formula, _ = path.read_text(encoding="utf-8").partition("\n$$\n")
            assert not formula or re.search(r"^(!\[|\| |--8<-- )", before, re.M), f"{path}: draw something first"


def test_two_heads_of_one_layer_look_at_different_words():
    tokens, weights = module("attention/two_heads").maps()
    first, second = weights.values()
    assert tokens == ["time", "flies", "like", "an", "arrow"]
    drawn = [[(i, j) for i, j in (weights > 0.05).nonzero().tolist()] for weights in (first, second)]
    assert drawn[0] == [(i, i + 1) for i in range(4)], "each word looks at the next"
    assert drawn[1][:2] == [(1, 0), (2, 1)] and {(3, 2), (4, 3)} < set(drawn[1]), "and at the previous"
    assert all(j == i - 1 for i, j in drawn[1] if second[i, j] > 0.1)
    assert first[4].sum() < 0.1 and second[0].sum() < 0.1, "the rest goes to special tokens"


def test_only_the_square_root_gives_weights_neither_one_hot_nor_uniform():
    weights = module("attention/weights_by_divisor").weights()
    assert weights["one"].max() > 0.999
    assert weights["all"].max() < 1.1 / 8
    assert 0.35 < weights["root"].max() < 0.45 and weights["root"].min() > 0.01
    assert len({int(found.argmax()) for found in weights.values()}) == 1, "the same scores"


def test_the_path_through_attention_has_the_shapes_of_the_example():
    shapes = module("attention/attention_flow").shapes()
    example = module("attention/attention_steps")
    assert shapes["x"] == tuple(example.X.shape)
    sizes = {"q": example.W_Q, "k": example.W_K}
    assert {name: shapes[name][1] for name in sizes} == {name: w.size(1) for name, w in sizes.items()}
    assert shapes["scores"] == shapes["weights"] == (3, 3) and shapes["output"] == shapes["v"]


def test_a_verb_looks_at_who_eats_and_what_is_eaten_and_hardly_at_itself():
    drawn = module("attention/who_eats_what")
    query, _, scores, weights, _, output = drawn.attend(["mouse", "eats", "cheese"])
    assert query.tolist() == [4, 4] and scores.tolist() == [4, 0, 4]
    assert weights[1] < 0.03 < 0.48 < weights[0] == weights[2]
    assert torch.equal(output, weights[[0, 2]]), "the values of the two are 1, in a component each"
    raw = torch.stack([drawn.X[word] for word in drawn.X])
    assert (raw @ drawn.X["eats"]).tolist() == [0, 1, 0], "compared as they are, it would look at itself"
    elephant = torch.stack([drawn.ANIMAL, drawn.X["eats"], drawn.X["cheese"]])
    assert torch.equal(elephant @ drawn.W_K, raw @ drawn.W_K) and not torch.equal(elephant @ drawn.W_V, raw @ drawn.W_V)
    assert [set(text["words"]) for text in drawn.TEXT.values()] == [set(drawn.X)] * 2


def test_a_look_up_gives_the_same_row_to_the_same_word():
    ids, table, rows = module("positions/embedding_lookup").look_up()
    assert ids.tolist() == [0, 1, 2, 0, 3]
    assert torch.equal(rows[0], rows[3]) and torch.equal(rows[4], table[3])
    assert len(set(map(tuple, table.tolist()))) == len(table)


def test_the_fast_hand_turns_and_the_slow_one_hardly_moves():
    hands = module("positions/clock_dials").hands()  # positions 0, 1, 5, 50
    assert torch.allclose(hands.norm(dim=-1), torch.ones(4, 4, dtype=torch.float64))
    moved = torch.rad2deg(torch.arccos((hands * hands[0]).sum(dim=-1).clamp(-1, 1)))
    assert moved[1, 0] > 45 and (moved[1, 1:] < 10).all()
    assert moved[2, 1] > 25 and (moved[2, 2:] < 10).all()
    assert moved[3, 2] > 25 and moved[3, 3] < 10


def test_each_hand_turns_by_its_own_angle_wherever_it_started():
    dials = module("positions/turned_hands")
    before, after = dials.hands()
    turns = torch.tensor(
        [
            [(dials.clockwise(new) - dials.clockwise(old)) % 360 for old, new in zip(*row, strict=True)]
            for row in zip(before, after, strict=True)
        ]
    )
    assert torch.allclose(turns[0], turns[1], atol=1e-3)
    assert turns[0].round().tolist() == [172, 54, 17, 5]
    assert math.isclose(turns[0, 0], math.degrees(dials.OFFSET), abs_tol=1e-3), "one radian a position"


def test_a_head_that_looks_three_back_is_right_but_blurred():
    back = module("positions/look_back")
    weights = back.weights()
    target = back.QUERY - back.BACK
    assert weights.argmax() == target
    assert f"{weights[target]:.2f}" == "0.22" and f"{weights[target + 1]:.2f}" == f"{weights[target - 1]:.2f}" == "0.16"
    assert weights[target - 1] + weights[target + 1] > weights[target]


def test_a_rotated_pair_keeps_its_angle_if_both_move_on():
    plain, second, third = module("positions/rotated_pair").pairs()
    scores = [float(query @ key) for query, key in (plain, second, third)]
    assert scores[1] == pytest.approx(scores[2]) and abs(scores[0] - scores[1]) > 0.5
    assert not torch.allclose(second, third, atol=0.5), "both have turned further"


def test_which_distance_has_the_largest_score_is_up_to_the_key():
    drawn = module("positions/rope_scores")
    distance, found = drawn.scores()
    assert {name: int(distance[values.argmax()]) for name, values in found.items()} == {
        "same": 0,
        "turned": drawn.TURNED,
        "other": 36,
    }
    assert torch.allclose(found["same"][: drawn.TURNED], found["turned"][drawn.TURNED : 2 * drawn.TURNED])


def test_the_network_is_four_times_as_wide_in_the_middle():
    assert module("block/relu_and_shape").widths() == (512, 2048, 512)


@pytest.mark.thorough
def test_without_residual_connections_the_gradient_vanishes():
    found = module("block/gradient_over_depth")
    added, plain, kept = (found.gradients(*of).mean(dim=0) for of in ((True, False), (False, False), (False, True)))
    assert list(found.DEPTHS)[-1] == 50
    assert plain[-1] < 1e-12 and (plain[1:] < plain[:-1]).all()
    assert 0.5 < added[0] < 2 and 7 < added[-1] < 15
    assert 1e-3 < kept[-1] < 0.1, "whether it vanishes depends on the initialisation"


def test_layer_norm_averages_a_row_and_batch_norm_a_column():
    norms = module("block/norm_axes")
    used = norms.influences()
    sentence, token, component = norms.CHOSEN
    row, column = torch.zeros_like(used["layer"]), torch.zeros_like(used["batch"])
    row[sentence, token] = True
    column[:, :, component] = True
    assert torch.equal(used["layer"], row) and torch.equal(used["batch"], column)


def test_norms_are_drawn_in_the_order_in_which_they_run():
    order = module("block/two_orders").order
    assert order(False) == ["attention", "norm", "feed_forward", "norm"]
    assert order(True) == ["norm", "attention", "norm", "feed_forward"]
    assert module("block/two_orders").with_sum(["norm", "attention"]) == ["norm", "attention", "add"]
    assert module("block/two_orders").with_sum(["attention", "norm"]) == ["attention", "add", "norm"]


def test_the_decoder_layer_has_its_sublayers_in_order():
    layer = module("model/decoder_layer")
    parts = [(name, layer.attends(part)) for name, part in layer.sublayers()]
    assert parts == [("self_attention", True), ("cross_attention", True), ("feed_forward", False)]
    assert shown("model/decoder_layer").count("K") == 2


def test_the_model_is_drawn_as_it_runs():
    encoder, decoder = module("model/encoder_decoder").parts()
    assert [name for name, _ in encoder] == ["embedding", "positions", "attention", "feed_forward"]
    assert [name for name, _ in decoder] == [
        *("embedding", "positions", "self_attention", "cross_attention", "feed_forward", "logits")
    ]
    assert {shape for _, shape in encoder} == {(10, 64)} and {shape for _, shape in decoder[:-1]} == {(6, 64)}
    assert decoder[-1][1] == (6, 43)


def test_the_target_is_shifted_by_one():
    goes_in, comes_out = module("training/shifted_target").tokens()
    assert goes_in[0] == "<s>" and comes_out[-1] == "</s>" and goes_in[1:] == comes_out[:-1]
    assert goes_in[5] == "년" and comes_out[5] == "3"


def test_the_soft_target_is_where_the_smoothed_loss_is_smallest():
    smoothing = module("training/smoothed_targets")
    hard, soft = smoothing.targets()
    assert hard.tolist() == pytest.approx([0, 0, 1, 0, 0], abs=1e-6)
    assert soft.tolist() == pytest.approx([0.02, 0.02, 0.92, 0.02, 0.02], abs=1e-6)
    p, loss = smoothing.losses(smoothing.EPSILON)
    assert float(p[loss.argmin()]) == pytest.approx(0.92, abs=0.003)
    p, plain = smoothing.losses(0.0)
    assert (plain[1:] < plain[:-1]).all() and plain[-1] < 0.001


def test_greedy_decoding_misses_the_best_sentence_of_the_page():
    trap = module("training/greedy_trap")
    found, greedy = trap.sentences()
    assert greedy == ("a", "c") and max(found, key=found.get) == ("b", "c")
    example = (ROOT / "snippets/training/decoding.md").read_text(encoding="utf-8")
    for (one, two), p in found.items():
        assert f"\n{one} {two} {p:.2f}\n" in example


def test_a_cache_computes_each_token_once():
    steps = module("training/cache_steps")
    assert steps.rows(steps.greedy) == list(range(1, steps.STEPS + 1))
    assert steps.rows(steps.cached_greedy) == [1] * steps.STEPS


def test_a_sentence_goes_through_the_layer_as_the_formulas_say():
    from snippets.training.translator import trained

    tokens, found = module("block/one_sentence").passage()
    layer = trained("dates").model.encoder.layers[0]
    assert tokens == ["Tuesday", ",", "March", "5", ",", "2", "0", "2", "4", "</s>"]
    assert found["weights"].shape == (10, 10) and torch.allclose(found["weights"].sum(dim=1), torch.ones(10))
    with torch.no_grad():
        x = found["embedded"].unsqueeze(0)
        attended = layer.residual_1.norm(x + layer.attention(x, x, x)[0])
        after = layer.residual_2.norm(attended + layer.feed_forward(attended))
    assert torch.allclose(found["attended"], attended[0], atol=1e-5)
    assert torch.allclose(found["layer"], after[0], atol=1e-5)


def test_an_additive_score_keeps_its_numbers_up_to_the_tanh():
    assert module("attention/two_scores").sizes() == (64, 64, 1)
    assert shown("attention/two_scores").count("64") == 3


def test_a_causal_mask_allows_no_later_key_and_a_padding_mask_no_padding():
    masks = module("attention/allowed_pairs").masks()
    assert [(i, j) for i, j in masks["causal"].nonzero().tolist() if j > i] == []
    assert masks["causal"].sum() == 10
    assert masks["padding"].tolist() == [[True, True, True, False]] * 4


def test_flies_listens_to_time():
    words, weights = module("attention/one_query").weights()
    assert words[int(weights.argmax())] == "time" and f"{weights.max():.2f}" == "0.69"
    assert weights.sort().values[-2] < 0.045 and 0.7 < weights.sum() < 0.9


def test_the_model_is_sure_of_the_month():
    source, target, after = translated.prediction()
    assert source[0] == "Tuesday" and target[0] == "<s>" and target[-1] == "년"
    assert [(token, f"{p:.3f}") for token, p in after.items()] == [("3", "0.994"), ("6", "0.001"), ("8", "0.001")]


def test_training_leads_down_the_curve():
    losses = module("training/minus_log").losses()
    assert f"{losses['before']:.2f}" == "6.27" and f"{losses['after']:.3f}" == "0.005"


def test_of_the_three_uses_only_cross_attention_joins_the_languages():
    figure = module("attention/three_uses")
    found = figure.measure()
    assert all(torch.allclose(weights.sum(dim=-1), torch.ones(len(weights))) for weights in found.values())
    assert not found["masked"].triu(1).any()
    for asks, looks in [("년", "March"), ("월", "5"), ("일", "Tuesday")]:
        assert figure.SOURCE[found["cross"][figure.TARGET.index(asks)].argmax()] == looks
