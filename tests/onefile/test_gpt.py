"""The GPT in one file computes what the book's does, from the same weights, and generates within its rules."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from snippets.families.gpt import GPT as OfTheBook
from snippets.families.gpt import GPT2, causal_lm_loss
from snippets.onefile import gpt
from snippets.onefile.gpt import GPT, CausalSelfAttention
from tests import torch_twins

SIZES = {"vocab_size": 17, "num_layers": 2, "d_model": 12, "num_heads": 3, "max_length": 8, "dropout": 0.0}


def named(state: dict) -> dict:
    """The book's weights under the names of the file, queries, keys and values in one."""
    names = {
        "stack.layers": "blocks",
        "stack.norm": "norm",
        "residual_1.norm": "norm_1",
        "residual_2.norm": "norm_2",
        "attention.w_o": "attention.out",
        "positions.table": "positions.weight",
        "gamma": "weight",
        "beta": "bias",
    }
    result = {}
    for name, weight in state.items():
        for book, one in names.items():
            name = name.replace(book, one)
        if "attention.w_q" in name:
            parts = [weight, *(state_of(state, weight, kind) for kind in ("w_k", "w_v"))]
            result[name.replace("w_q", "qkv")] = torch.cat(parts)
        elif "attention.w_k" not in name and "attention.w_v" not in name:
            result[name] = weight
    return result


def state_of(state: dict, weight: torch.Tensor, kind: str) -> torch.Tensor:
    """The key's or value's weights that belong to the query's."""
    (name,) = (name for name, other in state.items() if other is weight)
    return state[name.replace("w_q", kind)]


def pair(**changes) -> tuple[OfTheBook, GPT]:
    torch.manual_seed(0)
    sizes = {**SIZES, **changes}
    book = torch_twins.randomise(OfTheBook(replace(GPT2, d_ff=4 * sizes["d_model"], **sizes))).double()
    one = GPT(**sizes).double()
    one.load_state_dict(named(book.state_dict()))
    return book.eval(), one.eval()


def texts(batch: int = 3, n: int = 6) -> torch.Tensor:
    return torch.randint(0, 17, (batch, n), generator=torch.Generator().manual_seed(n))


@pytest.mark.parametrize("n", [2, 6, 8])
@pytest.mark.parametrize("changes", [{}, {"num_layers": 1, "num_heads": 1}, {"num_layers": 3, "d_model": 24}], ids=str)
def test_logits_loss_and_gradients_are_those_of_the_book(changes, n):
    book, one = pair(**changes)
    ids = texts(n=n)
    assert_close(one(ids), book(ids))
    losses = one.loss(ids), causal_lm_loss(book, ids)
    assert_close(*losses)
    for loss in losses:
        loss.backward()
    gradients = named({name: p.grad for name, p in book.named_parameters()})
    for name, parameter in one.named_parameters():
        assert_close(parameter.grad, gradients[name])


def test_tokens_can_be_left_out_of_the_loss():
    book, one = pair()
    ids = texts()
    ids[1, 3:] = 5
    assert_close(one.loss(ids, ignore_index=5), causal_lm_loss(book, ids, pad_id=5))
    ids[0, -1] = -100  # the usual mark, which the last token may have: it is no input
    assert_close(one.loss(ids), causal_lm_loss(book, ids))


def test_without_being_told_every_token_counts():
    _, one = pair()
    ids = texts()
    logits = one(ids[:, :-1]).log_softmax(dim=-1)
    chosen = logits.gather(-1, ids[:, 1:, None]).squeeze(-1)
    assert_close(one.loss(ids), -chosen.mean())


def test_it_is_the_smallest_gpt2():
    with torch.device("meta"):
        ours, book = GPT(50_257), OfTheBook(GPT2)
    count = [sum(p.numel() for p in model.parameters()) for model in (ours, book)]
    assert count[0] == count[1] == 124_439_808
    assert ours.dropout.p == ours.blocks[3].attention.dropout.p == ours.blocks[3].feed_forward.dropout.p == 0.1
    assert ours.blocks[0].attention.num_heads == 12 and ours.positions.num_embeddings == 1024


