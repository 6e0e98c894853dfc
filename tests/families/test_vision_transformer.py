"""What the Vision Transformer means: patches are tokens, and it equals the library's model in every number."""

from __future__ import annotations

from dataclasses import replace

import einops
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.attention.multi_head import split_heads
from snippets.families.library import renamed
from snippets.families.vision_transformer import (
    VIT_BASE,
    VIT_NAMES,
    VisionTransformer,
    ViTClassifier,
    grid,
    load_vit,
    shuffle_patches,
    to_patches,
)
from snippets.model.sizes import count
from tests.properties import orders, sizes

SMALL = replace(VIT_BASE, num_layers=2, d_model=16, num_heads=2, d_ff=24)


def small(image_size=(8, 12), patch_size=4, positions="learned", pool="class", **changes):
    torch.manual_seed(0)
    vit = VisionTransformer(replace(SMALL, positions=positions, **changes), image_size, patch_size)
    model = ViTClassifier(vit, 5, pool)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model.eval()


def images(batch=2, size=(8, 12), channels=3):
    return torch.randn(batch, channels, *size, generator=torch.Generator().manual_seed(1))


# Patches


def test_patches_of_a_small_image_in_reading_order():
    image = torch.arange(24).reshape(1, 1, 4, 6)
    expected = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    assert to_patches(image, 2)[0].tolist() == expected


def test_within_a_patch_one_channel_follows_the_other():
    image = torch.stack([torch.zeros(2, 2), torch.ones(2, 2), torch.full((2, 2), 2.0)]).unsqueeze(0)
    assert to_patches(image, 2)[0, 0].tolist() == [0] * 4 + [1] * 4 + [2] * 4


@given(batch=sizes, channels=sizes, rows=sizes, columns=sizes, size=sizes)
def test_patches_are_those_of_einops_and_of_unfold(batch, channels, rows, columns, size):
    x = torch.randn(batch, channels, rows * size, columns * size)
    axes = {"p": size, "q": size}
    expected = einops.rearrange(x, "b c (rows p) (columns q) -> b (rows columns) (c p q)", **axes)
    assert torch.equal(to_patches(x, size), expected)
    assert torch.equal(to_patches(x, size), F.unfold(x, size, stride=size).transpose(1, 2))


def test_a_strided_convolution_embeds_patches_as_a_matrix_does():
    conv = torch.nn.Conv2d(3, 5, 4, stride=4).double()
    x = images().double()
    by_matrix = to_patches(x, 4) @ conv.weight.flatten(1).T + conv.bias
    assert_close(conv(x).flatten(2).transpose(1, 2), by_matrix)


@pytest.mark.parametrize("size", [(9, 12), (8, 11)])
def test_pixels_that_are_left_over_are_refused(size):
    what = f"patches of 4 do not tile {size[0]} by {size[1]}"
    for call in (
        lambda: grid(*size, 4),
        lambda: to_patches(images(size=size), 4),
        lambda: shuffle_patches(images(size=size), torch.arange(6), 4),
        lambda: VisionTransformer(SMALL, size, 4),
    ):
        with pytest.raises(ValueError, match=what):
            call()


def test_an_order_that_leaves_patches_out_is_refused():
    with pytest.raises(ValueError, match="an order of 6 has each of 0 to 5 once"):
        shuffle_patches(images(), torch.tensor([0, 0, 1, 2, 3, 4]), 4)


@given(data=st.data(), rows=sizes, columns=sizes, size=sizes)
def test_shuffling_puts_the_patches_into_the_order_it_is_given(data, rows, columns, size):
    x = torch.randn(2, 3, rows * size, columns * size)
    order = data.draw(orders(rows * columns))
    shuffled = shuffle_patches(x, order, size)
    assert shuffled.shape == x.shape
    assert torch.equal(to_patches(shuffled, size), to_patches(x, size)[:, order])
    assert torch.equal(shuffle_patches(shuffled, order.argsort(), size), x)


# Shapes and sizes


