"""Word vectors: skip-gram with negative sampling, and the nearest words."""

# --8<-- [start:imports]
from collections import Counter

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from snippets.before.prediction_tasks import skip_gram_pairs
# --8<-- [end:imports]


# --8<-- [start:SkipGram]
class SkipGram(nn.Module):
    """Two vectors for each word: one as center, one as context of another word.

    They are float64, so that a training says the same on every machine.
    """

    def __init__(self, vocab_size: int, d: int):
        super().__init__()
        self.center = nn.Embedding(vocab_size, d, dtype=torch.float64)
        self.context = nn.Embedding(vocab_size, d, dtype=torch.float64)
        nn.init.normal_(self.center.weight, std=d**-0.5)
        nn.init.zeros_(self.context.weight)

    def forward(self, center: Tensor, context: Tensor) -> Tensor:
        """Dot product of the vectors of two words, given by ids that broadcast."""
        return (self.center(center) * self.context(context)).sum(dim=-1)


def negative_sampling_loss(
    model: SkipGram, pairs: Tensor, negatives: Tensor
) -> Tensor:
    """Mikolov et al. 2013b, equation 4, with the opposite sign; mean of a batch.

    pairs: (batch, 2), center and context. negatives: (batch, k), random words in
    place of the context.
    """
    center, context = pairs.T
    real = model(center, context)  # -> (batch,)
    drawn = model(center.unsqueeze(1), negatives)  # -> (batch, k)
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
    """A line's words, without punctuation and circled numbers."""
    stripped = (word.strip('.,;:"()<>①②③④⑤⑥⑦') for word in line.split())
    return [word for word in stripped if word]
# --8<-- [end:words]
