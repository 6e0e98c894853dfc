"""Models by year, on three branches that leave the Transformer of 2017."""

from itertools import pairwise

from snippets.figures import style

#: In the order of their first publication: name, year, and branch.
MODELS = [
    ("Transformer", 2017, "both"),
    ("GPT", 2018, "decoder"),
    ("BERT", 2018, "encoder"),
    ("GPT-2", 2019, "decoder"),
    ("XLNet", 2019, "encoder"),
    ("RoBERTa", 2019, "encoder"),
    ("T5", 2019, "both"),
    ("BART", 2019, "both"),
    ("GPT-3", 2020, "decoder"),
    ("ViT", 2020, "encoder"),
    ("T5 1.1", 2020, "both"),
    ("Llama", 2023, "decoder"),
    ("Mistral 7B", 2023, "decoder"),
    ("ModernBERT", 2024, "encoder"),
    ("Qwen3", 2025, "decoder"),
    ("gpt-oss", 2025, "decoder"),
]
BRANCHES = {"encoder": style.VALUE, "both": style.WEIGHT, "decoder": style.QUERY}

TEXT = {
    "ko": {
        "encoder": "인코더",
        "both": "인코더–디코더",
        "decoder": "디코더",
        "new": [
            "번역: 인코더와 디코더, 어텐션만으로",
            "디코더만, 사전 학습 뒤 파인튜닝",
            "인코더만, 가린 토큰 맞히기",
            "pre-LN, 파인튜닝 없이 과제 풀기",
            "무작위 순서로 토큰 예측",
            "더 많은 데이터, 다음 문장 예측 없음",
            "모든 과제를 텍스트에서 텍스트로",
            "망가뜨린 글을 되돌리기",
            "1750억 파라미터, 문맥 내 학습",
            "이미지 패치를 토큰으로",
            "GEGLU, 출력층은 따로",
            "RMSNorm, SwiGLU, RoPE",
            "그룹 쿼리 어텐션, 슬라이딩 윈도",
            "RoPE, GeGLU, 8192 토큰",
            "쿼리와 키에 RMSNorm",
            "학습된 싱크, 전문가 혼합",
        ],
    },
    "en": {
        "encoder": "encoder-only",
        "both": "encoder–decoder",
        "decoder": "decoder-only",
        "new": [
            "translation, by attention alone",
            "decoder-only; pretrain, then fine-tune",
            "encoder-only; predict masked tokens",
            "pre-LN; tasks without fine-tuning",
            "predicts tokens in random order",
            "more data, no next sentences",
            "every task from text to text",
            "restores corrupted text",
            "175B parameters, in-context learning",
            "patches of images as tokens",
            "GEGLU, output matrix of its own",
            "RMSNorm, SwiGLU, RoPE",
            "grouped queries, sliding window",
            "RoPE, GeGLU, 8192 tokens",
            "RMSNorm on queries and keys",
            "learned sinks, experts",
        ],
    },
}


def draw(text, width=style.WIDTH):
    wide = width == style.WIDTH
    row, top, left, words = (19, 34, 46, 94) if wide else (30, 34, 38, 82)
    figure, ax = style.canvas(top + len(MODELS) * row, width)
    x = {branch: left + 16 * i for i, branch in enumerate(BRANCHES)}
    y = [top + i * row for i in range(len(MODELS))]
    for branch, colour in BRANCHES.items():
        points = [(x["both"], y[0])]
        points += [(x[branch], y[i]) for i, model in enumerate(MODELS) if model[2] == branch and i]
        bend = (x[branch], y[0] + row)  # where the branch has left the trunk
        path = [points[0], bend, *points[1:]]
        for (x_1, y_1), (x_2, y_2) in pairwise(path):
            ax.plot([x_1, x_2], [y_1, y_2], color=colour, lw=1.6)
    middle, years = 0.36 * style.SMALL, set()
    for i, ((name, year, branch), new) in enumerate(zip(MODELS, text["new"], strict=True)):
        colour = BRANCHES[branch]
        ax.plot(x[branch], y[i], "o", color=colour, ms=6)
        ax.text(words, y[i] + middle, name, color=colour, weight="bold", size=style.SMALL)
        ax.text(161 if wide else words, y[i] + middle + (0 if wide else 11), new, size=style.SMALL)
        if year not in years:
            ax.text(4, y[i] + middle, str(year), size=style.SMALL)
        years.add(year)
    for place, (branch, colour) in zip((4, 94, 194) if wide else (4, 84, 178), BRANCHES.items(), strict=True):
        ax.plot(place + 4, 10, "o", color=colour, ms=6)
        ax.text(place + 12, 10 + middle, text[branch], color=colour, size=style.SMALL)
    return figure
