"""What is hidden and what is predicted: training pairs of four tasks, and skip-gram."""

# --8<-- [start:imports]
from collections import Counter

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:next_token_pairs]
def next_token_pairs(tokens: list) -> list[tuple[list, object]]:
    """All tokens before a token, and the token: forward language model."""
    return [(tokens[:i], tokens[i]) for i in range(len(tokens))]


def previous_token_pairs(tokens: list) -> list[tuple[list, object]]:
    """All tokens after a token, and the token: backward language model."""
    return [(tokens[i + 1 :], tokens[i]) for i in reversed(range(len(tokens)))]
# --8<-- [end:next_token_pairs]


# --8<-- [start:masked_pairs]
def masked_pairs(tokens: list, hidden: set[int]) -> list[tuple[list, object]]:
    """The sentence without its hidden tokens, and one of these: masked model."""
    seen = ["[MASK]" if i in hidden else token for i, token in enumerate(tokens)]
    return [(seen, tokens[i]) for i in sorted(hidden)]
# --8<-- [end:masked_pairs]


# --8<-- [start:skip_gram_pairs]
def skip_gram_pairs(tokens: list, window: int) -> list[tuple[list, object]]:
    """One token, and one that is at most window positions away: skip-gram."""
    return [
        ([centre], tokens[j])
        for i, centre in enumerate(tokens)
        for j in range(max(0, i - window), min(len(tokens), i + window + 1))
        if j != i
    ]
# --8<-- [end:skip_gram_pairs]


# --8<-- [start:bert_masking]
IGNORED = -100  # what F.cross_entropy leaves out of the loss


def bert_masking(
    ids: Tensor,
    mask_id: int,
    vocab_size: int,
    generator: Generator | None = None,
    pad_id: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Inputs and targets of a masked language model, as in BERT (section 3.1).

    15 % of the positions are to be predicted. Of these, 80 % are hidden, 10 % get
    a random token, other than pad_id, and 10 % stay as they are. ids: any shape,
    which both results have; the targets are IGNORED at all other positions.
    """

    def chance(p: float) -> Tensor:
        share = torch.full(ids.shape, p, device=ids.device)
        return torch.bernoulli(share, generator=generator).bool()

    chosen = chance(0.15)
    hidden = chosen & chance(0.8)
    replaced = chosen & ~hidden & chance(0.5)
    other = torch.randint(
        vocab_size, ids.shape, generator=generator, device=ids.device
    )
    if pad_id is not None:  # a model would take it for padding, and hide it
        replaced &= other != pad_id
    inputs = torch.where(replaced, other, ids.masked_fill(hidden, mask_id))
    return inputs, ids.masked_fill(~chosen, IGNORED)
# --8<-- [end:bert_masking]


# --8<-- [start:SkipGram]
class SkipGram(nn.Module):
    """Two vectors for each word: one as centre, one as context of another word.

    They are float64, so that a training says the same on every machine.
    """

    def __init__(self, vocab_size: int, d: int):
        super().__init__()
        self.centre = nn.Embedding(vocab_size, d, dtype=torch.float64)
        self.context = nn.Embedding(vocab_size, d, dtype=torch.float64)
        nn.init.normal_(self.centre.weight, std=d**-0.5)
        nn.init.zeros_(self.context.weight)

    def forward(self, centre: Tensor, context: Tensor) -> Tensor:
        """Dot product of the vectors of two words, given by ids that broadcast."""
        return (self.centre(centre) * self.context(context)).sum(dim=-1)


def negative_sampling_loss(
    model: SkipGram, pairs: Tensor, negatives: Tensor
) -> Tensor:
    """Mikolov et al. 2013b, equation 4, with the opposite sign; mean of a batch.

    pairs: (batch, 2), centre and context. negatives: (batch, k), random words in
    place of the context.
    """
    centre, context = pairs.T
    real = model(centre, context)  # -> (batch,)
    drawn = model(centre.unsqueeze(1), negatives)  # -> (batch, k)
    return -(F.logsigmoid(real) + F.logsigmoid(-drawn).sum(dim=1)).mean()
# --8<-- [end:SkipGram]


# --8<-- [start:train]
def noise(sentences: list[list[int]], vocab_size: int) -> Tensor:
    """How often each word is drawn as a negative: its count to the power of 3/4."""
    counts = Counter(i for ids in sentences for i in ids)
    return torch.tensor([counts[i] for i in range(vocab_size)]) ** 0.75


def train(
    model: SkipGram, sentences: list[list[int]], window: int, steps: int
) -> None:
    """Adam, batches of 256 pairs that are drawn at random, five negatives each."""
    pairs = torch.tensor(  # each begins with a list of one token, hence (c,)
        [(c, o) for ids in sentences for (c,), o in skip_gram_pairs(ids, window)]
    )
    drawn_like = noise(sentences, model.context.num_embeddings)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(steps):
        batch = pairs[torch.randint(len(pairs), (256,))]
        negatives = torch.multinomial(drawn_like, 5 * 256, replacement=True)
        loss = negative_sampling_loss(model, batch, negatives.view(256, 5))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# --8<-- [end:train]


# --8<-- [start:nearest]
def nearest(vectors: Tensor, word: int, count: int) -> list[tuple[int, float]]:
    """The words with the largest cosine to this one, and the cosines.

    vectors: (vocab, d). The word itself is left out.
    """
    unit = F.normalize(vectors, dim=-1)
    cosines = unit @ unit[word]  # -> (vocab,)
    cosines[word] = -torch.inf
    best = cosines.topk(count).indices
    return [(i, cosines[i].item()) for i in best.tolist()]
# --8<-- [end:nearest]


# --8<-- [start:words]
def words(line: str) -> list[str]:
    """The words of a line, without punctuation at their ends and clause signs."""
    stripped = (word.strip('.,"<>①②③④⑤⑥⑦') for word in line.split())
    return [word for word in stripped if word]
# --8<-- [end:words]
