"""How much one word of a sentence takes from each: the weights of one query in a head of a published encoder."""

from snippets.families.encoder_views import FLIES, look
from snippets.figures import style

LAYER, HEAD, QUERY = 5, 2, "flies"

TEXT = {
    "ko": {"title": "‘flies’가 각 단어에 주는 가중치"},
    "en": {"title": "what “flies” listens to"},
}


def weights():
    """The words of the sentence, and the weight of each for the query."""
    tokens = look("tokens", FLIES)["tokens"]
    maps = look("attention", FLIES)["weights"]["maps"].float()
    return tokens[1:-1], maps[LAYER, HEAD, tokens.index(QUERY), 1:-1]


def draw(text):
    words, found = weights()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 1.9))
    ax.bar(range(len(words)), found.tolist(), color=style.WEIGHT, alpha=0.8, width=0.6)
    for i, weight in enumerate(found.tolist()):
        ax.text(i, weight + 0.02, f"{weight:.2f}", ha="center", size=style.SMALL)
    ax.set_xticks(range(len(words)), words)
    ax.set(ylim=(0, 0.85), yticks=[])
    ax.spines["left"].set_visible(False)
    ax.set_title(text["title"])
    return figure
