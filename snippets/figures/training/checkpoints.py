"""What the translator writes for one date after so many steps of its training, token by token."""

import functools

from snippets.before import dates
from snippets.figures import style
from snippets.training.learning_order import EVERY, SHOWN, results

SHOWS_KOREAN = True  # in both languages: the translation is what it is about
TOUCHED = [*range(0, 151, EVERY), 200, 250]
DRAWN = [0, 20, 50, 60, 70, 80, 100, 120, 150, 250]

TEXT = {
    "ko": {"step": "스텝", "target": "생성한 토큰", "right": "정답"},
    "en": {"step": "step", "target": "tokens generated", "right": "correct"},
}
#: What is written below the Korean tokens where they are not the language of the page.
GLOSS = {"년": "year", "월": "month", "일": "day", "금요일": "Friday"}


@functools.cache
def looks():
    """What was seen of the training with the first seed, by step."""
    return {int(step): look["shown"] for step, look in results()[0]["looks"].items()}


def numbers():
    """For whoever touches it: each date, and what was generated for it after each step, with thousandths of weight."""
    asked = [
        {
            "english": f"{date:%A}, {date:%B} {date.day}, {date.year}",
            "source": [*dates.english(date), "</s>"],
            "target": [*dates.korean(date), "</s>"],
            "most": max(len(shown[place]["tokens"]) for shown in looks().values()),
        }
        for place, date in enumerate(SHOWN)
    ]
    return {"dates": asked, "looks": [{"step": str(step), "shown": looks()[step]} for step in TOUCHED]}


def draw(text):
    right = [*dates.korean(SHOWN[0]), "</s>"]
    gloss = GLOSS if text is TEXT["en"] else {}
    row, top, left = 19, 34, 48
    figure, ax = style.canvas(top + row * (len(DRAWN) + 1) + 8 + 11 * bool(gloss))
    narrow = (style.WIDTH * 72 - left - 3) / (8 + 4 * 1.7)
    wide = 1.7 * narrow  # where days of the week come, there has to be room
    columns = [left + narrow * (j + 0.5) for j in range(8)]
    columns += [left + narrow * 8 + wide * (j + 0.5) for j in range(4)]
    ax.text(left - 8, 12, text["step"], ha="right", color=style.FAINT, size=style.SMALL)
    ax.text(left, 12, text["target"], color=style.QUERY, weight="bold")
    for i, step in enumerate(DRAWN):
        y = top + row * i
        ax.text(left - 8, y, str(step), ha="right")
        tokens = looks()[step][0]["tokens"]
        for j, (x, token) in enumerate(zip(columns, tokens, strict=False)):  # one without an end goes on
            is_right = right[j : j + 1] == [token]
            ax.text(x, y, token, ha="center", **({"weight": "bold"} if is_right else {"color": style.FAINT}))
    y = top + row * len(DRAWN) + 4
    ax.plot([left, columns[-1] + wide / 2], [y - 14, y - 14], color=style.FAINT, lw=0.8)
    ax.text(left - 8, y, text["right"], ha="right", color=style.FAINT, size=style.SMALL)
    for x, token in zip(columns, right, strict=False):
        ax.text(x, y, token, ha="center", weight="bold")
        ax.text(x, y + 12, gloss.get(token, ""), ha="center", size=style.SMALL, color=style.FAINT)
    return figure