def test_weights_begin_small_and_the_last_of_each_sublayer_smaller():
    torch.manual_seed(0)
    model = GPT(500, num_layers=8, d_model=64, num_heads=4, max_length=300)
    block = model.blocks[2]
    for module in (model.tokens, model.positions, block.attention.qkv, block.feed_forward.w_1):
        assert module.weight.std().item() == pytest.approx(0.02, rel=0.05)
    for module in (block.attention.out, block.feed_forward.w_2):
        assert module.weight.std().item() == pytest.approx(0.02 / 4, rel=0.05)
    for module in (
        block.attention.qkv,
        block.attention.out,
        block.feed_forward.w_1,
        block.feed_forward.w_2,
        block.norm_1,
    ):
        assert not module.bias.any()
    assert (block.norm_1.weight == 1).all() and (model.norm.weight == 1).all()


def test_dropout_acts_on_embeddings_and_on_each_sublayer():
    torch.manual_seed(0)
    model = GPT(**{**SIZES, "dropout": 0.5, "d_model": 60})
    x = torch.randn(2, 8, 60)
    for sublayer in (model.blocks[0].attention, model.blocks[0].feed_forward):
        assert 0.3 < (sublayer(x) == 0).float().mean() < 0.7
        assert (sublayer.eval()(x) != 0).all()
    model.blocks, model.norm = torch.nn.ModuleList(), torch.nn.Identity()
    with torch.no_grad():
        model.tokens.weight.copy_(torch.eye(17, 60) + 1)
    assert (model(texts(1, 8))[0].std(dim=-1) > 0).all() and not torch.equal(model(texts(1, 8)), model(texts(1, 8)))


def test_more_tokens_than_positions_are_refused():
    _, one = pair()
    with pytest.raises(ValueError, match="9 tokens, and only 8 positions"):
        one(texts(n=9))


def test_heads_have_to_divide_the_dimension():
    with pytest.raises(ValueError, match="5 heads do not divide d_model = 12"):
        CausalSelfAttention(12, 5, 0.0)


def test_greedy_generation_appends_the_most_probable_token_and_sees_the_end_of_a_long_text():
    book, one = pair()
    ids = texts(n=3)
    generated = one.generate(ids, 9, temperature=0)
    assert generated.shape == (3, 12) and torch.equal(generated[:, :3], ids)
    for n in range(3, 12):
        with torch.no_grad():
            assert torch.equal(generated[:, n], book(generated[:, max(0, n - 8) : n])[:, -1].argmax(dim=-1))
    assert torch.equal(one.generate(ids, 9, temperature=0, top_k=4), generated)
    torch.manual_seed(0)
    assert torch.equal(one.generate(ids, 9, top_k=1), generated)
    assert not one.generate(ids, 1).requires_grad


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.5, None), (2.0, 5), (1.0, 3)])
def test_samples_are_as_frequent_as_they_are_probable(temperature, top_k):
    _, one = pair()
    ids = texts(1, 4)
    with torch.no_grad():
        logits = one(ids)[0, -1]
    if top_k:
        kept = logits.sort(descending=True).indices[:top_k]
        logits = torch.full_like(logits, -torch.inf).index_put((kept,), logits[kept])
    expected = (logits / temperature).softmax(dim=-1)
    torch.manual_seed(0)
    drawn = one.generate(ids.expand(4000, -1), 1, temperature=temperature, top_k=top_k)[:, -1]
    frequency = drawn.bincount(minlength=17) / 4000
    assert_close(frequency.double(), expected, atol=0.03, rtol=0)
    assert (drawn.unique() == torch.arange(17)[expected > 0][:, None]).any(dim=0).all()
    torch.manual_seed(0)
    if temperature == 1 and not top_k:
        assert torch.equal(one.generate(ids.expand(4000, -1), 1)[:, -1], drawn)


def test_the_file_imports_nothing_but_torch_and_is_short():
    source = inspect.getsource(gpt)
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    assert modules == {"torch"}
    assert len(source.splitlines()) < 230
