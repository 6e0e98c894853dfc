"""Expected tokens a pass by the length of the draft, and what SmolLM2 needed with drafts by prompt look-up."""

from snippets.figures import style
from snippets.llm.drafted_smollm import GAMMAS, counts
from snippets.llm.speculative import expected_tokens

ALPHAS = [0.5, 0.8, 0.95]

TEXT = {
    "ko": {
        "x": "초안의 토큰 수 γ",
        "y": "한 패스에 나오는 토큰",
        "curve": "α = {:g}",
        "copy": "베끼는 글",
        "others": "다른 네 글",
    },
    "en": {
        "x": "tokens of the draft, γ",
        "y": "tokens a pass",
        "curve": "α = {:g}",
        "copy": "a copy",
        "others": "four other texts",
    },
}


def measured():
    """Tokens a pass, by text and length of the draft."""
    return {
        task: [found["tokens"] / len(found["passes"][str(gamma)]) for gamma in GAMMAS]
        for task, found in counts()["counted"].items()
    }


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.0))
    lengths = range(9)
    for alpha, dashes in zip(ALPHAS, ["-", "--", ":"], strict=True):
        expected = [expected_tokens(alpha, gamma) for gamma in lengths]
        ax.plot(lengths, expected, dashes, color=style.QUERY, lw=1.2, label=text["curve"].format(alpha))
    others = text["others"]
    for task, rates in measured().items():
        copied = task == "copy"
        ax.plot(
            GAMMAS,
            rates,
            "s" if copied else "o",
            color=style.VALUE if copied else style.KEY,
            ms=5 if copied else 3.5,
            label=text["copy"] if copied else others,
        )
        others = others if copied else None  # one entry for all
    ax.set(xlabel=text["x"], xticks=[0, *GAMMAS], ylim=(0, 9))
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
