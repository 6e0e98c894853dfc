"""Two sentences as a batch of ten ids each: special tokens, padding, and the attention mask."""

import functools

from snippets.before.batches_of_tokens import CLS, PAD, SEP, SPECIAL, batch, with_special
from snippets.before.byte_pair_encoding import BytePairEncoding
from snippets.before.corpus import constitution
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: it is what is cut
SENTENCES = ["안녕하세요", "하이"]
LENGTH, VOCAB_SIZE = 10, 600

TEXT = {
    "ko": {"tokens": ["‘안녕하세요’의 토큰", "‘하이’의 토큰"], "ids": "토큰 ID", "mask": "어텐션 마스크"},
    "en": {"tokens": ["tokens of 안녕하세요", "tokens of 하이"], "ids": "ids", "mask": "attention mask"},
}


@functools.cache
def trained():
    return BytePairEncoding(constitution(), VOCAB_SIZE - len(SPECIAL))


def draw(text):
    tokenizer = trained()
    rows = [with_special(tokenizer.encode(sentence), LENGTH) for sentence in SENTENCES]
    input_ids, attention_mask = (tensor.tolist() for tensor in batch(rows, LENGTH))
    looks = dict.fromkeys((CLS, SEP), {"colour": style.BYTE}) | {PAD: {"colour": style.FAINT, "pale": True}}
    size, left, height = 32, 6, 122
    figure, ax = style.canvas(len(rows) * height)
    for i, (ids, mask) in enumerate(zip(input_ids, attention_mask, strict=True)):
        y = i * height
        for label, step in ((text["tokens"][i], 0), (text["ids"], 37), (text["mask"], 74)):
            ax.text(left, y + 13 + step, label, weight="bold", size=style.SMALL)
        for j, (number, seen) in enumerate(zip(ids, mask, strict=True)):
            x, look = left + j * size, looks.get(number, {"colour": style.SUBWORD})
            token = SPECIAL[number] if number in looks else tokenizer.tokens[number - len(SPECIAL)]
            for label, step in ((token, 0), (str(number), 37), (str(seen), 74)):
                style.boxes(ax, [label], x, y + 18 + step, width=size, **look)
    return figure
