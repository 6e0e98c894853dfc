"""What the published encoder does with a text, kept: it is looked at without it."""

# --8<-- [start:imports]
import torch
from tokenizers import Tokenizer

from snippets.families.attention_views import (
    attention_maps,
    effects,
    head_measures,
    projected,
    rollout,
    weighted_norms,
    without_first,
)
from snippets.families.bert import Bert
from snippets.families.real_encoder import encode, real_encoder
from snippets.families.sentence_embeddings import embed
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:texts]
FLIES = "time flies like an arrow"
PAIR = ("Time flies like an arrow.", "Fruit flies like a banana.")
WORDS = ["attention", "tokenization", "embeddings", "Sejong", "café", "1443"]
KOREAN = ["어텐션", "값", "漢字"]  # attention, value, Chinese characters
SIMILAR = [
    "The dog chased the cat.",
    "The cat chased the dog.",
    "A puppy ran after a kitten.",
    "The dog did not chase the cat.",
    "Interest rates rose last month.",
    "Credit has become expensive.",
    "Interest rates fell last month.",
    "How do I boil an egg?",
    "A guide to cooking eggs.",
    "트랜스포머는 어텐션을 쓴다.",  # the Transformer uses attention
    "김치는 맵다.",  # kimchi is hot
]
SENTENCES = [
    "The committee postponed its decision until the end of the year.",
    "A small boy threw a red ball over the garden fence.",
    "The train to Busan leaves from platform nine at noon.",
    "Scientists discovered a new species of frog in the rainforest.",
    "My grandmother bakes bread every Sunday morning.",
    "The company reported a sharp fall in profits last quarter.",
    "Heavy rain flooded several streets in the old town.",
    "She plays the violin in a famous orchestra.",
    "The new bridge was closed because of strong winds.",
    "Doctors recommend drinking more water in hot weather.",
    "He forgot his keys and had to wait outside.",
    "The museum shows paintings from the nineteenth century.",
    "Students protested against the rising cost of housing.",
    "The satellite takes pictures of melting glaciers.",
    "Our neighbours adopted an old dog from the shelter.",
    "The recipe needs two eggs and a cup of sugar.",
    "The pilot landed the damaged plane safely on a river.",
    "Farmers are worried about the long drought this summer.",
    "The library lends books, films and musical instruments.",
    "A thief stole a valuable ring from the hotel room.",
    "The team won the final after a long penalty shootout.",
    "Wind and sun now produce most of the country's electricity.",
    "The judge dismissed the case for lack of evidence.",
    "Children learn a second language faster than adults.",
]
# --8<-- [end:texts]


# --8<-- [start:views]
PAD_ID, MASK_ID = 0, 103  # [PAD] and [MASK]
ORDINARY = ["the", "table", "running", "purple"]


def tokens(model: Bert, tokenizer: Tokenizer, *texts: str) -> dict:
    """Of a text or a pair: tokens, their ids, and their segments."""
    found = tokenizer.encode(*texts)
    return {"tokens": found.tokens, "ids": found.ids, "segments": found.type_ids}


def attention(model: Bert, tokenizer: Tokenizer, *texts: str) -> dict:
    """Of a text or a pair: all weights, (layers, heads, n, n)."""
    found = tokens(model, tokenizer, *texts)
    ids, segments = (torch.tensor([found[key]]) for key in ("ids", "segments"))
    maps = attention_maps(model, ids, segments)[:, 0]
    return {"weights": {"maps": maps.half()}}


def neurons(model: Bert, tokenizer: Tokenizer, text: str) -> dict:
    """Queries and keys of all heads, (layers, heads, n, d_k)."""
    ids = encode(tokenizer, [text])
    names = {"queries": "w_q", "keys": "w_k"}
    found = {key: projected(model, ids, names[key])[:, 0] for key in names}
    return {"weights": {key: x.half() for key, x in found.items()}}


