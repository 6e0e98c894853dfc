"""Which head of keys and values each query head uses: its own, that of its group, or the only one."""

from matplotlib.patches import Rectangle

from snippets.families.llama import LlamaConfig, kv_cache_bytes
from snippets.figures import style

HEADS = 8

TEXT = {
    "ko": {
        "title": ["MHA: 키와 밸류 헤드 8개", "GQA: 키와 밸류 헤드 2개", "MQA: 키와 밸류 헤드 1개"],
        "query": "쿼리",
        "kv": "키, 밸류",
        "cache": "KV 캐시 {}",
    },
    "en": {
        "title": ["MHA: 8 key–value heads", "GQA: 2 key–value heads", "MQA: 1 key–value head"],
        "query": "queries",
        "kv": "keys, values",
        "cache": "KV cache {}",
    },
}


def draw(text, width=style.WIDTH):
    left, cell = (76, 31) if width == style.WIDTH else (58, 25)
    size, panel = 18, 104
    figure, ax = style.canvas(3 * panel + 6, width)
    whole = kv_cache_bytes(LlamaConfig(num_heads=HEADS, num_kv_heads=HEADS), 1)
    for number, (kv_heads, title) in enumerate(zip((8, 2, 1), text["title"], strict=True)):
        top = number * panel + 8
        share = kv_cache_bytes(LlamaConfig(num_heads=HEADS, num_kv_heads=kv_heads), 1) / whole
        cache = text["cache"].format("1" if share == 1 else f"1/{1 / share:.0f}")
        ax.text(left, top + 8, title, weight="bold")
        ax.text(left + HEADS * cell, top + 8, cache, ha="right", size=style.SMALL)
        group = HEADS // kv_heads
        above, below = top + 18, top + 68
        for head in range(HEADS):
            x = left + (head + 0.5) * cell
            target = left + (head // group * group + group / 2) * cell
            ax.plot([x, target], [above + size, below], color=style.FAINT, lw=1)
            form = {"color": style.QUERY, "alpha": 0.28, "lw": 0}
            ax.add_patch(Rectangle((x - size / 2, above), size, size, **form))
            ax.text(x, above + 12.5, str(head), ha="center", size=style.SMALL)
        for head in range(kv_heads):
            x = left + (head + 0.5) * group * cell
            ax.add_patch(Rectangle((x - size / 2, below), size / 2, size, color=style.KEY, alpha=0.28, lw=0))
            ax.add_patch(Rectangle((x, below), size / 2, size, color=style.VALUE, alpha=0.28, lw=0))
            ax.text(x, below + 12.5, str(head), ha="center", size=style.SMALL)
        ax.text(left - 4, above + 12.5, text["query"], ha="right", color=style.QUERY, size=style.SMALL)
        ax.text(left - 4, below + 12.5, text["kv"], ha="right", color=style.KEY, size=style.SMALL)
    return figure
