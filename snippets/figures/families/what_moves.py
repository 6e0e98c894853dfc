"""Which parts of an encoder training moves, in four ways, and how many numbers that are."""

import functools

import torch
from matplotlib.patches import Rectangle

from snippets.families.bert import Bert
from snippets.families.fine_tuning import PromptedBert, SentenceClassifier, add_lora, trainable_parameters
from snippets.families.real_encoder import MINI_LM
from snippets.figures import style

TEXT = {
    "ko": {
        "all": "전체 파인튜닝",
        "probe": "선형 프로브",
        "lora": "LoRA, r = 4",
        "prompt": "프롬프트 튜닝, 벡터 8개",
        "head": "헤드",
        "layers": "층 6개",
        "embedding": "임베딩",
        "count": "{:,}개",
        "moves": "학습함",
        "frozen": "고정",
    },
    "en": {
        "all": "full fine-tuning",
        "probe": "linear probe",
        "lora": "LoRA, r = 4",
        "prompt": "prompt tuning, 8 vectors",
        "head": "head",
        "layers": "6 layers",
        "embedding": "embedding",
        "count": "{:,}",
        "moves": "trainable",
        "frozen": "frozen",
    },
}


@functools.cache
def counted():
    """Trainable parameters of the real encoder with a head for two classes; no memory is needed to count them."""
    ways = {
        "all": lambda bert: bert,
        "probe": lambda bert: bert.requires_grad_(False),
        "lora": lambda bert: add_lora(bert, 4, 8.0),
        "prompt": lambda bert: PromptedBert(bert, 8),
    }
    with torch.device("meta"):
        return {
            way: trainable_parameters(SentenceClassifier(make(Bert(MINI_LM)), MINI_LM.d_model, 2))
            for way, make in ways.items()
        }


def box(ax, x, y, width, height, label, moves):
    colour, alpha = (style.WEIGHT, 0.4) if moves else (style.FAINT, 0.12)
    ax.add_patch(Rectangle((x, y), width, height, color=colour, alpha=alpha, lw=0))
    ax.text(x + width / 2, y + height / 2 + 0.36 * style.SMALL, label, ha="center", size=style.SMALL)


def draw(text):
    figure, ax = style.canvas(300)
    for number, (way, count) in enumerate(counted().items()):
        x, y = 12 + 165 * (number % 2), 14 + 136 * (number // 2)
        ax.text(x, y, text[way], weight="bold")
        ax.text(x, y + 14, text["count"].format(count), color=style.WEIGHT)
        everything = way == "all"
        box(ax, x, y + 24, 100, 22, text["head"], True)
        box(ax, x, y + 50, 100, 34, text["layers"], everything)
        box(ax, x, y + 88, 100, 22, text["embedding"], everything)
        if way == "lora":
            box(ax, x + 104, y + 50, 34, 34, "B A", True)
        if way == "prompt":
            box(ax, x + 104, y + 88, 34, 22, "P", True)
    y = 288
    for x, name, moves in [(12, "moves", True), (100, "frozen", False)]:
        box(ax, x, y - 9, 14, 11, "", moves)
        ax.text(x + 20, y, text[name], size=style.SMALL)
    return figure
