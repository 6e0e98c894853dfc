"""The small map above a page: the Transformer in a few boxes, and those filled in that the page is about.

The front matter of a page names them: ``map: attention``. There is one drawing, read from below as on the first page.
"""

from __future__ import annotations

from html import escape

from book import strings

#: The boxes of both stacks, from below. A layer is what is repeated N times.
ENCODER = ("embedding", "positions", "self-attention", "add-norm", "feed-forward", "add-norm")
DECODER = (
    *("embedding", "positions", "masked-attention", "add-norm", "cross-attention", "add-norm"),
    *("feed-forward", "add-norm", "output"),
)
LAYER = ("self-attention", "masked-attention", "cross-attention", "add-norm", "feed-forward")
#: What a page may name: which boxes these are, and of which stacks. What they are called, book/strings says.
NAMES = {
    "embedding": (("embedding",), "ed"),
    "positions": (("positions",), "ed"),
    "input": (("embedding", "positions"), "ed"),
    "attention": (LAYER[:3], "ed"),
    "self-attention": (LAYER[:2], "ed"),
    "masked-attention": (("masked-attention",), "d"),
    "decoder-attention": (LAYER[1:3], "d"),
    "add-norm": (("add-norm",), "ed"),
    "feed-forward": (("feed-forward",), "ed"),
    "encoder-layer": (LAYER, "e"),
    "decoder-layer": (LAYER, "d"),
    "layers": (LAYER, "ed"),
    "decoder": (DECODER, "d"),
    "output": (("output",), "d"),
    "model": ((*ENCODER, *DECODER), "ed"),
}
#: What the map says to those who do not see it.
LABEL, CALLED = strings.each("map", "label"), strings.each("map", "places")
WIDTH, HEIGHT, STEP, LEFT = 18, 4, 6, {"e": 2, "d": 28}


def _boxes(stack: str) -> list[tuple[str, int, int]]:
    """Name and upper left corner of each box of a stack."""
    names = ENCODER if stack == "e" else DECODER
    return [(name, LEFT[stack], (len(DECODER) - 1 - i) * STEP + 3) for i, name in enumerate(names)]


def svg(name: str, language: str) -> str:
    """The map as it stands in a page, with the boxes of ``name`` filled in. Raises KeyError for an unknown name."""
    chosen, stacks = NAMES[name]
    plain, here = "", ""
    for stack in "ed":
        for box, x, y in _boxes(stack):
            path = f"M{x} {y}h{WIDTH}v{HEIGHT}h-{WIDTH}z"
            if box in chosen and stack in stacks:
                here += path
            else:
                plain += path
    # the memory, from above the encoder to the cross-attention
    top = next(y for _, _, y in reversed(_boxes("e")))
    cross = next(y for box, _, y in _boxes("d") if box == "cross-attention") + HEIGHT // 2
    middle = LEFT["e"] + WIDTH // 2
    plain += f"M{middle} {top}V{top - 4}H24V{cross}H{LEFT['d']}"
    label = escape(LABEL[language].format(CALLED[language][name]))
    size = f"{LEFT['d'] + WIDTH + 2} {len(DECODER) * STEP + 4}"
    return (
        f'<svg class="where" role="img" aria-label="{label}" viewBox="0 0 {size}">'
        f'<path d="{plain}"/><path class="here" d="{here}"/></svg>'
    )
