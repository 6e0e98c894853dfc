"""The published model is that of the reference implementations: its file, tokens, logits, template, and losses.

All of it takes seconds, so that no test on the meaning of one module, which runs once for each change, is here.
"""

from __future__ import annotations

import math

import jinja2
import pytest
import torch
from torch.testing import assert_close

from snippets.families.llama import Llama, LlamaConfig
from snippets.figures.llm import q4_block
from snippets.llm import capitals, drafted_smollm, layouts
from snippets.llm.chat import chat_ids
from snippets.llm.gguf import read_gguf
from snippets.llm.heads import attention_weights, repeated
from snippets.llm.layouts import as_library, window_losses
from snippets.llm.logit_lens import hidden, lens, streams
from snippets.llm.smollm import config_of, model_file, published, smollm2
from snippets.llm.speculative import at_temperature, by_model, first_layers, look_up, passes
from snippets.llm.tokens import tokenizer
from tests.llm.model import needs_model, needs_reference
from tests.llm.test_cached_llama import SIZES
from tests.llm.test_tokens import of_library, random_texts


@needs_model
def test_the_published_file_has_the_tensors_of_its_model():
    about, tensors = read_gguf(model_file())
    assert len(about) == 33 and len(tensors) == 272
    assert sum(math.prod(one.shape) for one in tensors.values()) == 134_515_008
    names = [one.kind.name for one in tensors.values()]
    assert {name: names.count(name) for name in names} == {"Q8_0": 1, "F32": 61, "Q4_1": 210}


@needs_model
def test_the_figure_shows_a_block_of_the_file():
    _, tensors = read_gguf(model_file())
    assert bytes(tensors["blk.0.attn_q.weight"].blocks[0]) == q4_block.BLOCK
    weights, levels = q4_block.decoded()
    assert weights.equal(tensors["blk.0.attn_q.weight"].decoded()[0, :32])
    assert all((levels - weight).abs().min() == 0 for weight in weights)


@needs_model
@needs_reference
@pytest.mark.thorough
def test_every_tensor_is_bit_for_bit_that_of_the_reference():
    import gguf

    _, tensors = read_gguf(model_file())
    theirs = gguf.GGUFReader(model_file()).tensors
    assert [one.name for one in theirs] == list(tensors)
    for one in theirs:
        wanted = torch.from_numpy(gguf.quants.dequantize(one.data, one.tensor_type).copy())
        assert tensors[one.name].decoded().view(torch.int32).equal(wanted.view(torch.int32)), one.name


@needs_model
def test_the_published_tokenizer_cuts_as_the_library():
    of, library = tokenizer(), of_library(published()[0])
    assert tokenizer() is of and len(of.tokens) == 49_152
    for text in [*random_texts(300), "The capital of France is", "어텐션은 값의 가중 평균이다."]:
        assert of.encode(text) == library.encode(text).ids, repr(text)


@needs_model
def test_the_published_model_gives_what_the_library_gives():
    model = smollm2()
    assert sum(parameter.numel() for parameter in model.parameters()) == 134_515_008
    assert smollm2() is model, "it is read once"
    ids = torch.randint(49_152, (1, 12), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        ours = model(ids)
        theirs = as_library(model, config_of(published()[0]))(ids).logits
    assert_close(ours, theirs, rtol=0, atol=1e-3)


@needs_model
@pytest.mark.parametrize("turns", [["Hi"], ["Hi", " Hello!", "\n\nWhat is 12?  "]])
def test_the_template_of_the_file_says_the_same(turns):
    template = jinja2.Environment().from_string(published()[0]["tokenizer.chat_template"])
    roles = ["user", "assistant"] * 2
    messages = [{"role": role, "content": turn} for role, turn in zip(roles, turns, strict=False)]
    assert tokenizer().decode(chat_ids(tokenizer(), turns)) == template.render(
        messages=messages, add_generation_prompt=True
    )


@needs_model
def test_what_is_shown_of_the_layouts_is_what_the_model_gives():
    window = layouts.windows()[0]
    assert layouts.windows().shape == (len(layouts.WINDOWS), 129)
    assert window_losses(smollm2(), window) == pytest.approx(layouts.losses()["right"][0], abs=1e-2)


@needs_model
def test_after_the_last_layer_the_lens_is_the_published_model():
    ids = torch.tensor([[504, 3575, 282, 4649, 314]])
    assert_close(lens(smollm2(), streams(smollm2(), ids)[-1]), smollm2()(ids), rtol=0, atol=1e-3)


@needs_model
@pytest.mark.thorough
def test_what_comes_with_the_book_is_what_the_model_gives():
    model, prompt = smollm2(), next(iter(capitals.QUESTIONS))
    ids, answers = capitals.asked(prompt)
    x = streams(model, ids)[:, :, -1]
    found = capitals.results()
    for layer in (24, 30):
        now = capitals.read(model, x[layer], answers)
        assert now["among"] == pytest.approx(found["layers"]["plain"][layer]["among"], abs=1)
    with hidden(model, 23, -2):
        logits = model(ids)[:, -1].log_softmax(dim=-1)
    change = (logits - model(ids)[:, -1].log_softmax(dim=-1)).gather(1, answers[:, None])[:, 0]
    assert_close(change, torch.tensor(found["hiding"][prompt][23]), rtol=0, atol=0.05)


@needs_model
@pytest.mark.thorough
def test_the_weights_are_those_of_the_library():
    library = as_library(smollm2(), config_of(published()[0]))
    library.set_attn_implementation("eager")
    ids = repeated(1, 8)
    with torch.inference_mode():
        theirs = library(ids, output_attentions=True).attentions
    assert_close(attention_weights(smollm2(), ids), torch.stack(theirs), rtol=0, atol=1e-3)


@pytest.mark.thorough
def test_drawn_tokens_have_the_probabilities_of_the_model():
    """Counts of the first two tokens against their exact joint, by chi-square; all occur at this temperature."""
    torch.manual_seed(0)
    model = Llama(LlamaConfig(**SIZES | {"vocab_size": 5}, rope_theta=100.0)).double().eval().requires_grad_(False)
    choose, ids, number = at_temperature(2.0), [1, 2, 3], 1_500
    first = choose(model(torch.tensor([ids]))[0, -1])
    second = torch.stack([choose(model(torch.tensor([[*ids, a]]))[0, -1]) for a in range(5)])
    exact, counts = first[:, None] * second, torch.zeros(5, 5, dtype=torch.double)
    for seed in range(number):
        draft = by_model(first_layers(model, 1), 2, choose, seed=seed + number)
        a, b = sum(passes(model, ids, 2, draft, choose, seed), [])
        counts[a, b] += 1
    chi_square = ((counts - number * exact) ** 2 / (number * exact)).sum().item()
    assert chi_square < 51.2  # of 24 degrees of freedom, exceeded once in 1,000
    uniform = ((counts - number / 25) ** 2 / (number / 25)).sum().item()
    assert uniform > 60  # the control: another distribution is noticed


@needs_model
@pytest.mark.thorough
def test_the_real_model_says_what_comes_with_the_book():
    ids, answer = drafted_smollm.answer_ids("copy")
    found = drafted_smollm.counts()["counted"]["copy"]
    draft = look_up(49_152, 8)
    new = list(passes(smollm2(), ids, 15, draft))
    assert sum(new, []) == answer[:15] and [len(some) for some in new][:6] == found["passes"]["8"][:6]
