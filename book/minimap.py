"""The small map above a page: the Transformer in a few boxes, and those filled in that the page is about.

The front matter of a page names them: ``map: attention``. There is one drawing, read from below as on the first page.
"""

from __future__ import annotations

from html import escape

#: The boxes of both stacks, from below. A layer is what is repeated N times.
ENCODER = ("embedding", "positions", "self-attention", "add-norm", "feed-forward", "add-norm")
DECODER = (
    *("embedding", "positions", "masked-attention", "add-norm", "cross-attention", "add-norm"),
    *("feed-forward", "add-norm", "output"),
)
LAYER = ("self-attention", "masked-attention", "cross-attention", "add-norm", "feed-forward")
#: What a page may name: which boxes these are, of which stacks, and what they are called.
NAMES = {
    "embedding": (("embedding",), "ed", "임베딩", "embeddings"),
    "positions": (("positions",), "ed", "위치 인코딩", "positional encoding"),
    "input": (("embedding", "positions"), "ed", "임베딩과 위치 인코딩", "embeddings and positions"),
    "attention": (LAYER[:3], "ed", "어텐션", "attention"),
    "self-attention": (LAYER[:2], "ed", "셀프 어텐션", "self-attention"),
    "masked-attention": (("masked-attention",), "d", "마스크드 셀프 어텐션", "masked self-attention"),
    "decoder-attention": (LAYER[1:3], "d", "디코더의 어텐션", "attention in the decoder"),
    "add-norm": (("add-norm",), "ed", "잔차 연결과 정규화", "residual connection and norm"),
    "feed-forward": (("feed-forward",), "ed", "피드포워드 신경망", "feed-forward network"),
    "encoder-layer": (LAYER, "e", "인코더 층", "encoder layer"),
    "decoder-layer": (LAYER, "d", "디코더 층", "decoder layer"),
    "layers": (LAYER, "ed", "인코더 층과 디코더 층", "layers of encoder and decoder"),
    "decoder": (DECODER, "d", "디코더", "decoder"),
    "output": (("output",), "d", "출력", "output"),
    "model": ((*ENCODER, *DECODER), "ed", "모델 전체", "the whole model"),
}
#: What the map says to those who do not see it.
LABEL = {"ko": "트랜스포머 지도에서 이 페이지의 자리: {}", "en": "Where this page is on the map of the Transformer: {}"}
WIDTH, HEIGHT, STEP, LEFT = 18, 4, 6, {"e": 2, "d": 28}


def _boxes(stack: str) -> list[tuple[str, int, int]]:
    """Name and upper left corner of each box of a stack."""
    names = ENCODER if stack == "e" else DECODER
    return [(name, LEFT[stack], (len(DECODER) - 1 - i) * STEP + 3) for i, name in enumerate(names)]


def svg(name: str, language: str) -> str:
    """The map as it stands in a page, with the boxes of ``name`` filled in. Raises KeyError for an unknown name."""
    chosen, stacks, korean, english = NAMES[name]
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
    label = escape(LABEL[language].format(korean if language == "ko" else english))
    size = f"{LEFT['d'] + WIDTH + 2} {len(DECODER) * STEP + 4}"
    return (
        f'<svg class="where" role="img" aria-label="{label}" viewBox="0 0 {size}">'
        f'<path d="{plain}"/><path class="here" d="{here}"/></svg>'
    )
