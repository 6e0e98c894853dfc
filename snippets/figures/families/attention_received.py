"""For each token of a sentence, how much attention it receives: a guess at what each of them is worth."""

from snippets.families.encoder_views import SENTENCES, look
from snippets.figures import style

TEXT = {
    "ko": {"received": "받는 어텐션"},
    "en": {"received": "attention received"},
}


def draw(text):
    tokens = look("tokens", SENTENCES[0])["tokens"]
    received = look("importance", SENTENCES[0])["all layers"]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    ax.barh(range(len(tokens)), received, color=style.WEIGHT, height=0.7)
    ax.set_title(text["received"], color=style.WEIGHT, fontweight="bold")
    ax.set_ylim(len(tokens) - 0.4, -0.6)
    ax.set_xticks([0, 0.2, 0.4])
    ax.grid(axis="x")
    ax.set_yticks(range(len(tokens)), tokens)
    return figure
