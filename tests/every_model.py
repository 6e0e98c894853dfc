"""Every model of the book, as small as it can be, and an input of it: what holds for all of them is tried on these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor, nn

from snippets.attention.additive import AdditiveAttention
from snippets.attention.multi_head import PerHeadAttention
from snippets.before.attentive_translator import AdditiveScore, AttentiveTranslator, DotScore, GeneralScore
from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.before.word_vectors import SkipGram
from snippets.block.config import TransformerConfig
from snippets.families.bert import BERT_BASE, Bert, BertClassifier, BertForMaskedLM
from snippets.families.block_changes import CHANGES, ChangedModel
from snippets.families.deep_network import Network
from snippets.families.fine_tuning import PromptedBert, SentenceClassifier, add_lora
from snippets.families.gpt import GPT, GPT2
from snippets.families.llama import Llama, LlamaConfig
from snippets.families.t5 import T5, T5Config
from snippets.families.vision_transformer import VIT_BASE, VisionTransformer, ViTClassifier
from snippets.llm.attention_today import Projections, TodaysAttention
from snippets.llm.experts import MixtureOfExperts
from snippets.llm.indexer import Indexer
from snippets.llm.latent_attention import AbsorbedAttention, LatentAttention, LatentProjections
from snippets.llm.linear_attention import DeltaProjections, GatedDeltaNet
from snippets.model.speed import FastEncoderLayer
from snippets.model.transformer import Transformer
from snippets.onefile import gpt as gpt_file
from snippets.onefile import transformer as transformer_file
from snippets.training import decoder_only

SIZES = {"vocab_size": 9, "num_layers": 2, "d_model": 8, "num_heads": 2, "d_ff": 16}
SRC, TGT = torch.tensor([[4, 5, 2, 0], [6, 4, 5, 2]]), torch.tensor([[1, 4, 2], [1, 5, 2]])
X = torch.randn(2, 4, 8, generator=torch.Generator().manual_seed(0))
ADDITIONS = {"qk_norm": True, "window": 2, "rope_theta": None, "sinks": True, "gate": True, "bias": True}
IMAGES = torch.randn(2, 3, 4, 8, generator=torch.Generator().manual_seed(1))
BERT = replace(BERT_BASE, **SIZES, max_length=20)


def transformer(**options) -> Transformer:
    return Transformer(TransformerConfig(**SIZES, **{"max_length": 20, **options}))


def vit(positions: str) -> ViTClassifier:
    config = replace(VIT_BASE, **SIZES, positions=positions)
    return ViTClassifier(VisionTransformer(config, (4, 8), 2), 3, pool="mean")


class Sparse(nn.Module):
    """Attention to the keys that an indexer has chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.indexer, self.attention = Indexer(8, 5, 2, 4, 2, keep=2), LatentAttention(8, 2, 4, 2, 6, 5)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return self.attention(x, self.indexer(x, self.attention.w_q[:2](x), mask))


