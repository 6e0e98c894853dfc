"""The book's own Korean encoder: a small BERT, pretrained on reviews of films."""

# --8<-- [start:imports]
import hashlib
import json
from dataclasses import replace
from functools import cache

from safetensors.torch import load
from tokenizers import Tokenizer

from snippets import ROOT
from snippets.families.bert import (
    BERT_BASE,
    MASKED_LM_NAMES,
    Bert,
    BertForMaskedLM,
)
from snippets.families.library import load_renamed
# --8<-- [end:imports]


# --8<-- [start:review_bert]
FOLDER = ROOT / "snippets" / "families" / "weights" / "review_bert"
SHA256 = "b2a1fcc64af096f81e9745c0cdb55f8732a238f69a1bcdb672a2c5029e294584"
REVIEW_BERT = replace(
    BERT_BASE,
    vocab_size=8000,
    num_layers=4,
    d_model=256,
    num_heads=4,
    d_ff=1024,
    dropout=0.0,
    max_length=128,
)


@cache
def review_masked_lm() -> tuple[BertForMaskedLM, Tokenizer]:
    """The model with its head for masked tokens, and its tokenizer.

    Raises ValueError if the weights are not those that this book was made with.
    """
    content = (FOLDER / "model.safetensors").read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{FOLDER} holds other weights than this book's")
    state = {name: x.float() for name, x in load(content).items()}  # of 16 bits
    model = BertForMaskedLM(REVIEW_BERT)
    load_renamed(model, state, MASKED_LM_NAMES)
    return model.eval(), Tokenizer.from_file(str(FOLDER / "tokenizer.json"))


def review_bert() -> tuple[Bert, Tokenizer]:
    """The encoder alone, ready for inference, and its tokenizer."""
    model, tokenizer = review_masked_lm()
    return model.bert, tokenizer


def measured() -> dict:
    """What was found after its training: shares of gaps filled, and its losses."""
    return json.loads((FOLDER / "measured.json").read_bytes())
# --8<-- [end:review_bert]
