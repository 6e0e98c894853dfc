"""For each token of a sentence, how much attention it receives, and how much hiding it changes the embedding."""

from snippets.families.encoder_views import SENTENCES, look
from snippets.figures import style

TEXT = {
    "ko": {"received": "받는 어텐션", "hidden": "가렸을 때 1 − 코사인"},
    "en": {"received": "attention received", "hidden": "1 − cosine when hidden"},
}


def draw(text):
    tokens = look("tokens", SENTENCES[0])["tokens"]
    found = look("importance", SENTENCES[0])
    figure, axes = style.plt.subplots(1, 2, figsize=(style.WIDTH, 3.3), sharey=True)
    for ax, name, key, colour in [
        (axes[0], "received", "all layers", style.WEIGHT),
        (axes[1], "hidden", "hidden", style.OUTPUT),
    ]:
        ax.barh(range(len(tokens)), found[key], color=colour, height=0.7)
        ax.set_title(text[name], color=colour, fontweight="bold")
        ax.set_ylim(len(tokens) - 0.4, -0.6)
        ax.set_xticks([0, 0.2, 0.4])
        ax.grid(axis="x")
    axes[0].set_yticks(range(len(tokens)), tokens)
    return figure