#: By name, how each is made, on the default device, and what goes in.
MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[Tensor, ...]]] = {
    "additive attention": (lambda: AdditiveAttention(8, 8, 4), (X, X, X)),
    "head by head": (lambda: PerHeadAttention(8, 2), (X, X, X)),
    "fast layer": (lambda: FastEncoderLayer(TransformerConfig(**SIZES)), (X,)),
    "Transformer": (transformer, (SRC, TGT)),
    "Transformer, pre-LN, learned": (lambda: transformer(norm_first=True, positions="learned"), (SRC, TGT)),
    "Transformer without positions": (lambda: transformer(positions="none"), (SRC, TGT)),
    "SkipGram": (lambda: SkipGram(9, 4), (SRC, SRC)),
    "recurrent": (lambda: RecurrentTranslator(9, 8), (SRC, TGT)),
    "recurrent, dot": (lambda: AttentiveTranslator(9, 8, DotScore), (SRC, TGT)),
    "recurrent, general": (lambda: AttentiveTranslator(9, 8, GeneralScore), (SRC, TGT)),
    "recurrent, additive": (lambda: AttentiveTranslator(9, 8, AdditiveScore), (SRC, TGT)),
    "Bert": (lambda: Bert(BERT), (SRC,)),
    "BertForMaskedLM": (lambda: BertForMaskedLM(BERT), (SRC, SRC % 2)),
    "BertClassifier": (lambda: BertClassifier(BERT, 3), (SRC,)),
    "SentenceClassifier": (lambda: SentenceClassifier(Bert(BERT), 8, 3), (SRC,)),
    "PromptedBert": (lambda: SentenceClassifier(PromptedBert(Bert(BERT), 2), 8, 3), (SRC,)),
    "LoRA": (lambda: SentenceClassifier(add_lora(Bert(BERT), 2, 4.0), 8, 3), (SRC,)),
    "GPT": (lambda: GPT(replace(GPT2, **SIZES, max_length=20)), (SRC, (SRC != 0).unsqueeze(1))),
    "Llama": (lambda: Llama(LlamaConfig(**SIZES, num_kv_heads=1)), (SRC, (SRC != 0).unsqueeze(1))),
    "block of 2017": (lambda: ChangedModel(9), (SRC,)),
    "block of today": (lambda: ChangedModel(9, *CHANGES), (SRC,)),
    "T5": (lambda: T5(T5Config(**SIZES, d_k=4)), (SRC, TGT)),
    "T5 1.1": (lambda: T5(T5Config(**SIZES, d_k=4, gated=True, tied=False)), (SRC, TGT)),
    "ViT": (lambda: vit("learned"), (IMAGES,)),
    "ViT, sinusoids": (lambda: vit("sinusoidal"), (IMAGES,)),
    "attention of today": (lambda: TodaysAttention(8, 2, 1, 4), (X,)),
    "attention of today, all additions": (lambda: TodaysAttention(8, 2, 1, 4, **ADDITIONS), (X,)),
    "experts": (lambda: MixtureOfExperts(8, 16, 4, 2), (X,)),
    "latent attention": (lambda: LatentAttention(8, 2, 4, 2, 6, 5), (X,)),
    "latent attention, absorbed": (lambda: AbsorbedAttention(8, 2, 4, 2, 6), (X, (SRC != 0).unsqueeze(1))),
    "sparse attention": (Sparse, (X, (SRC != 0).unsqueeze(1))),
    "gated delta rule": (lambda: GatedDeltaNet(8, 2, 4, 4), (X,)),
    "GPT in a file": (lambda: gpt_file.GPT(9, 2, 8, 2, 20), (SRC,)),
    "GPT with a cache, in a file": (lambda: decoder_only.GPT(9, 20, 2, 8, 2), (SRC,)),
    "Transformer in a file": (lambda: transformer_file.Transformer(9, 2, 8, 2, 16), (SRC, TGT)),
    "pre-LN in a file": (lambda: transformer_file.Transformer(9, 2, 8, 2, 16, norm_first=True), (SRC, TGT)),
}
#: These pack their sentences by length, and torch looks into the lengths, on the CPU.
PACKED = {"recurrent", "recurrent, dot", "recurrent, general", "recurrent, additive"}
#: How many tokens an expert is given is known only from the numbers: no graph holds it, and no meta device.
ROUTED = {"experts"}
#: Modules of no model above: what two forms share.
ELSEWHERE = {
    Network: "families/test_deep_network.py",
    **dict.fromkeys((Projections, LatentProjections, DeltaProjections), "the layers above that derive from them"),
}


def run(model: nn.Module, *given: Tensor) -> Tensor:
    """Its output; of an attention that returns weights, too, the first of both."""
    result = model(*given)
    return result[0] if isinstance(result, tuple) else result


def build(name: str, device: str = "cpu") -> nn.Module:
    torch.manual_seed(0)
    with torch.device(device):
        return MODELS[name][0]().eval()


def inputs(name: str, device: str = "cpu") -> tuple[Tensor, ...]:
    return tuple(x.to(device) for x in MODELS[name][1])
