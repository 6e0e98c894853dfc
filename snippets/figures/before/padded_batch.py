"""Two sentences as a batch of ten ids each: special tokens, padding, and the attention mask."""

from snippets.before.batches_of_tokens import CLS, PAD, SEP, batch, with_special
from snippets.before.word_pieces import tokenizer_of
from snippets.figures import style
from snippets.figures.labels import language_of

LENGTH = 10

TEXT = {
    "ko": {"tokens": ["‘안녕하세요’의 토큰", "‘하이’의 토큰"], "ids": "토큰 ID", "mask": "어텐션 마스크"},
    "en": {"tokens": ["tokens of equality", "tokens of liberty"], "ids": "ids", "mask": "attention mask"},
}
#: What is cut, in the text of each language.
SENTENCES = {"ko": ["안녕하세요", "하이"], "en": ["equality", "liberty"]}


def draw(text):
    language = language_of(text, TEXT)
    tokenizer = tokenizer_of(language)
    cut = [tokenizer.encode(sentence, add_special_tokens=False) for sentence in SENTENCES[language]]
    longest = max((1, 2), key=lambda j: max(len(one.tokens[j - 1]) for one in cut if len(one.tokens) >= j))
    widths = [42 if j == longest else 32 for j in range(LENGTH)]
    rows = [with_special(one.ids, LENGTH) for one in cut]
    input_ids, attention_mask = (tensor.tolist() for tensor in batch(rows, LENGTH))
    looks = dict.fromkeys((CLS, SEP), {"colour": style.BYTE}) | {PAD: {"colour": style.FAINT, "pale": True}}
    left, height = 0.6, 122
    figure, ax = style.canvas(len(rows) * height)
    for i, (ids, mask) in enumerate(zip(input_ids, attention_mask, strict=True)):
        y = i * height
        for label, step in ((text["tokens"][i], 0), (text["ids"], 37), (text["mask"], 74)):
            ax.text(left, y + 13 + step, label, weight="bold", size=style.SMALL)
        for j, (number, seen) in enumerate(zip(ids, mask, strict=True)):
            x, look = left + sum(widths[:j]), looks.get(number, {"colour": style.SUBWORD})
            token = tokenizer.id_to_token(number)
            for label, step in ((token, 0), (str(number), 37), (str(seen), 74)):
                style.boxes(ax, [label], x, y + 18 + step, width=widths[j], **look)
    return figure
