"""Into how many tokens the published tokenizer cuts one declaration, after each number of merges."""

import base64
from bisect import bisect_left

from snippets.before.corpus import declaration
from snippets.figures import style
from snippets.llm.kept_tokenizer import kept_tokenizer, results, used

SHOWS_KOREAN = True  # in both languages, to whoever touches it: it is what is cut
SENTENCES = {"ko": "프랑스의 수도는 파리입니다.", "en": "The capital of France is Paris."}
LANGUAGES = [("ko", style.KEY, "o", 500), ("en", style.VALUE, "s", -2100)]  # and how far its name stands from the line
TICKS = [1, 10, 100, 1000, 10000]

TEXT = {
    "ko": {"x": "병합 규칙의 수(앞에서부터)", "y": "세계인권선언의 토큰 수", "ko": "한국어", "en": "영어"},
    "en": {"x": "merges, from the first", "y": "tokens of the declaration", "ko": "Korean", "en": "English"},
}


def curve(language, stops):
    """Tokens of the declaration with the first merges alone: its bytes, less one for each merge that is used."""
    ids = kept_tokenizer().encode("\n".join(declaration(language)))
    ranks = used(ids)
    return [len(ids) + len(ranks) - bisect_left(ranks, stop) for stop in stops]


def numbers():
    """For whoever touches it: two sentences, and the tokenizer; its merges are pairs of uint16, in base64."""
    tensors, beside = results()
    pairs = tensors["merges"].numpy().astype("<u2").tobytes()
    return {
        "sentences": SENTENCES,
        "control": len(beside["control"]),
        "bytes": beside["bytes"],
        "merges": base64.b64encode(pairs).decode(),
    }


def draw(text, width=style.WIDTH):
    merges = len(results()[0]["merges"])
    stops = [int(merges ** (n / 60)) for n in range(60)] + [merges]
    figure, ax = style.plt.subplots(figsize=(width, 2.7))
    for language, colour, marker, away in LANGUAGES:
        tokens = curve(language, stops)
        ax.plot(stops, tokens, marker + "-", color=colour, ms=3, lw=1.4, markevery=6)
        ax.text(1.2, tokens[0] + away, text[language], color=colour, weight="bold")
        ax.annotate(f"{tokens[-1]:,}", (stops[-1], tokens[-1]), (6, -3), textcoords="offset points", color=colour)
    ax.set_xscale("log", base=10)
    ax.set_xticks(TICKS, [f"{tick:,}" for tick in TICKS])
    ax.minorticks_off()
    ax.set(xlim=(1, 1.1 * merges), ylim=(0, 13000), xlabel=text["x"])
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(text["y"])
    return figure
