"""How similar every word of a constitution is to three of them, and which four are nearest."""

from torch.nn.functional import normalize

from snippets.before.constitution_vectors import read, results
from snippets.before.word_vectors import nearest
from snippets.figures import style
from snippets.figures.labels import language_of

SHOWN = 4
ROW, TOP, LEFT = 62, 30, 8

TEXT = {
    "ko": {"words": ["6년으로", "권리를", "국민의"], "x": "코사인 유사도", "count": "{}번"},
    "en": {
        "words": ["seven", "Ambassadors", "right"],
        "x": "cosine similarity",
        "count": "occurs {} times",
    },
}


def strips(language, words):
    """For each word: its count, the cosines of all others, and the nearest with theirs."""
    vocab, _, counts = read(language)
    vectors = results(language)["vectors-2"]
    unit = normalize(vectors, dim=1)
    for word in words:
        i = vocab.index(word)
        others = [j for j in range(len(vocab)) if j != i]
        close = [(vocab[j], cosine) for j, cosine in nearest(vectors, i, SHOWN)]
        yield word, counts[word], (unit[others] @ unit[i]).tolist(), close


def draw(text, width=style.WIDTH):
    end = width * 72 - 10
    low, high = -0.2, 0.7
    figure, ax = style.canvas(TOP + 3 * ROW + 30, width)

    def x(cosine):
        return LEFT + (cosine - low) / (high - low) * (end - LEFT)

    for n, (word, count, cosines, close) in enumerate(strips(language_of(text, TEXT), text["words"])):
        y = TOP + n * ROW
        ax.text(LEFT, y - 14, word, weight="bold", color=style.QUERY)
        ax.text(end, y - 14, text["count"].format(count), ha="right", size=style.SMALL)
        ax.plot([LEFT, end], [y, y], color=style.FAINT, lw=0.6)
        ax.plot([x(c) for c in cosines], [y] * len(cosines), "|", color=style.KEY, ms=9, mew=0.8, alpha=0.35)
        last = end
        for name, cosine in close:  # the nearest first: from the right to the left
            ax.plot(x(cosine), y, "|", color=style.VALUE, ms=11, mew=1.6)
            ax.plot([x(cosine), x(cosine)], [y + 5, y + 9], color=style.FAINT, lw=0.6)
            size = style.SMALL * (0.62 * sum(2 if ord(letter) > 0x1100 else 1 for letter in name)) + 6
            right = min(last, x(cosine) + size / 2)
            ax.text(right, y + 20, name, ha="right", size=style.SMALL, color=style.VALUE)
            last = right - size
    bottom = TOP + 3 * ROW - 18
    for tick in (-0.2, 0, 0.2, 0.4, 0.6):
        ax.text(x(tick), bottom, f"{tick:g}".replace("-", "−"), ha="center", size=style.SMALL)
    ax.text((LEFT + end) / 2, bottom + 16, text["x"], ha="center", size=style.SMALL)
    return figure