def test_the_shapes_of_a_batch_of_six():
    vit = VisionTransformer(replace(VIT_BASE, num_layers=1, num_heads=8), (96, 96), 16)
    tokens = vit.embed(torch.randn(6, 3, 96, 96))
    attention = vit.encoder.layers[0].attention
    q, k, v = (split_heads(w(tokens), 8) for w in (attention.w_q, attention.w_k, attention.w_v))
    output, weights = attention(tokens, tokens, tokens)
    assert tokens.shape == output.shape == (6, 37, 768)
    assert q.shape == k.shape == v.shape == (6, 8, 37, 96)
    assert weights.shape == (6, 8, 37, 37)
    assert_close(weights, torch.softmax(q @ k.transpose(-2, -1) / 96**0.5, dim=-1)), "by the size of a head"
    assert count(attention) == 4 * (768 * 768 + 768) == 2_362_368


@pytest.mark.parametrize(("patch_size", "parameters"), [(16, 86_567_656), (32, 88_224_232)])
def test_the_base_model_has_the_parameters_of_the_published_one(patch_size, parameters):
    with torch.device("meta"):  # shapes without numbers
        model = ViTClassifier(VisionTransformer(VIT_BASE, (224, 224), patch_size), 1000)
    assert count(model) == parameters
    assert len(model.vit.encoder.layers) == 12 and model.vit.encoder.layers[0].attention.num_heads == 12


def test_images_of_another_size_are_refused():
    with pytest.raises(ValueError, match=r"not \(2, 3, 12, 8\)"):
        small()(images(size=(12, 8)))


def test_pooling_of_no_kind_is_refused():
    with pytest.raises(ValueError, match="class or mean, not 'max'"):
        small(pool="max")


# The library


def pair(seed, image_size, patch_size, channels, labels, d_model, heads, layers):
    """A classifier of the book with the weights of the library's, and that one."""
    from transformers import ViTConfig, ViTForImageClassification

    torch.manual_seed(seed)
    config = ViTConfig(
        image_size=image_size,
        patch_size=patch_size,
        num_channels=channels,
        hidden_size=d_model,
        num_attention_heads=heads,
        num_hidden_layers=layers,
        intermediate_size=24,
        num_labels=labels,
    )
    theirs = ViTForImageClassification(config).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    own = replace(VIT_BASE, num_layers=layers, d_model=d_model, num_heads=heads, d_ff=24)
    ours = ViTClassifier(VisionTransformer(own, image_size, patch_size, channels), labels).eval()
    load_vit(ours, theirs.state_dict())
    return ours, theirs


