"""Accuracy on new words against the number of trainable parameters: mean and range of three trainings."""

from snippets.families.tuned_encoders import SEEDS, results
from snippets.figures import style

TEXT = {
    "ko": {
        "x": "학습하는 파라미터의 수",
        "y": "새 단어로 된 문장의 정확도: 평균, 최소에서 최대까지 (시드 {}개)",
        "bag of words": "BoW",
        "from scratch": "처음부터",
        "linear probe": "선형 프로브",
        "LoRA, rank 1": "LoRA, r = 1",
        "LoRA, rank 4": "LoRA, r = 4",
        "full fine-tuning": "전체 파인튜닝",
    },
    "en": {
        "x": "trainable parameters",
        "y": "accuracy on new words: mean, and lowest to highest of {} seeds",
        "bag of words": "bag of words",
        "from scratch": "from scratch",
        "linear probe": "linear probe",
        "LoRA, rank 1": "LoRA, r = 1",
        "LoRA, rank 4": "LoRA, r = 4",
        "full fine-tuning": "full fine-tuning",
    },
}
#: What a method begins with: nothing that was learned before, or the published encoder.
COLOURS = {"bag of words": style.FAINT, "from scratch": style.FAINT}
#: Labels that stand to the left of their points: to the right they would meet another, or the edge.
LEFT = ("full fine-tuning", "from scratch", "LoRA, rank 1", "linear probe")


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.0))
    for method, runs in results().items():
        if method not in text:  # prompts have a page of their own
            continue
        shares = [run["test"] for run in runs]
        x, mean = runs[0]["trainable"], sum(shares) / len(shares)
        colour = COLOURS.get(method, style.WEIGHT)
        ax.plot([x, x], [min(shares), max(shares)], color=colour, lw=5, alpha=0.3, solid_capstyle="butt")
        ax.plot(x, mean, "o", color=colour, ms=5)
        place, side = ((-7, -3), "right") if method in LEFT else ((7, -3), "left")
        if method == "full fine-tuning":  # to the left there is LoRA of rank 4
            place = (8, -15)
        ax.annotate(text[method], (x, mean), place, textcoords="offset points", ha=side, color=colour, size=style.SMALL)
    ax.set_xscale("log")
    ax.set_xticks([1e2, 1e4, 1e6, 1e8], ["100", "10,000", "1,000,000", "100,000,000"])
    ax.minorticks_off()
    ax.set_xlim(20, 2e8)
    ax.set_ylim(0.4, 1.02)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"].format(len(SEEDS)))
    return figure
