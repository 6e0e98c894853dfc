"""A published encoder with some of it switched off: what does a sentence become?"""

# --8<-- [start:imports]
import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from tokenizers import Tokenizer

from snippets.before.vocabulary import pad
from snippets.families.bert import Bert
from snippets.families.encoder_views import SENTENCES
from snippets.families.real_encoder import encode, real_encoder
from snippets.families.sentence_embeddings import mean_pool
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:sentences]
PARAPHRASES = [  # the same in other words
    "The panel will not decide before December.",
    "A child tossed a toy across the hedge.",
    "You can catch the midday service to Busan on track nine.",
    "Biologists found an unknown amphibian in the jungle.",
    "Each weekend my grandma makes fresh loaves.",
    "Earnings at the firm dropped steeply over three months.",
    "Parts of the historic centre were under water after a storm.",
    "She is a string player with a well-known symphony.",
    "Gales shut the recently built crossing.",
    "Physicians advise people to stay hydrated during a heatwave.",
    "He was locked out because he had left his keys behind.",
    "You can see art from the 1800s at the gallery.",
    "Young people demonstrated over high rents.",
    "Disappearing ice is photographed from space.",
    "The family next door gave a home to an elderly stray.",
    "You will need a couple of eggs and some sugar for this dish.",
    "The crippled aircraft came down on the water without injuries.",
    "The lack of rain in recent months troubles growers.",
    "You can borrow novels, movies and guitars there.",
    "Jewellery was taken by a burglar during their stay.",
    "Spot kicks decided the championship in their favour.",
    "Renewables supply the majority of the nation's power.",
    "The court threw the charges out because nothing could be proved.",
    "Kids pick up foreign tongues more quickly than grown-ups.",
]
HARD_NEGATIVES = [  # something else in nearly the same words
    "The committee announced its decision at the end of the year.",
    "A small boy painted the garden fence red.",
    "The bus to Busan leaves from platform two at noon.",
    "Scientists cut down a new part of the rainforest.",
    "My grandmother reads the paper every Sunday morning.",
    "The company reported a sharp rise in profits last quarter.",
    "Heavy traffic blocked several streets in the old town.",
    "She sells the tickets for a famous orchestra.",
    "The new bridge was opened because of heavy traffic.",
    "Doctors recommend wearing warm clothes in cold weather.",
    "He found his keys and did not have to wait outside.",
    "The museum was built in the nineteenth century.",
    "Students wrote about the rising cost of energy.",
    "The children draw pictures of melting snowmen.",
    "Our neighbours sold an old car to the shelter.",
    "The recipe needs two onions and a cup of rice.",
    "The pilot flew the repaired plane safely over a river.",
    "Farmers are happy about the long holidays this summer.",
    "The shop sells books, films and musical instruments.",
    "A guest left a valuable ring in the hotel room.",
    "The team lost the final after a long penalty shootout.",
    "Coal and gas now produce most of the country's electricity.",
    "The judge opened the case to look for evidence.",
    "Adults learn a second language faster than children.",
]
ALL = SENTENCES + PARAPHRASES + HARD_NEGATIVES
# --8<-- [end:sentences]


# --8<-- [start:switched_off]
NUM_LAYERS, NUM_HEADS = 6, 12
ORDER = tuple(range(NUM_LAYERS))


@contextmanager
def switched_off(model: Bert, heads: tuple, order: tuple) -> Iterator[None]:
    """Meanwhile, these heads (layer, head) add nothing, and layers come in order.

    A layer that the order leaves out is skipped.
    """
    whole = model.encoder.layers
    matrices = [layer.attention.w_o.weight.detach() for layer in whole]
    saved = [matrix.clone() for matrix in matrices]
    for layer, head in heads:  # d_k columns of W_O.weight belong to each
        num_heads = whole[layer].attention.num_heads
        matrices[layer].unflatten(1, (num_heads, -1))[:, head] = 0
    model.encoder.layers = nn.ModuleList(whole[i] for i in order)
    try:
        yield
    finally:
        model.encoder.layers = whole
        for matrix, before in zip(matrices, saved, strict=True):
            matrix.copy_(before)