CASES = [
    (0, (8, 12), 4, 3, 5, 16, 2, 2),
    (1, (12, 12), 6, 1, 2, 24, 3, 1),
    *(
        pytest.param(case, marks=pytest.mark.thorough)
        for case in [
            (2, (20, 10), 5, 4, 7, 32, 4, 3),
            (3, (6, 6), 1, 3, 3, 8, 1, 4),
            (4, (16, 48), 16, 2, 10, 48, 12, 2),
            (5, (9, 9), 9, 3, 4, 16, 4, 2),
        ]
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_librarys_weights_give_the_librarys_outputs_loss_and_gradients(case):
    ours, theirs = pair(*case)
    _, size, _, channels, labels, *_ = case
    x, target = images(3, size, channels), torch.tensor([0, 1, 0]) % labels
    expected = theirs(x, labels=target)
    loss = F.cross_entropy(ours(x), target)
    assert_close(ours.vit(x), theirs.vit(x).last_hidden_state, rtol=1e-5, atol=1e-5)
    assert_close(ours(x), expected.logits, rtol=1e-5, atol=1e-5)
    assert_close(loss, expected.loss, rtol=1e-5, atol=1e-5)
    loss.backward()
    expected.loss.backward()
    gradients = {name: x.grad for name, x in theirs.named_parameters()}
    for name, parameter in ours.named_parameters():
        gradient = gradients.pop(renamed(name, VIT_NAMES))
        assert_close(
            parameter.grad, gradient.view_as(parameter), rtol=1e-4, atol=1e-5, msg=lambda m, n=name: f"{n}: {m}"
        )
    assert not gradients, "the library's model has parameters that ours has not"


def test_the_encoder_alone_takes_the_librarys_encoder():
    from transformers import ViTConfig, ViTModel

    torch.manual_seed(0)
    config = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2, "intermediate_size": 24}
    theirs = ViTModel(ViTConfig(image_size=(8, 12), patch_size=4, **config), add_pooling_layer=False).eval()
    ours = VisionTransformer(SMALL, (8, 12), 4).eval()
    load_vit(ours, theirs.state_dict())
    assert_close(ours(images()), theirs(images()).last_hidden_state, rtol=1e-5, atol=1e-5)


# What depends on what


def test_tokens_are_the_class_token_and_the_patches_each_with_its_position():
    vit = small().vit
    tokens = vit.embed(images())
    table = vit.positions.table
    assert_close(tokens[:, 0], (vit.class_token[0, 0] + table[0]).expand(2, -1))
    by_matrix = to_patches(images(), 4) @ vit.patches.weight.flatten(1).T + vit.patches.bias
    assert_close(tokens[:, 1:], by_matrix + table[1:])


def test_logits_come_from_the_class_token_or_from_the_mean_of_the_patches():
    for pool, where in [("class", slice(0, 1)), ("mean", slice(1, None))]:
        model = small(pool=pool)
        assert_close(model(images()), model.classifier(model.vit(images())[:, where].mean(dim=1)))


@pytest.mark.parametrize("pool", ["class", "mean"])
@pytest.mark.parametrize("row", [0, 7])
@pytest.mark.parametrize("column", [0, 11])
def test_every_patch_counts(pool, row, column):
    model, x = small(pool=pool), images()
    before = model(x)
    x[0, :, row, column] += 1.0
    assert not torch.allclose(model(x)[0], before[0])
    assert_close(model(x)[1], before[1])


@given(order=orders(6))
def test_without_positions_the_order_of_the_patches_does_not_matter(order):
    model = small(positions="none")
    assert_close(model(shuffle_patches(images(), order, 4)), model(images()), rtol=1e-4, atol=1e-5)


@given(order=orders(6))
def test_positions_that_follow_their_patches_give_the_same_answer(order):
    model = small()
    before = model(images())
    with torch.no_grad():
        model.vit.positions.table[1:] = model.vit.positions.table[1:][order]
    after = model(shuffle_patches(images(), order, 4))
    assert_close(after, before, rtol=1e-4, atol=1e-5)


def test_with_positions_the_order_matters():
    model = small()
    assert not torch.allclose(model(images().flip(2)), model(images()), atol=1e-3)
    assert not torch.allclose(model(shuffle_patches(images(), torch.arange(6).flip(0), 4)), model(images()), atol=1e-3)


def test_dropout_acts_on_the_tokens_in_training_only():
    model = small(dropout=0.5)
    assert torch.equal(model(images()), model(images()))
    model.train()
    assert 0.3 < (model.vit.embed(images()) == 0).float().mean() < 0.7


def test_the_class_token_starts_at_zero_and_the_classifier_is_all_that_knows_classes():
    vit = VisionTransformer(SMALL, (8, 12), 4)
    assert not vit.class_token.any() and vit.class_token.requires_grad
    assert [name for name, x in ViTClassifier(vit, 5).named_parameters() if 5 in x.shape] == [
        "classifier.weight",
        "classifier.bias",
    ]


def test_the_size_may_be_a_list_and_images_have_all_four_axes():
    vit = VisionTransformer(SMALL, [8, 12], 4, channels=1)
    assert vit(torch.zeros(2, 1, 8, 12)).shape == (2, 7, SMALL.d_model)
    for shape in [(1, 8, 12), (2, 3, 8, 12), (2, 1, 12, 8)]:
        with pytest.raises(ValueError, match=r"images are \('batch', 1, 8, 12\), not"):
            vit(torch.zeros(shape))
    with pytest.raises(ValueError, match="channels, h, w"):
        to_patches(torch.zeros(1, 8, 12), 4)


def test_sinusoids_do_not_change_the_dtype():
    vit = VisionTransformer(replace(SMALL, positions="sinusoidal"), (8, 12), 4).eval()
    assert vit(torch.zeros(1, 3, 8, 12)).dtype == torch.float32


@pytest.mark.parametrize("image_size", [8, (8,), (8, 8, 8), "88"])
def test_an_image_has_a_height_and_a_width(image_size):
    with pytest.raises(ValueError, match=r"image_size is \(height, width\), not"):
        VisionTransformer(SMALL, image_size, 4)


@pytest.mark.parametrize("sizes", [(8, 8, 0), (8, 8, -4), (0, 8, 4), (8, 0, 4), (-8, 8, 4)])
def test_there_are_no_patches_of_nothing(sizes):
    with pytest.raises(ValueError, match=f"no size: {', '.join(map(str, sizes))}"):
        grid(*sizes)
    assert grid(1, 1, 1) == (1, 1)
