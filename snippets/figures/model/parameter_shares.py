"""Where the parameters of the paper's two models are, counted."""

import functools

import torch

from snippets.figures import style
from snippets.model.sizes import BASE, BIG, count
from snippets.model.transformer import Transformer

TEXT = {
    "ko": {
        "embedding": "임베딩 행렬 (공유)",
        "attention": "인코더 셀프 어텐션",
        "feed_forward": "인코더 피드포워드",
        "self_attention": "디코더 셀프 어텐션",
        "cross_attention": "디코더 크로스 어텐션",
        "decoder_feed_forward": "디코더 피드포워드",
        "norms": "정규화 모두",
        "x": "파라미터, 백만 개",
    },
    "en": {
        "embedding": "embeddings (shared)",
        "attention": "encoder self-attention",
        "feed_forward": "encoder feed-forward",
        "self_attention": "decoder self-attention",
        "cross_attention": "decoder cross-attention",
        "decoder_feed_forward": "decoder feed-forward",
        "norms": "all norms",
        "x": "parameters, millions",
    },
}


@functools.cache
def measure(name):
    """Parameters of the base or the big model by kind, in the order of TEXT."""
    with torch.device("meta"):  # shapes without numbers
        model = Transformer({"base": BASE, "big": BIG}[name])
    counts = {
        "embedding": count(model.embedding),
        "attention": sum(count(layer.attention) for layer in model.encoder.layers),
        "feed_forward": sum(count(layer.feed_forward) for layer in model.encoder.layers),
        "self_attention": sum(count(layer.self_attention) for layer in model.decoder.layers),
        "cross_attention": sum(count(layer.cross_attention) for layer in model.decoder.layers),
        "decoder_feed_forward": sum(count(layer.feed_forward) for layer in model.decoder.layers),
    }
    return counts | {"norms": count(model) - sum(counts.values())}


def draw(text):
    colours = [style.INK, style.QUERY, style.VALUE, style.QUERY, style.KEY, style.VALUE, style.FAINT]
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.6), sharex=True)
    for ax, name in zip(axes, ("base", "big"), strict=True):
        counts = measure(name)
        for row, (kind, colour) in enumerate(zip(counts, colours, strict=True)):
            millions = counts[kind] / 1e6
            ax.barh(row, millions, color=colour, alpha=0.45, height=0.75)
            ax.text(millions + 0.6, row, f"{millions:.2f}", va="center", size=style.SMALL)
        ax.set_yticks(range(len(counts)), [text[kind] for kind in counts])
        ax.invert_yaxis()
        ax.set_title(f"{name}: {sum(counts.values()) / 1e6:.1f}")
        ax.set_xlim(0, 60)
    axes[1].set_xlabel(text["x"])
    return figure
