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
COMPOUNDS = [  # two nouns, what they name, and what they name the other way round
    ("race horse", "a fast animal", "a contest at the track"),
    ("house boat", "a vessel with bedrooms", "a shed by the lake"),
    ("show dog", "a pet with many prizes", "an exhibition of pets"),
    ("guest house", "a small hotel", "a visitor"),
    ("pocket watch", "an old timepiece", "a part of the trousers"),
    ("flower garden", "a park full of blossoms", "a plant"),
    ("race car", "a fast vehicle", "a contest of drivers"),
    ("music school", "a place to learn the piano", "songs for pupils"),
    ("milk chocolate", "a sweet bar", "a sweet drink"),
    ("fish tank", "an aquarium", "an animal with fins"),
    ("library book", "a novel to borrow", "a building for readers"),
    ("computer store", "a shop", "a machine"),
    ("dinner party", "a celebration", "a meal"),
    ("chocolate cake", "a dessert", "an ingredient"),
    ("street market", "some stalls", "a road"),
    ("school bus", "a vehicle for pupils", "lessons for drivers"),
    ("mountain village", "a settlement", "a peak"),
    ("water bottle", "a container", "a drink"),
    ("family doctor", "a physician", "some relatives"),
    ("summer camp", "a place for children", "a season"),
    ("bird cage", "a small prison", "a pet with wings"),
    ("film music", "a soundtrack", "a movie"),
    ("oil lamp", "a light", "a fuel"),
    ("shop window", "a display", "a seller of glass"),
    ("dance school", "a place to learn the tango", "a party for pupils"),
    ("house plant", "something green in a pot", "a building of glass"),
    ("rice field", "some farmland", "some grain"),
    ("cane sugar", "a sweetener", "a tall plant"),
    ("olive oil", "a cooking fat", "a small fruit"),
    ("flower shop", "a store", "a blossom"),
    ("apple tree", "a tall plant", "a fruit"),
    ("sea salt", "a seasoning", "a large body of water"),
    ("camp fire", "flames in the evening", "a base for rescuers"),
    ("team work", "cooperation", "a group"),
    ("law school", "a university", "rules for education"),
    ("card game", "a pastime", "a piece of stiff paper"),
    ("board game", "a pastime for the family", "a checkered surface"),
    ("traffic light", "a signal", "few cars on the road"),
    ("chain mail", "armor", "a series of letters"),
    ("blood test", "an examination", "a red sample"),
    ("rock garden", "a small park", "a stone"),
    ("town home", "a residence", "a place of birth"),
    ("fish food", "something to feed pets with", "an animal to eat"),
    ("night club", "a bar", "an event"),
    ("ice water", "a cold drink", "a frozen dessert"),
    ("honey bee", "an insect", "a sweet spread"),
    ("cow milk", "something to drink", "a farm animal"),
    ("train station", "a building", "a vehicle"),
    ("gift shop", "a store for tourists", "a present"),
    ("picture book", "a volume for children", "an illustration"),
    ("ghost story", "a scary tale", "a spirit"),
    ("test pilot", "an aviator", "a trial"),
]


def in_sentences() -> list[str]:
    """Four for each pair of nouns: the compound, the reversed one, what each is."""
    found = []
    for words, what, other in COMPOUNDS:
        first, second = words.split()
        named = f"the {words}", f"the {second} {first}", what, other
        found += [f"They talked about {thing}." for thing in named]
    return found


ALL = SENTENCES + PARAPHRASES
# --8<-- [end:sentences]


# --8<-- [start:switched_off]
NUM_LAYERS, NUM_HEADS = 6, 12
ORDER = tuple(range(NUM_LAYERS))


