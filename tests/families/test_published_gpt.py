"""What the page shows to continue a text with the published GPT-2, run with random weights: nothing is downloaded."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import torch
import transformers

from book import ROOT
from snippets.families.gpt import GPT, GPT2, GPT_NAMES, unfused
from snippets.families.library import load_renamed
from tests.families.gpt2_twin import gpt2

SMALL = replace(GPT2, vocab_size=30, num_layers=2, d_model=12, num_heads=3, d_ff=48, max_length=40)
EXAMPLES = (ROOT / "snippets" / "families" / "gpt_2.md").read_text(encoding="utf-8")


def code(section: str) -> str:
    marked = EXAMPLES.partition(f"[start:{section}]")[2].partition(f"[end:{section}]")[0]
    return re.search(r"```python\n(.*?)```", marked, re.S)[1]


def test_a_text_is_continued_as_by_the_library(monkeypatch):
    published = gpt2(SMALL, seed=0)
    words = SimpleNamespace(encode=lambda text: [int(word) for word in text.split()], decode=torch.Tensor.tolist)
    names = {"torch": torch, "GPT": GPT, "GPT_NAMES": GPT_NAMES, "unfused": unfused, "load_renamed": load_renamed}
    exec(code("as-ours") + code("published"), names)
    asked = []
    for owner, what in ((transformers.GPT2LMHeadModel, published), (transformers.AutoTokenizer, words)):
        monkeypatch.setattr(owner, "from_pretrained", lambda name, what=what: asked.append(name) or what)
    names.update(GPT2=SMALL, GPT2LMHeadModel=transformers.GPT2LMHeadModel)

    theirs = published.generate(torch.tensor([[5, 7, 9]]), max_new_tokens=8, do_sample=False, eos_token_id=None)
    assert names["continued"]("5 7 9", number=8) == theirs[0].tolist()
    assert asked == ["gpt2", "gpt2"]
