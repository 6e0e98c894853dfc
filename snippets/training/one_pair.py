"""A handful of sentences in English and Korean, and a translator that learns them."""

# --8<-- [start:imports]
import re

from torch import Tensor

from snippets.before.vocabulary import Vocabulary, pad_pairs
from snippets.model.transformer import Transformer
from snippets.positions.tokens import wordpiece
from snippets.tools.kept import kept
from snippets.training.attention_maps import attention_maps
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
from snippets.training.translator import new_trainer
# --8<-- [end:imports]


# --8<-- [start:words]
#: The Korean pieces, each with its English. One with ## in front continues a word.
KOREAN = {
    "나": "I", "내": "my", "친구": "friend", "어머니": "mother", "아이": "child",
    "매일": "every", "아침": "morning", "저녁": "evening", "오늘": "today",
    "집": "home", "학교": "school", "서울": "Seoul", "부산": "Busan",
    "커피": "coffee", "우유": "milk", "빵": "bread", "사과": "apple",
    "책": "book", "편지": "letter", "날씨": "weather",
    "마신다": "drink", "먹는다": "eat", "읽는다": "read", "쓴다": "write",
    "산다": "live/buy", "노래한다": "sing", "좋다": "good",
    "##는": "topic", "##은": "topic", "##이": "subject", "##가": "subject",
    "##를": "object", "##을": "object", "##에": "in", "##에서": "at",
}
ENGLISH = """
i my friend mother the child every morning evening day today at home school
in seoul busan coffee milk bread a an apple book letter weather
drink eat read write live buy sing is good ##s .
"""
VOCAB = Vocabulary([*KOREAN, *ENGLISH.split()])
# --8<-- [end:words]


# --8<-- [start:pairs]
TEXT = """
I drink coffee every morning. | 나는 매일 아침 커피를 마신다.
I drink milk every evening. | 나는 매일 저녁 우유를 마신다.
I read a book every evening. | 나는 매일 저녁 책을 읽는다.
I eat bread at home. | 나는 집에서 빵을 먹는다.
I eat an apple every day. | 나는 매일 사과를 먹는다.
I write a letter today. | 나는 오늘 편지를 쓴다.
I buy coffee every evening. | 나는 매일 저녁 커피를 산다.
I read a letter at school. | 나는 학교에서 편지를 읽는다.
I live in Seoul. | 나는 서울에 산다.
I sing at home. | 나는 집에서 노래한다.
My friend lives in Busan. | 내 친구는 부산에 산다.
My friend buys an apple. | 내 친구는 사과를 산다.
My friend drinks milk at school. | 내 친구는 학교에서 우유를 마신다.
My friend reads a letter today. | 내 친구는 오늘 편지를 읽는다.
My friend writes a book. | 내 친구는 책을 쓴다.
My friend eats bread every morning. | 내 친구는 매일 아침 빵을 먹는다.
My friend drinks coffee today. | 내 친구는 오늘 커피를 마신다.
My friend sings at school. | 내 친구는 학교에서 노래한다.
My mother buys milk every day. | 어머니는 매일 우유를 산다.
My mother drinks coffee at home. | 어머니는 집에서 커피를 마신다.
My mother reads a book today. | 어머니는 오늘 책을 읽는다.
My mother lives in Seoul. | 어머니는 서울에 산다.
My mother writes a letter every day. | 어머니는 매일 편지를 쓴다.
My mother eats an apple at home. | 어머니는 집에서 사과를 먹는다.
My mother buys bread today. | 어머니는 오늘 빵을 산다.
My mother sings every morning. | 어머니는 매일 아침 노래한다.
The child eats an apple every morning. | 아이는 매일 아침 사과를 먹는다.
The child reads a letter at school. | 아이는 학교에서 편지를 읽는다.
The child drinks milk today. | 아이는 오늘 우유를 마신다.
The child lives in Busan. | 아이는 부산에 산다.
The child writes a book at home. | 아이는 집에서 책을 쓴다.
The child buys a book today. | 아이는 오늘 책을 산다.
The child sings every evening. | 아이는 매일 저녁 노래한다.
The coffee is good today. | 오늘은 커피가 좋다.
The book is good. | 책이 좋다.
The bread is good. | 빵이 좋다.
The weather is good today. | 오늘은 날씨가 좋다.
The milk is good every morning. | 매일 아침 우유가 좋다.

My friend drinks coffee every evening. | 내 친구는 매일 저녁 커피를 마신다.
The child eats bread at home. | 아이는 집에서 빵을 먹는다.
My mother buys a book. | 어머니는 책을 산다.
I read a letter every day. | 나는 매일 편지를 읽는다.
The child writes a letter at home. | 아이는 집에서 편지를 쓴다.
My friend lives in Seoul. | 내 친구는 서울에 산다.
My mother drinks milk every morning. | 어머니는 매일 아침 우유를 마신다.
I buy an apple at school. | 나는 학교에서 사과를 산다.
"""
PAIRS, NEW = (
    [tuple(line.split(" | ")) for line in block.splitlines()]
    for block in TEXT.strip().split("\n\n")
)
# --8<-- [end:pairs]


# --8<-- [start:cut]
def cut(sentence: str) -> list[str]:
    """The tokens of a sentence in either language, in lower case.

    A word with a part that is in no token becomes [UNK], which VOCAB refuses.
    """
    words = re.findall(r"\w+|[^\w\s]", sentence.lower())
    return [piece for word in words for piece in wordpiece(word, VOCAB.ids)]


def batch(pairs: list[tuple[str, str]]) -> tuple[Tensor, Tensor]:
    """Sources, (batch, n), and targets that begin with <s>, (batch, m)."""
    return pad_pairs(VOCAB, [(cut(en), cut(ko)) for en, ko in pairs])
# --8<-- [end:cut]


# --8<-- [start:trained]
STEPS = 200


def pair_trainer(pairs: list[tuple[str, str]], seed: int) -> Trainer:
    """The translator of the page before; each step takes all the pairs."""
    everything = batch(pairs)
    return new_trainer(VOCAB, lambda generator: everything, STEPS, seed)


def trained() -> Transformer:
    """After 200 steps, from a file if the same code has done it before."""
    trainer = pair_trainer(PAIRS, seed=0)

    def train() -> tuple[dict[str, Tensor], dict]:
        trainer.run(STEPS)
        return trainer.model.state_dict(), {"losses": trainer.losses}

    state, _ = kept("pairs-0", "training/one_pair", train)
    trainer.model.load_state_dict(state)
    return trainer.model.eval()
# --8<-- [end:trained]


# --8<-- [start:cross_attention]
def cross_attention(model: Transformer, src: Tensor, tgt: Tensor) -> Tensor:
    """Of the last layer, averaged over the heads: (batch, m - 1, n)."""
    with inference(model):
        maps = attention_maps(model, src, tgt[:, :-1])
    return maps["decoder.layers.1.cross_attention"].mean(dim=1)

# --8<-- [end:cross_attention]
