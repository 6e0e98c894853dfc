"""What tells a model that an answer is good: it is shown, preferred to another one, or checked by a program."""

from matplotlib.patches import Rectangle

from snippets.figures import style

TEXT = {
    "ko": {
        "prompt": "프롬프트: 2 + 3 = ?",
        "shown": "보여 주기 (SFT)",
        "compared": "비교하기 (RLHF, DPO)",
        "checked": "채점하기 (RLVR)",
        "by shown": "사람이 쓴 답",
        "by compared": "모델의 두 답, 사람이 고름",
        "by checked": "모델의 네 답, 프로그램이 채점",
        "good": "확률을 높임",
        "bad": "확률을 낮춤",
        "many": "많다",
        "chosen": "고른 답",
        "rejected": "다른 답",
    },
    "en": {
        "prompt": "prompt: 2 + 3 = ?",
        "shown": "shown (SFT)",
        "compared": "compared (RLHF, DPO)",
        "checked": "checked (RLVR)",
        "by shown": "a person wrote the answer",
        "by compared": "two answers, a person chose",
        "by checked": "four answers, a program checks",
        "good": "made more probable",
        "bad": "made less probable",
        "many": "Many.",
        "chosen": "chosen",
        "rejected": "rejected",
    },
}
WIDE, HIGH = 62, 22


def answer(ax, x, y, said, good, below):
    colour = style.KEY if good else style.FAINT
    ax.add_patch(Rectangle((x, y), WIDE, HIGH, facecolor=colour, alpha=0.25, edgecolor=colour, lw=1))
    ax.text(x + WIDE / 2 - 6, y + 15, said, ha="center")
    ax.text(x + WIDE - 10, y + 15, "↑" if good else "↓", ha="center")
    ax.text(x + WIDE / 2, y + HIGH + 10, below, ha="center", size=style.SMALL)


def draw(text):
    figure, ax = style.canvas(212)
    ax.text(12, 14, text["prompt"])
    rows = {
        "shown": [("5", True, "")],
        "compared": [("5", True, text["chosen"]), (text["many"], False, text["rejected"])],
        "checked": [("5", True, "1"), ("6", False, "0"), ("5", True, "1"), ("4", False, "0")],
    }
    for number, (way, answers) in enumerate(rows.items()):
        y = 38 + 56 * number
        ax.text(12, y, text[way], weight="bold")
        ax.text(150, y, text[f"by {way}"], size=style.SMALL)
        for place, (said, good, below) in enumerate(answers):
            answer(ax, 12 + (WIDE + 10) * place, y + 6, said, good, below)
    for x, sign, said in ((12, "↑", text["good"]), (150, "↓", text["bad"])):
        ax.text(x, 208, sign, size=style.SMALL)
        ax.text(x + 12, 208, said, size=style.SMALL)
    return figure
