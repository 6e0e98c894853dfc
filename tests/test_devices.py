"""No tensor is made on a fixed device: whatever the default is, everything follows its inputs."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator

import pytest
import torch
from torch import nn
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from book import ROOT
from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import PerHeadAttention, fuse
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.families.attention_views import rollout
from snippets.families.fine_tuning import add_lora, merge_lora
from snippets.families.flash_attention import flash_attention
from snippets.families.gpt_cache import CachedGPT
from snippets.families.in_context_learning import induction_scores
from snippets.families.three_families import full_mask, prefix_mask
from snippets.model.speed import faster
from snippets.positions.distance import similarity
from snippets.positions.fixed_offset import offset_map
from snippets.positions.relative import alibi_bias, offsets, relative_scores, rotate, t5_bucket
from snippets.positions.sinusoidal import positional_encoding
from snippets.training.adam import Adam
from snippets.training.attention_maps import attention_maps
from snippets.training.cache import cached_greedy
from snippets.training.decoding import beam_search, greedy
from snippets.training.loss import next_token_loss
from tests.every_model import ELSEWHERE, MODELS, PACKED, ROUTED, SRC, TGT, X, build, inputs, run, transformer

POSITIONS = torch.arange(4)
#: Everything that is taught; what draws, runs or measures is not.
MODULES = [
    path
    for path in sorted((ROOT / "snippets").rglob("*.py"))
    if path.parent.name not in ("figures", "tools") and "figures" not in path.parts and path.name != "__init__.py"
]
each_model = pytest.mark.parametrize("name", MODELS)


class NoFloat64(TorchDispatchMode):
    """As on the GPU of an Apple computer: a tensor of float64 on the meta device is an error."""

    def __torch_dispatch__(self, operation, types, args, kwargs=None):
        result = operation(*args, **(kwargs or {}))
        for made in tree_leaves(result):
            if isinstance(made, torch.Tensor) and made.is_meta and made.dtype == torch.float64:
                raise TypeError(f"{operation} makes float64")
        return result


@each_model
def test_a_model_stays_where_its_input_is_whatever_the_default(name):
    one, given = build(name), inputs(name)
    expected = run(one, *given)
    with torch.device("meta"):  # a tensor made without a device has no numbers, and mixes with none that has
        found = run(one, *given)
    assert found.device == given[0].device and torch.equal(found, expected)


@pytest.mark.parametrize(
    "name", [name for name in MODELS if name not in PACKED | ROUTED | {"SkipGram"}]
)  # it is float64
def test_a_model_runs_where_there_are_no_numbers_and_no_float64(name):
    """On the meta device whatever looks into a tensor fails, and what is left on the CPU does not mix with the rest."""
    one, given = build(name, "meta").train(), inputs(name, "meta")
    with NoFloat64():
        result = run(one, *given)
        result.sum().backward()
    assert result.is_meta and result.dtype == torch.float32
    assert all(p.grad.is_meta for p in one.parameters() if p.grad is not None)


#: A token of SkipGram is an input by itself, and a model in a file checks nothing.
OF_IDS = [name for name in MODELS if not inputs(name)[0].is_floating_point() and name != "SkipGram"]


@pytest.mark.parametrize("name", [name for name in OF_IDS if "in a file" not in name])
def test_ids_without_a_batch_are_refused_by_their_shape(name):
    with pytest.raises(ValueError, match=r"ids are \(batch, n.*, not \(4,\)"):
        run(build(name), *[x[0] for x in inputs(name)])


def test_every_module_of_the_book_is_part_of_a_model_here():
    tried = {type(module) for name in MODELS for module in build(name).modules()} | ELSEWHERE.keys()
    left = [
        thing.__name__
        for path in MODULES
        if path.parent.name != "labs" and "(nn.Module)" in path.read_text(encoding="utf-8")  # labs take parts away
        for thing in vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))).values()
        if isinstance(thing, type) and issubclass(thing, nn.Module) and thing.__module__.startswith("snippets")
        if thing not in tried
    ]
    assert not left


# Functions that make a tensor without saying where: from Python's numbers, or at random, as a CPU's generator does it.
# Whoever calls them moves it. That parameters are on the default device is what torch does, too.
FROM_NUMBERS = {
    "attention/why_sqrt_dk": {"sample_components"},
    "before/batches_of_tokens": {"batch"},
    "before/waiting": {"reads", "path_length"},
    "before/vocabulary": {"pad"},
    "before/word_vectors": {"noise", "train"},
    "block/post_pre_ln": {"gradients_by_layer", "sizes_by_layer"},
    "families/diversity": {"samples"},
    "families/in_context_learning": {"draw_mappings", "draw_letters", "moved_back"},
    "families/span_corruption": {"cut"},
    "training/renumbered": {"renumbered"},  # drawn where its generator is
    "llm/cached_llama": {"next_logits"},  # positions; a time is measured with this code as it is
    "llm/layouts": {"windows"},
    # kept results were measured with these as they are
    "llm/heads": {"repeated", "attention_weights"},
    "llm/kept_tokenizer": {"paired"},
    "llm/logit_lens": {"translator"},
    "llm/prompts": {"chosen"},
    "llm/speculative": {"verified", "new_logits", "passes", "look_up", "by_model"},
    "llm/tuning": {"batch"},
}
MAKERS = {
    *("arange", "zeros", "ones", "tensor", "as_tensor", "eye", "full", "empty", "linspace", "logspace"),
    *("rand", "randn", "randint", "randperm", "normal", "tril_indices", "triu_indices", "scalar_tensor"),
}
#: Data and experiments: they train on the CPU.
RUNS = (
    *("before/recurrent", "before/dates", "before/digits", "before/constitution_vectors", "before/learned_gates"),
    "labs/",
    "review_bert/make",
    *(f"training/{name}" for name in "numbers sgd half_trained probe repeated_dates".split()),
    *(
        f"families/{name}"
        for name in "blocks_compared constitution_ gpt_samples gpt_sizes encoder_views digit_images image_comparison "
        "library_pairs same_numbers mapping_learner mouse_and_cheese tuned_encoders longer_prompts vision_training "
        "deep_network".split()
    ),
    *(f"llm/{name}" for name in "capitals heads_measured small_dpo small_experts small_indexer".split()),
    *(
        f"llm/{name}"
        for name in "drafted_smollm longer_smollm prompted_smollm quantized_smollm shown_examples tuned_smollm".split()
    ),
)


def without_device(node: ast.AST, function: str = "") -> Iterator[str]:
    """The functions in which torch is asked for a new tensor, and not where."""
    for child in ast.iter_child_nodes(node):
        called = child.func if isinstance(child, ast.Call) else None
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) == "torch" and called.attr in MAKERS:
            if not any(keyword.arg == "device" for keyword in child.keywords):
                yield function
        inside = child.name if isinstance(child, ast.FunctionDef) and not function else function
        yield from without_device(child, inside)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_whatever_makes_a_tensor_says_where(path):
    name = f"{path.parent.name}/{path.stem}"
    found = set(without_device(ast.parse(path.read_text(encoding="utf-8")))) - {"__init__"}
    if not name.startswith(RUNS):
        assert found == FROM_NUMBERS.get(name, set())


def model(**options):
    torch.manual_seed(0)
    return transformer(**options).eval()


def train_step() -> torch.Tensor:
    one = model().train()
    optimizer = Adam(one.parameters())
    loss = next_token_loss(one, SRC, TGT, 0.1)
    loss.backward()
    optimizer.step()
    return loss


WITH_A_MODEL = {
    "loss": lambda one: next_token_loss(one, SRC, TGT, 0.1),
    "greedy": lambda one: greedy(one, SRC, 5),
    "cache": lambda one: cached_greedy(one, SRC, 5),
    "beam": lambda one: torch.tensor(beam_search(one, SRC[:1], 3, 5)[1], device="cpu"),
    "maps": lambda one: attention_maps(one, SRC, TGT)["encoder.layers.0.attention"],
}
MAPS = torch.rand(2, 2, 4, 4, generator=torch.Generator().manual_seed(2)).softmax(dim=-1)
TWICE = torch.tensor([[1, 9, 2, 10, 1, 9]])
WITHOUT = {
    "attention": lambda x, ids, at: scaled_dot_product_attention(x, x, x, padding_mask(ids, 0))[0],
    "causal": lambda x, ids, at: scaled_dot_product_attention(x, x, x, causal_mask(4, x.device))[0],
    "prefix": lambda x, ids, at: scaled_dot_product_attention(x, x, x, prefix_mask(4, 2, x.device))[0],
    "full": lambda x, ids, at: scaled_dot_product_attention(x, x, x, full_mask(4, x.device))[0],
    "positions": lambda x, ids, at: positional_encoding(at, 8),
    "similarity": lambda x, ids, at: similarity(at, 8),
    "offset": lambda x, ids, at: offset_map(2, 8, x.device),
    "rotary": lambda x, ids, at: rotate(x, at),
    "shaw": lambda x, ids, at: relative_scores(x, x, x[0, :3]),
    "t5": lambda x, ids, at: t5_bucket(offsets(4, 4, x.device)),
    "blocks": lambda x, ids, at: flash_attention(x, x, x, padding_mask(ids, 0), causal=True, block=3),
    "alibi": lambda x, ids, at: alibi_bias(4, 2, x.device),
    "rollout": lambda x, ids, at: rollout(MAPS.to(x.device)),
}


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
@pytest.mark.parametrize("name", WITH_A_MODEL)
def test_what_is_done_with_a_model_stays_on_its_device(name, positions):
    one = model(positions=positions)
    expected = WITH_A_MODEL[name](one)
    with torch.device("meta"):
        found = WITH_A_MODEL[name](one)
    assert found.device == SRC.device and torch.equal(found, expected)


@pytest.mark.parametrize("name", WITHOUT)
def test_functions_follow_their_inputs_whatever_the_default(name):
    expected = WITHOUT[name](X, SRC, POSITIONS)
    with torch.device("meta"):
        found = WITHOUT[name](X, SRC, POSITIONS)
    assert found.device == X.device and torch.equal(found, expected)
    assert WITHOUT[name](X.to("meta"), SRC.to("meta"), POSITIONS.to("meta")).is_meta


def test_positions_on_the_cpu_are_enough_for_an_input_elsewhere():
    """So a device without float64 rotates, too."""
    with NoFloat64():
        assert rotate(X.to("meta"), POSITIONS).is_meta
    with NoFloat64(), pytest.raises(TypeError, match="float64"):
        rotate(X.to("meta"), POSITIONS.to("meta"))


def test_gpt_with_a_cache_and_its_induction_scores_follow_too():
    one, ids = build("GPT"), TWICE % 9
    expected = CachedGPT(one).next_logits(ids), induction_scores(one, TWICE % 8)
    with torch.device("meta"):
        found = CachedGPT(one).next_logits(ids), induction_scores(one, TWICE % 8)
    assert all(map(torch.equal, found, expected))
    assert CachedGPT(build("GPT", "meta")).next_logits(ids.to("meta")).is_meta


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_adapters_are_where_their_layer_is_and_of_its_dtype(dtype):
    bert = add_lora(build("Bert").to(dtype), 2, 4.0)
    assert bert(SRC).dtype == dtype
    assert {p.dtype for p in bert.parameters()} == {dtype}
    assert_close(merge_lora(bert)(SRC), build("Bert").to(dtype)(SRC))
    with torch.device("cpu"):  # the default, and not where the model is
        assert all(p.is_meta for p in add_lora(build("Bert", "meta"), 2, 4.0).parameters())


def test_training_and_the_fast_form_follow_too():
    assert train_step().device == SRC.device
    layer, per_head = model().encoder.layers[0], PerHeadAttention(8, 2)
    expected = faster(layer)(X), fuse(per_head)(X, X, X)[0]
    with torch.device("meta"):
        found = faster(layer)(X), fuse(per_head)(X, X, X)[0]
    assert all(map(torch.equal, found, expected))


def test_a_whole_step_runs_where_there_are_no_numbers():
    with torch.device("meta"):
        one = transformer()
    loss = next_token_loss(one, SRC.to("meta"), TGT.to("meta"), 0.1)
    loss.backward()
    assert loss.is_meta and all(parameter.grad.is_meta for parameter in one.parameters())
