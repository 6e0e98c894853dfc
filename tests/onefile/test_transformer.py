"""The Transformer in one file computes what the book's does, from the same weights."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from book.adapters.published import downloaded
from book.source.page import MARKER
from snippets.before import dates
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer as OfTheBook
from snippets.onefile import transformer
from snippets.onefile.transformer import MultiHeadAttention, Transformer, generate
from snippets.training.decoding import greedy
from snippets.training.translator import DATE_VOCAB, SMALL, trained
from tests import torch_twins

SIZES = {"vocab_size": 17, "num_layers": 2, "d_model": 12, "num_heads": 3, "d_ff": 20, "dropout": 0.0}


def named(state: dict) -> dict:
    """The book's weights under the names of the file."""
    names = {"gamma": "weight", "beta": "bias", "table": "weight"}
    return {".".join(names.get(part, part) for part in name.split(".")): w for name, w in state.items()}


def pair(norm_first: bool, **changes) -> tuple[OfTheBook, Transformer]:
    torch.manual_seed(0)
    options = {**SIZES, "norm_first": norm_first, **changes}
    book = torch_twins.randomise(OfTheBook(TransformerConfig(**options)), but="embedding.table").double()
    one = Transformer(**options).double()
    one.load_state_dict(named(book.state_dict()))
    return book, one


def sentences(lengths: list[int], seed: int, pad_id: int = 0) -> torch.Tensor:
    ids = torch.randint(4, 17, (len(lengths), max(lengths)), generator=torch.Generator().manual_seed(seed))
    return ids.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths).unsqueeze(1), pad_id)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize(("src", "tgt"), [([5], [4]), ([6, 3, 1], [2, 4, 1]), ([1], [1])])
@pytest.mark.parametrize("pad_id", [0, 3])
def test_logits_and_gradients_are_those_of_the_book(norm_first, src, tgt, pad_id):
    book, one = pair(norm_first, pad_id=pad_id)
    src, tgt = sentences(src, 1, pad_id), sentences(tgt, 2, pad_id)
    used = (tgt != pad_id).unsqueeze(-1)
    a, b = book(src, tgt) * used, one(src, tgt) * used
    assert_close(a, b, atol=1e-6, rtol=1e-6)  # positions are rounded to float32 here and there
    weights = torch.randn(a.shape, dtype=a.dtype, generator=torch.Generator().manual_seed(3))
    for logits in (a, b):
        (logits * weights).sum().backward()
    gradients = named({name: p.grad for name, p in book.named_parameters()})
    for name, parameter in one.named_parameters():
        assert_close(parameter.grad, gradients[name], atol=1e-6, rtol=1e-5)


def test_the_base_model_has_the_size_of_the_paper():
    with torch.device("meta"):
        ours, book = Transformer(37_000), OfTheBook(TransformerConfig())
    count = [sum(p.numel() for p in model.parameters()) for model in (ours, book)]
    assert count[0] == count[1] == 63_082_496
    assert ours.dropout.p == ours.encoder.layers[5].residual_2.dropout.p == 0.1
    assert ours.encoder.layers[0].attention.num_heads == 8
    assert not ours.encoder.layers[0].residual_1.norm_first and ours.pad_id == 0


def test_a_trained_translator_generates_the_same():
    book = trained("dates").model
    sizes = {name: getattr(SMALL, name) for name in ("num_layers", "d_model", "num_heads", "d_ff", "dropout")}
    one = Transformer(vocab_size=len(DATE_VOCAB), **sizes).eval()
    one.load_state_dict(named(book.state_dict()))
    src, _ = dates.batch(dates.HELD_OUT[:40], DATE_VOCAB)
    right = greedy(book, src, 20)
    assert torch.equal(generate(one, src, 1, 2, 20), torch.cat([torch.ones_like(src[:, :1]), right], dim=1))
    assert torch.equal(generate(one, src, 1, 2, 4)[:, 1:], right[:, :4])
    assert not generate(one, src, 1, 2, 4).requires_grad


def test_padding_is_never_generated_before_the_end(monkeypatch):
    """Even where it has the largest logit, and where all logits are negative."""
    _, one = pair(True)
    logits = torch.arange(17).neg().float() - 1  # padding first, then <s>
    monkeypatch.setattr(one, "decode", lambda tgt, memory, src: logits.repeat(*tgt.shape, 1))
    assert generate(one.eval(), sentences([5, 3], 1), 4, 2, 3).tolist() == [[4, 1, 1, 1]] * 2


def test_generation_ends_where_every_sentence_has_ended():
    _, one = pair(True)
    src = sentences([5, 3], 1)
    free = generate(one.eval(), src, 1, 99, 6)
    first = free[0, 1].item()
    alone = generate(one, src[:1], 1, first, 6)
    assert alone.tolist() == [[1, first]]
    both = generate(one, src, 1, first, 6)
    assert both[0, 2:].eq(0).all() and both.size(1) == (7 if first not in free[1] else both.size(1))


def test_embeddings_begin_with_components_of_size_one():
    torch.manual_seed(0)
    model = Transformer(2000, num_layers=1, d_model=64, num_heads=4, d_ff=8)
    assert model.embedding.weight.std().item() == pytest.approx(64**-0.5, rel=0.01)


def test_dropout_acts_on_embeddings_and_on_each_sublayer():
    torch.manual_seed(0)
    model = Transformer(**{**SIZES, "dropout": 0.5})
    ids = sentences([6], 1)
    assert 0 < (model.embed(ids) == 0).float().mean() < 1
    layer = model.encoder.layers[0]
    model.dropout.p = 0.0
    for residual in (layer.residual_1, layer.residual_2):
        residual.norm = torch.nn.Identity()
        added = residual(torch.zeros(1, 50, 12), lambda x: x + 1)
        assert added.unique().tolist() == [0.0, 2.0]


def test_heads_have_to_divide_the_dimension():
    with pytest.raises(ValueError, match="5 heads do not divide d_model = 12"):
        MultiHeadAttention(12, 5)


def test_a_row_of_nothing_but_padding_gives_numbers():
    _, one = pair(False)
    assert one(torch.tensor([[0, 0], [4, 5]]), torch.tensor([[4], [5]])).isfinite().all()


def test_the_file_imports_nothing_but_torch_and_is_short():
    source = inspect.getsource(transformer)
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    assert modules == {"torch"}
    assert sum(not MARKER.search(line) for line in source.splitlines()) < 230  # as it is downloaded


def test_readers_get_the_file_without_the_marks_of_its_sections():
    path = Path(inspect.getfile(transformer))
    text = downloaded(path)
    assert not MARKER.search(text) and MARKER.search(path.read_text(encoding="utf-8"))
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(path.read_text(encoding="utf-8")))