# --8<-- [end:switched_off]


# --8<-- [start:choices]
def first_token(hidden: Tensor, is_token: Tensor) -> Tensor:
    """Instead of the mean, the vector of [CLS] alone."""
    return hidden[:, 0]


def unchanged(tokens: list[str]) -> list[str]:
    """Every token where it was."""
    return tokens


class Shuffled:
    """The same tokens in random order."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, tokens: list[str]) -> list[str]:
        return random.Random(self.seed).sample(tokens, len(tokens))


FUNCTION_WORDS = (
    "a an the of in on at by from for with to and than its his our their my "
    "she he they it you who because after were was is are be not"
).split()


def content_words(tokens: list[str]) -> list[str]:
    """Without stop words: articles, prepositions, pronouns and the like."""
    return [token for token in tokens if token not in FUNCTION_WORDS]


def function_words(tokens: list[str]) -> list[str]:
    """Nothing but stop words, and the full stop."""
    return [token for token in tokens if token in [*FUNCTION_WORDS, "."]]
# --8<-- [end:choices]


# --8<-- [start:measure]
def vectors(
    model: Bert,
    tokenizer: Tokenizer,
    sentences: list[str],
    pool: Callable,
    change: Callable,
) -> Tensor:
    """Embeddings of norm 1 of sentences whose tokens were changed."""
    rows = []
    for encoding in tokenizer.encode_batch(sentences):
        first, *tokens, last = encoding.tokens
        kept = [first, *change(tokens), last]
        rows.append([tokenizer.token_to_id(token) for token in kept])
    ids = pad(rows)
    with torch.no_grad():
        hidden = model(ids)
    return normalize(pool(hidden, ids != model.pad_id), dim=-1)


@cached("inside_an_encoder")
def measure(
    heads: tuple = (),
    order: tuple = ORDER,
    pool: Callable = mean_pool,
    change: Callable = unchanged,
) -> dict:
    """Switch heads and layers off, or change something else, and compare.

    "cosine": that with the embedding by the whole model, on average;
    "unrelated": that of a sentence with the paraphrase of another, on average;
    "margins": for each sentence, its cosine with its paraphrase less that with
    its hard negative; "recall@1": how often its paraphrase is the closest of all.
    """
    model, tokenizer = real_encoder()
    whole = vectors(model, tokenizer, ALL, mean_pool, unchanged)
    with switched_off(model, heads, order):
        now = vectors(model, tokenizer, ALL, pool, change)
    anchors, paraphrases, hard_negatives = now.chunk(3)
    cosines = anchors @ paraphrases.T  # each sentence with each paraphrase
    unrelated = cosines[~torch.eye(len(anchors), dtype=torch.bool)]
    found = cosines.argmax(dim=1) == torch.arange(len(anchors))
    margins = cosines.diagonal() - (anchors * hard_negatives).sum(dim=1)
    return {
        "cosine": (now * whole).sum(dim=1).mean().item(),
        "unrelated": unrelated.mean().item(),
        "margins": [round(margin, 4) for margin in margins.tolist()],
        "recall@1": found.sum().item(),
    }
# --8<-- [end:measure]


# --8<-- [start:compared]
def triplets(run: dict) -> int:
    """How many sentences are closer to their paraphrase than to the negative."""
    return sum(margin > 0 for margin in run["margins"])


def compared(run: dict, whole: dict) -> dict[str, float]:
    """What a change does to the margins of the same sentences.

    "change": on average; "t": that in standard errors; "lost" and "gained":
    triplets that were right before, or are now, but not both.
    """
    now, before = (torch.tensor(one["margins"]) for one in (run, whole))
    change = now - before
    return {
        "change": change.mean().item(),
        "t": (change.mean() / (change.std() / len(change) ** 0.5)).item(),
        "lost": ((before > 0) & (now <= 0)).sum().item(),
        "gained": ((before <= 0) & (now > 0)).sum().item(),
    }
# --8<-- [end:compared]


# --8<-- [start:mean_ablation]
@cached("mean_ablation")
def mean_ablation(layer: int) -> dict:
    """For each head of a layer: "cosine", with its mean output in place of 0."""
    model, tokenizer = real_encoder()
    whole = vectors(model, tokenizer, ALL, mean_pool, unchanged)
    attention = model.encoder.layers[layer].attention
    ids, outputs = encode(tokenizer, ALL), []
    hook = attention.w_o.register_forward_hook(lambda w, x, y: outputs.append(x[0]))
    with torch.no_grad():
        model(ids)  # what W_O gets are the outputs of the heads, side by side
    hook.remove()
    shape = attention.num_heads, -1
    means = outputs[0][ids != model.pad_id].mean(dim=0).unflatten(0, shape)
    columns = attention.w_o.weight.detach().clone().unflatten(1, shape)
    bias, cosines = attention.w_o.bias.detach(), []
    before = bias.clone()
    for head in range(attention.num_heads):
        with switched_off(model, ((layer, head),), ORDER):
            bias.copy_(before + columns[:, head] @ means[head])
            now = vectors(model, tokenizer, ALL, mean_pool, unchanged)
        bias.copy_(before)
        cosines.append((now * whole).sum(dim=1).mean().item())
    return {"cosine": cosines}
# --8<-- [end:mean_ablation]


# --8<-- [start:results]
HEADS = list(itertools.product(range(NUM_LAYERS), range(NUM_HEADS)))
NUMBERS = [12, 24, 36, 48, 60, 72]
SEEDS = range(3)


def one_by_one() -> list[dict]:
    """With one head off, for each of HEADS."""
    return measure.each([((head,),) for head in HEADS])


def orders() -> dict[str, list[list]]:
    """Which heads to switch off first: those of the least effect, any, the most."""
    cosines = [run["cosine"] for run in one_by_one()]
    by_cosine = sorted(zip(cosines, HEADS, strict=True), reverse=True)
    least = [head for _, head in by_cosine]
    drawn = [random.Random(seed).sample(HEADS, len(HEADS)) for seed in SEEDS]
    return {"least": [least], "any": drawn, "most": [least[::-1]]}


def more_and_more() -> dict[str, list[list[dict]]]:
    """By order, and by seed where there are several, with NUMBERS of heads off."""
    return {
        name: [measure.each([(tuple(one[:k]),) for k in NUMBERS]) for one in some]
        for name, some in orders().items()
    }


def results() -> dict[str, dict]:
    """All else: attention of whole layers off, layers skipped, and changes."""
    calls = {"nothing": ()}
    for i in ORDER:
        heads = tuple(head for head in HEADS if head[0] == i)
        calls[f"attention of layer {i}"] = (heads,)
        calls[f"all of layer {i}"] = ((), ORDER[:i] + ORDER[i + 1 :])
    for i in ORDER[:-1]:
        swapped = (*ORDER[:i], i + 1, i, *ORDER[i + 2 :])
        calls[f"layers {i} and {i + 1} swapped"] = ((), swapped)
    calls["[CLS] for the mean"] = ((), ORDER, first_token)
    for seed in range(5):
        calls[f"shuffled, seed {seed}"] = ((), ORDER, mean_pool, Shuffled(seed))
    for change in (content_words, function_words):
        calls[change.__name__] = ((), ORDER, mean_pool, change)
    return dict(zip(calls, measure.each(list(calls.values())), strict=True))
# --8<-- [end:results]


# --8<-- [start:nearest]
MINE = "Eggs and sugar go into the cake."


@cached("nearest_sentences")
def nearest(sentence: str = MINE, number: int = 3) -> dict:
    """The closest of ALL to a sentence, and their cosines with it."""
    model, tokenizer = real_encoder()
    found = vectors(model, tokenizer, [sentence, *ALL], mean_pool, unchanged)
    cosines, places = (found[1:] @ found[0]).topk(number)
    return {
        "sentences": [ALL[i] for i in places.tolist()],
        "cosines": cosines.tolist(),
    }
# --8<-- [end:nearest]