def embeddings(model: Bert, tokenizer: Tokenizer, *texts: str) -> dict:
    """Sentence embeddings of norm 1, (len(texts), d_model)."""
    return {"weights": {"embeddings": embed(model, encode(tokenizer, texts))}}


def segments(model: Bert, tokenizer: Tokenizer, *pair: str) -> dict:
    """The cosine of a pair's embeddings, with segments 0 and 1 and without."""
    found = tokens(model, tokenizer, *pair)
    ids, own = (torch.tensor([found[key]]) for key in ("ids", "segments"))
    return {"cosine": (embed(model, ids) @ embed(model, ids, own).T).item()}


def heads(model: Bert, tokenizer: Tokenizer, *texts: str) -> dict:
    """Where each head looks, on average over the texts: (layers, heads)."""
    found = []
    for text in texts:
        maps = attention_maps(model, encode(tokenizer, [text]))
        found.append(head_measures(maps[:, 0]))
    means = {
        key: torch.stack([one[key] for one in found]).mean(0) for key in found[0]
    }
    return {"weights": means}


def importance(model: Bert, tokenizer: Tokenizer, text: str) -> dict:
    """For each token: how much attention it receives, and what hiding it does."""
    ids = encode(tokenizer, [text])
    maps = attention_maps(model, ids)[:, 0]
    norms = weighted_norms(model, ids)[:, 0]
    found = {
        "all layers": maps.mean(dim=(0, 1, 2)),  # over layers, heads and queries
        "first layer": maps[0].mean(dim=(0, 1)),
        "last layer": maps[-1].mean(dim=(0, 1)),
        "rollout": rollout(maps).mean(dim=0),
        "with norms": norms.mean(dim=(0, 1)),
        "hidden": effects(model, ids[0], PAD_ID),
        "masked": effects(model, ids[0], MASK_ID),
    }
    return {key: x.tolist() for key, x in found.items()}


def sink(model: Bert, tokenizer: Tokenizer, text: str) -> dict:
    """[CLS] taken away piece by piece: 1 - cosine; and the norms of its values.

    "values": for each head with more than half of its weights on [CLS], the norm
    of that token's value divided by the mean norm of the words'.
    """
    ids = encode(tokenizer, [text])
    found = {
        "not averaged": without_first(model, ids, attended=True),
        "not attended to": without_first(model, ids, averaged=True),
        "neither": without_first(model, ids),
    }
    for word in ORDINARY:  # in the place of [CLS]
        found[word] = effects(model, ids[0], tokenizer.token_to_id(word))[:1]
    of_head = head_measures(attention_maps(model, ids)[:, 0])["[CLS]"]
    norms = projected(model, ids, "w_v")[:, 0].norm(dim=-1)  # (layers, heads, n)
    shares = norms[..., 0] / norms[..., 1:-1].mean(dim=-1)
    values = shares[of_head > 0.5].tolist()
    return {key: x.item() for key, x in found.items()} | {"values": values}
# --8<-- [end:views]


# --8<-- [start:look]
VIEWS = {
    view.__name__: view
    for view in (
        tokens, attention, neurons, embeddings, segments, heads, importance, sink
    )
}


@cached("real_encoder")
def look(view: str, *texts: str) -> dict:
    """One of the views on one or several texts; the tensors are "weights".

    Raises FileNotFoundError, which says how to get the model, where the result
    is not kept and the model is not there.
    """
    return VIEWS[view](*real_encoder(), *texts)


def looks() -> list[dict]:
    """All that the book shows of it."""
    calls = [("tokens", text) for text in [FLIES, *WORDS, *KOREAN, *SENTENCES]]
    calls += [("attention", FLIES), ("tokens", *PAIR), ("attention", *PAIR)]
    calls += [("neurons", FLIES), ("segments", *PAIR), ("embeddings", *SIMILAR)]
    calls += [("heads", *SENTENCES)]
    calls += [(view, text) for view in ("importance", "sink") for text in SENTENCES]
    return [look(*call) for call in calls]
# --8<-- [end:look]
