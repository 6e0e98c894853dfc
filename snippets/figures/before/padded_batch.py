"""Two sentences as a batch of ten ids each: special tokens, padding, and the attention mask."""

from snippets.before.batches_of_tokens import CLS, PAD, SEP, batch, with_special
from snippets.before.kcbert import kcbert_tokenizer
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: it is what is cut
SENTENCES = ["안녕하세요", "하이"]
LENGTH = 10
WIDTHS = [32, 32, 42, *[32] * 7]  # of the columns: ##하세요 is the longest

TEXT = {
    "ko": {"tokens": ["‘안녕하세요’의 토큰", "‘하이’의 토큰"], "ids": "토큰 ID", "mask": "어텐션 마스크"},
    "en": {"tokens": ["tokens of 안녕하세요", "tokens of 하이"], "ids": "ids", "mask": "attention mask"},
}


def draw(text):
    tokenizer = kcbert_tokenizer()
    cut = [tokenizer.encode(sentence, add_special_tokens=False).ids for sentence in SENTENCES]
    rows = [with_special(ids, LENGTH) for ids in cut]
    input_ids, attention_mask = (tensor.tolist() for tensor in batch(rows, LENGTH))
    looks = dict.fromkeys((CLS, SEP), {"colour": style.BYTE}) | {PAD: {"colour": style.FAINT, "pale": True}}
    left, height = 0.6, 122
    figure, ax = style.canvas(len(rows) * height)
    for i, (ids, mask) in enumerate(zip(input_ids, attention_mask, strict=True)):
        y = i * height
        for label, step in ((text["tokens"][i], 0), (text["ids"], 37), (text["mask"], 74)):
            ax.text(left, y + 13 + step, label, weight="bold", size=style.SMALL)
        for j, (number, seen) in enumerate(zip(ids, mask, strict=True)):
            x, look = left + sum(WIDTHS[:j]), looks.get(number, {"colour": style.SUBWORD})
            token = tokenizer.id_to_token(number)
            for label, step in ((token, 0), (str(number), 37), (str(seen), 74)):
                style.boxes(ax, [label], x, y + 18 + step, width=WIDTHS[j], **look)
    return figure