@contextmanager
def switched_off(
    model: Bert, heads: tuple, order: tuple, silent: tuple = ()
) -> Iterator[None]:
    """Meanwhile, these heads (layer, head) are off, and layers come in order.

    A layer that the order leaves out is skipped; of a silent one, the feed-forward
    network is off. What stays of either is a bias, the same for every token.
    """
    whole = model.encoder.layers
    matrices = [layer.attention.w_o.weight.detach() for layer in whole]
    networks = [whole[i].feed_forward.w_2.weight.detach() for i in silent]
    saved = [matrix.clone() for matrix in matrices + networks]
    for layer, head in heads:  # d_k columns of W_O.weight belong to each
        num_heads = whole[layer].attention.num_heads
        matrices[layer].unflatten(1, (num_heads, -1))[:, head] = 0
    for matrix in networks:
        matrix.zero_()
    model.encoder.layers = nn.ModuleList(whole[i] for i in order)
    try:
        yield
    finally:
        model.encoder.layers = whole
        for matrix, before in zip(matrices + networks, saved, strict=True):
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
    silent: tuple = (),
) -> dict:
    """Switch some of the model off, or change something else, and compare.

    "cosine": that with the embedding by the whole model, on average;
    "unrelated": that of a sentence with the paraphrase of another, on average;
    "recall@1": how often its paraphrase is the closest of all;
    "margins": two for each pair of nouns, the cosine of what a compound is with
    the compound, less that with the same two nouns the other way round.
    """
    model, tokenizer = real_encoder()
    whole = vectors(model, tokenizer, ALL, mean_pool, unchanged)
    with switched_off(model, heads, order, silent):
        now = vectors(model, tokenizer, ALL, pool, change)
        nouns = vectors(model, tokenizer, in_sentences(), pool, change)
    anchors, paraphrases = now.chunk(2)
    cosines = anchors @ paraphrases.T  # each sentence with each paraphrase
    unrelated = cosines[~torch.eye(len(anchors), dtype=torch.bool)]
    found = cosines.argmax(dim=1) == torch.arange(len(anchors))
    named, turned, what, other = nouns.unflatten(0, (-1, 4)).unbind(dim=1)
    sides = (what * (named - turned), other * (turned - named))
    margins = torch.stack([side.sum(dim=1) for side in sides], dim=1)
    return {
        "cosine": (now * whole).sum(dim=1).mean().item(),
        "unrelated": unrelated.mean().item(),
        "margins": [round(margin, 5) for margin in margins.flatten().tolist()],
        "recall@1": found.sum().item(),
    }
# --8<-- [end:measure]


# --8<-- [start:compared]
def triplets(run: dict) -> int:
    """How often the compound is closer than the same nouns the other way round."""
    return sum(margin > 0 for margin in run["margins"])


def compared(run: dict, whole: dict) -> dict[str, float]:
    """What a change does to the margins of the same sentences.

    "change": on average; "t": that in standard errors over the pairs of nouns;
    "lost" and "gained": triplets right before, or now, but not both.
    """
    now, before = (torch.tensor(one["margins"]) for one in (run, whole))
    change = (now - before).view(-1, 2).mean(dim=1)  # of each pair of nouns
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
NUMBERS = [18, 36, 54, 72]
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
    """All else: halves of layers off, all layers left out, and changes."""
    calls: dict[str, tuple] = {"nothing": ()}
    for i in ORDER:
        heads = tuple(head for head in HEADS if head[0] == i)
        calls[f"attention of layer {i}"] = (heads,)
        alone = (), ORDER, mean_pool, unchanged, (i,)
        calls[f"feed-forward of layer {i}"] = alone
    calls["every feed-forward"] = ((), ORDER, mean_pool, unchanged, ORDER)
    calls["every layer"] = ((), ())  # what is left are the input embeddings
    calls["[CLS] for the mean"] = ((), ORDER, first_token)
    for seed in SEEDS:
        calls[f"shuffled, seed {seed}"] = ((), ORDER, mean_pool, Shuffled(seed))
    for change in (content_words, function_words):
        calls[change.__name__] = ((), ORDER, mean_pool, change)
    return dict(zip(calls, measure.each(list(calls.values())), strict=True))
# --8<-- [end:results]


# --8<-- [start:halves]
def halves() -> dict[str, list[dict]]:
    """Half of the heads off, chosen by layer; by seed where heads are drawn."""
    (least,) = orders()["least"]
    layers = [[head for head in least if head[0] == i] for i in ORDER]
    counts = [sum(head in least[:36] for head in layer) for layer in layers]
    drawn = []
    for seed in SEEDS:  # as many of each layer as there are among the least
        draw = random.Random(seed).sample
        drawn.append([draw(*pair) for pair in zip(layers, counts, strict=True)])
    chosen = {
        "drawn": drawn,
        "least of each": [[layer[:6] for layer in layers]],
        "most of each": [[layer[6:] for layer in layers]],
        "first layers": [layers[:3]],
        "last layers": [layers[3:]],
    }
    return {
        name: measure.each([(tuple(itertools.chain(*some)),) for some in several])
        for name, several in chosen.items()
    }
# --8<-- [end:halves]
